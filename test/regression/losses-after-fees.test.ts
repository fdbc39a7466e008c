/**
 * Found by a stranger: a strategy that traded to and fro lost 37 USDT, of which 36 were fees, and `maxDailyLoss: 10` was 14 % used.
 * Its profit was that before fees, spot and perpetual alike.
 */
import { expect, it } from 'vitest';
import { denials, makeRig, type Rig } from '../execution/rig.ts';

const limit = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', quantity: '0.01' } as const;

function trade(rig: Rig, side: 'buy' | 'sell', fee: { readonly fee: string; readonly feeCurrency: string }): void {
  rig.executor.submit('maker', { kind: 'place', symbol: 'BTCUSDT', side, type: 'market', quantity: '0.01' });
  rig.venue.tellFill(rig.venue.resting()[0]?.orderId ?? '', '0.01', '60000', fee);
}

it.each([
  { of: 'in quote', buy: { fee: '3', feeCurrency: 'USDT' } },
  { of: 'in base', buy: { fee: '0.00005', feeCurrency: 'BTC' } },
])('count against the daily loss and the drawdown of a strategy: $of', ({ buy }) => {
  for (const [name, reason] of [
    ['maxDailyLoss', 'daily_loss'],
    ['maxDrawdown', 'drawdown'],
  ] as const) {
    const rig = makeRig({ limits: { [name]: '5', maxPosition: '1' } });
    rig.executor.submit('maker', { ...limit, price: '59000', ref: 'first' });
    expect(denials(rig)).toEqual([]);
    rig.executor.submit('maker', { kind: 'cancelAll' });
    trade(rig, 'buy', buy);
    trade(rig, 'sell', { fee: '3', feeCurrency: 'USDT' });
    expect(denials(rig)).toEqual([]);
    rig.executor.submit('maker', { ...limit, price: '59000', ref: 'next' });
    expect(denials(rig)).toEqual([reason]);
    const again = makeRig({
      journal: rig.journal,
      clock: rig.clock,
      venue: rig.venue,
      bootId: 'b2',
      limits: { [name]: '5' },
    });
    again.executor.submit('maker', { ...limit, price: '59000', ref: 'again' });
    expect(denials(again)).toEqual([reason]);
  }
});
