/** A market buy of a symbol without any price was denied for a balance that "needs NaN USDT". */
import { expect, it } from 'vitest';
import { spotBalanceDenial } from '../../src/risk/checks/balance.ts';
import type { Candidate } from '../../src/risk/facts.ts';
import { Instrument } from '../../src/model/instrument.ts';
import type { MarketReader } from '../../src/model/ports.ts';
import { BTC } from '../execution/rig.ts';

const instrument = new Instrument(BTC);

it('risk/balance/market-buy-without-a-price-names-the-price', () => {
  const order = { instrument, side: 'buy', sign: 1, lots: 100, ticks: 0, isMarket: true } as unknown as Candidate;
  const market: MarketReader = { best: () => undefined, mid: () => undefined };
  const facts = { held: undefined, live: [], externalLock: undefined, referenceTicks: Number.NaN, market };
  const denial = spotBalanceDenial(order, facts);
  expect(denial?.reason).toBe('no_market');
  expect(denial?.message).toBe('BTCUSDT: there is no price, so what the buy needs cannot be checked');
});
