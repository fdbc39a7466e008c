/**
 * Found by a stranger: a proxy answered each order, and showed it in every list, with a quantity of 1 where 0.007 was sent. Nobody took
 * notice. A report that contradicts its order halts the symbol, as a fill does.
 */
import { describe, expect, it } from 'vitest';
import type { OrderReport } from '../../src/model/trading/order.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { alarms, BTC, denials, makeRig, type Rig } from '../execution/rig.ts';

const { symbol } = BTC;
const buy = { kind: 'place', symbol, side: 'buy', quantity: '0.1' } as const;
const limit = { ...buy, type: 'limit', price: 59_000 } as const;

/** Of the one order. */
function reported(rig: Rig, as: Partial<OrderReport>): OrderReport {
  const [order] = rig.venue.orders.values();
  if (order === undefined) throw new Error('nothing was sent');
  Object.assign(order, as);
  return order;
}

function isHalted(rig: Rig): boolean {
  rig.executor.submit('maker', { ...limit, price: 58_000 });
  return denials(rig).length > 0;
}

const OTHERWISE: readonly Partial<OrderReport>[] = [
  { quantity: '1' },
  { price: '59000.01' },
  { side: 'sell' },
  { type: 'market', price: null },
  { symbol: 'ETHUSDT' },
  { market: 'derivative' },
  { positionSide: 'long' },
];

describe('a report that contradicts its order', () => {
  it.each(OTHERWISE)('pushed as %o halts its symbol, with one alarm', (as) => {
    const rig = makeRig({ specs: [BTC] });
    rig.executor.submit('maker', limit);
    const { orderId } = reported(rig, as);
    rig.venue.tell(orderId);
    rig.venue.tell(orderId);
    expect(alarms(rig)).toEqual(['contradiction']);
    expect(isHalted(rig)).toBe(true);
  });

  it('halts as the answer to the order', () => {
    const rig = makeRig({ specs: [BTC] });
    rig.venue.createMode = 'hold';
    rig.executor.submit('maker', limit);
    const order = { ...reported(rig, {}), quantity: '1' };
    rig.venue.answer(rig.venue.sent[0]?.intentId ?? '', { kind: 'accepted', order });
    expect(alarms(rig)).toEqual(['contradiction']);
    expect(isHalted(rig)).toBe(true);
  });

  it('halts as a row of the list of active orders', async () => {
    const rig = makeRig({ specs: [BTC] });
    createReconciler(rig.executor, { markets: ['spot'] }).start();
    await rig.clock.advanceAsync(5_000, 1000);
    rig.executor.submit('maker', limit);
    reported(rig, { quantity: '1' });
    await rig.clock.advanceAsync(15_000, 1000);
    expect(alarms(rig)).toEqual(['contradiction']);
    expect(isHalted(rig)).toBe(true);
  });
});

describe('a report that says the same', () => {
  it.each<Partial<OrderReport>>([{ quantity: '0.10000' }, { price: '59000.00' }, { positionSide: 'both' }])(
    'as %o is nothing',
    (as) => {
      const rig = makeRig({ specs: [BTC] });
      rig.executor.submit('maker', limit);
      rig.venue.tell(reported(rig, as).orderId);
      expect(alarms(rig)).toEqual([]);
      expect(isHalted(rig)).toBe(false);
    },
  );

  it.each([null, '0', '60001.5'])('with the price %s of a market order is nothing', (price) => {
    const rig = makeRig({ specs: [BTC] });
    rig.executor.submit('maker', { ...buy, type: 'market' });
    rig.venue.tell(reported(rig, { price }).orderId);
    expect(alarms(rig)).toEqual([]);
    expect(isHalted(rig)).toBe(false);
  });
});
