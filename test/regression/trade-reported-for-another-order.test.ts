/**
 * Found by a stranger: a push named another own order for a trade, and the list the right one. The trade was booked for both, and
 * `panic --flatten` bought back what nobody had sold.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { alarms, BTC, denials, makeRig, trading, type Rig } from '../execution/rig.ts';

const { symbol } = BTC;

async function resting(count: number): Promise<{ readonly rig: Rig; readonly orders: readonly OrderReport[] }> {
  const rig = makeRig({ specs: [BTC], limits: { maxPosition: '1' } });
  createReconciler(rig.executor, { markets: ['spot'] }).start();
  await rig.clock.advanceAsync(5_000, 1000);
  for (let index = 0; index < count; index++)
    rig.executor.submit('maker', {
      kind: 'place',
      symbol,
      side: 'buy',
      type: 'limit',
      price: '60000',
      quantity: '0.01',
    });
  return { rig, orders: rig.venue.resting() };
}

function fillOf({ venue }: Rig, { orderId }: OrderReport, quantity = '0.01'): VenueFill {
  const fill = venue.fill(orderId, quantity, '60000', { fee: '0.00001', feeCurrency: 'BTC' });
  venue.tell(orderId);
  return fill;
}

async function settled(rig: Rig, bought: number): Promise<void> {
  rig.venue.balancesNow = [
    trading('USDT', String(1_000_000 - 60_000 * bought)),
    trading('BTC', String(10 + bought * 0.999)),
  ];
  await rig.clock.advanceAsync(90_000, 1000);
  const { state, fills } = replayRows(rig.journal.read());
  expect(stateHash(state)).toBe(stateHash(rig.executor.state));
  expect(state.explainedBalance('USDT').toNumber()).toBeCloseTo(1_000_000 - 60_000 * bought, 8);
  expect(state.explainedBalance('BTC').toNumber()).toBeCloseTo(10 + bought * 0.999, 8);
  expect(rig.executor.account('maker').position(symbol).size).toBeCloseTo(bought * 0.999, 8);
  expect(fills).toBeGreaterThan(0);
  rig.executor.submit('maker', {
    kind: 'place',
    symbol,
    side: 'buy',
    type: 'limit',
    price: '59000',
    quantity: '0.001',
  });
  expect(denials(rig)).toEqual([]);
}

it('books a trade where the list has it, and nowhere else', async () => {
  const { rig, orders } = await resting(2);
  const fill = fillOf(rig, orders[0]!);
  rig.venue.emit({ kind: 'fill', fill: { ...fill, orderId: orders[1]!.orderId } });
  await settled(rig, 0.01);
  expect(alarms(rig)).toEqual(['contradiction']);
  expect(
    rig.executor
      .account('maker')
      .openOrders()
      .map(({ orderId }) => orderId),
  ).toContain(orders[1]!.orderId);
});

it('books two trades that were mixed up once each', async () => {
  const { rig, orders } = await resting(2);
  const [one, two] = [fillOf(rig, orders[0]!), fillOf(rig, orders[1]!)];
  rig.venue.emit({ kind: 'fill', fill: { ...one, orderId: two.orderId } });
  rig.venue.emit({ kind: 'fill', fill: { ...two, orderId: one.orderId } });
  await settled(rig, 0.02);
  expect(alarms(rig)).toEqual(['contradiction', 'contradiction']);
  expect(rig.executor.account('maker').openOrders()).toHaveLength(1);
});

it('does not book a trade for another order that is booked already', async () => {
  const { rig, orders } = await resting(2);
  const fill = fillOf(rig, orders[0]!);
  rig.venue.emit({ kind: 'fill', fill });
  rig.venue.emit({ kind: 'fill', fill: { ...fill, orderId: orders[1]!.orderId } });
  await settled(rig, 0.01);
  expect(alarms(rig)).toEqual(['contradiction']);
});

it('gives it back when one answer of the list was wrong', async () => {
  const { rig, orders } = await resting(2);
  const fill = fillOf(rig, orders[0]!);
  rig.venue.emit({ kind: 'fill', fill });
  const listed = rig.venue.trades.findIndex(({ tradeId }) => tradeId === fill.tradeId);
  rig.venue.trades[listed] = { ...fill, orderId: orders[1]!.orderId };
  await rig.clock.advanceAsync(12_000, 1000);
  expect(alarms(rig)).toEqual(['contradiction']);
  rig.venue.trades[listed] = fill;
  await settled(rig, 0.01);
  expect(alarms(rig)).toEqual(['contradiction', 'contradiction']);
  const open = rig.executor.account('maker').openOrders();
  expect(open.map(({ orderId }) => orderId)).toContain(orders[1]!.orderId);
  expect(open.map(({ orderId }) => orderId)).not.toContain(orders[0]!.orderId);
});

it('books both where the list has one id for the trades of two orders', async () => {
  const { rig, orders } = await resting(2);
  const [one, two] = [fillOf(rig, orders[0]!), fillOf(rig, orders[1]!)];
  const index = rig.venue.trades.findIndex(({ tradeId }) => tradeId === two.tradeId);
  rig.venue.trades[index] = { ...two, tradeId: one.tradeId };
  rig.venue.emit({ kind: 'fill', fill: one });
  rig.venue.emit({ kind: 'fill', fill: { ...two, tradeId: one.tradeId } });
  await settled(rig, 0.02);
  // Until the list was read, the second could have been the first.
  expect(alarms(rig)).toEqual(['contradiction']);
  expect(rig.executor.account('maker').openOrders()).toHaveLength(1);
});
