/** A market buy of a symbol without any price was denied for a balance that "needs NaN USDT". */
import { expect, it } from 'vitest';
import { fundsDenial } from '../../src/risk/funds.ts';
import type { Candidate, RiskFacts } from '../../src/risk/facts.ts';
import { Instrument } from '../../src/model/market/instrument.ts';
import type { MarketReader } from '../../src/model/ports.ts';
import { Balances } from '../../src/spine/balances.ts';
import { TradingState } from '../../src/spine/trading-state.ts';
import { BTC } from '../execution/rig.ts';

const instrument = new Instrument(BTC);

it('risk/balance/market-buy-without-a-price-names-the-price', () => {
  const order = { instrument, side: 'buy', sign: 1, lots: 100, ticks: 0, isMarket: true } as unknown as Candidate;
  const market: MarketReader = { best: () => undefined, sweep: () => undefined, mid: () => undefined };
  const from = { market, state: new TradingState(), balances: new Balances(), external: { locks: new Map() } };
  const facts = { from, referenceTicks: Number.NaN } as unknown as RiskFacts;
  const denial = fundsDenial(order, facts);
  expect(denial?.reason).toBe('no_market');
  expect(denial?.message).toBe('BTCUSDT: there is no price, so what the buy needs cannot be checked');
});
