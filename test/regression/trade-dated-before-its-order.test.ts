/**
 * Found by the fault simulator (world 3001002, law S4): where there are no client order ids, an order whose answer was lost rested, and
 * traded after the clock of the exchange had gone back by four minutes. Its trade, read while the history could not be, bore a time
 * before the order had left, and was booked as one of others; so the order that the history showed then was another's, and ours was
 * concluded to be absent.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { BTC, makeRig, trading, type Rig } from '../execution/rig.ts';

const { symbol } = BTC;
const BEHIND_MS = 137_000;

/** An order of unknown outcome, which has traded by a clock that was behind; the history cannot be read for a minute. */
async function traded(): Promise<{ readonly rig: Rig; readonly orderId: string }> {
  const rig = makeRig({ specs: [BTC], clientOrderIds: false });
  const { executor, venue, clock } = rig;
  createReconciler(executor, { markets: ['spot'] }).start();
  await clock.advanceAsync(1_000);
  executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.1' });
  for (const { orderId } of venue.resting()) venue.tellFill(orderId, '0.1', '60000');
  venue.balancesNow = [trading('USDT', '994000'), trading('BTC', '10.1')];
  await clock.advanceAsync(241_000, 1000);
  venue.readable.orderHistory = 'failed';
  venue.createMode = 'ack-lost';
  executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'limit', price: '59000', quantity: '0.02' });
  const [order] = venue.resting();
  if (order === undefined) throw new Error('no order has arrived');
  await clock.advanceAsync(20_000, 1000);
  venue.fill(order.orderId, '0.02', '59000');
  venue.trades.push({ ...venue.trades.pop()!, ts: clock.now() - BEHIND_MS });
  await clock.advanceAsync(60_000, 1000);
  venue.readable.orderHistory = 'complete';
  return { rig, orderId: order.orderId };
}

const ofOthers = ({ journal }: Rig): number =>
  [...journal.read()].filter(({ entry }) => entry.kind === 'adjustment' && entry.cause === 'trade of others').length;

it('is ours once the history shows the order', async () => {
  const { rig, orderId } = await traded();
  expect(ofOthers(rig)).toBe(0);
  await rig.clock.advanceAsync(120_000, 1000);
  expect(ofOthers(rig)).toBe(0);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0.12');
  const bound = [...rig.journal.read()].some(
    ({ entry }) => entry.kind === 'order' && entry.report.orderId === orderId && entry.report.status === 'filled',
  );
  expect(bound).toBe(true);
});

it('is of others when the history shows that its order was there before', async () => {
  const { rig, orderId } = await traded();
  const order = rig.venue.orders.get(orderId)!;
  order.createdAt -= BEHIND_MS;
  await rig.clock.advanceAsync(120_000, 1000);
  expect(ofOthers(rig)).toBeGreaterThan(0);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0.1');
});
