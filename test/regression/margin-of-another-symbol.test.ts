/**
 * Found by reading: the margin of a market order in flight was estimated at the price of the order that was judged, counted in
 * ticks of the other symbol, so that a cheap contract's order took almost nothing for one of a dear contract.
 */
import { expect, it } from 'vitest';
import type { Action } from '../../src/model/trading/action.ts';
import { BTC, denials, makeRig, PERP, trading } from '../execution/rig.ts';

const CHEAP = { ...PERP, symbol: 'XUSDTPERP', base: 'X' };
const CHEAP_BEST = { bidTicks: 600, bidLots: 100_000, askTicks: 601, askLots: 100_000 };
const buy = { kind: 'place', side: 'buy', type: 'market' } as const;

it('risk/margin/market-order-in-flight-of-another-symbol-counts-at-its-own-price', () => {
  const rig = makeRig({ specs: [BTC, PERP, CHEAP], risk: { maxOrderEquityFraction: 1, priceCollar: 1 } });
  const { market } = rig;
  const [best, mid] = [market.best(), market.mid()];
  Object.assign(market, {
    best: (symbol: string) => (symbol === CHEAP.symbol ? CHEAP_BEST : best),
    mid: (symbol: string) => (symbol === CHEAP.symbol ? 6.005 : mid),
  });
  rig.venue.emit({ kind: 'balances', balances: [trading('USDT', '1000')], whole: true });
  rig.venue.createMode = 'hold';
  const orders: Action[] = [
    { ...buy, symbol: PERP.symbol, quantity: '0.016' },
    { ...buy, symbol: CHEAP.symbol, quantity: '100' },
  ];
  rig.executor.submit('maker', orders);
  expect(denials(rig)).toEqual(['insufficient_balance']);
});
