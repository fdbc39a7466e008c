/**
 * Found by the fault simulator (futures, seeds 5732, 5963, 6253 and 65153, law F1): the list of trades showed a liquidation, and the
 * history, which lags, did not show its order yet. A complete history was taken for proof that it was none: the trade was
 * booked as one of others, and the strategy went on with a position that the exchange had closed.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import { bought, decided, held, positionMoves } from '../execution/perpetual-rig.ts';
import { alarms, denials, makeRig, PERP, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;
const terms = {
  orderId: 'x',
  symbol,
  market: 'derivative',
  side: 'sell',
  quantity: '0.1',
  positionSide: 'both',
} as const;

/** 0.1 is sold by an order that is in no list yet. Returns its report. */
function sold({ venue, clock }: Rig, reason: Pick<OrderReport, 'reason'>): OrderReport {
  const ts = clock.now();
  const costs = { price: '60000', fee: '0.1', feeCurrency: 'USDT', liquidity: 'taker' } as const;
  venue.trades.push({ ...terms, ...costs, tradeId: 't', ts });
  venue.positionsNow = [];
  const state = {
    filledQuantity: '0.1',
    averagePrice: '60000',
    status: 'filled',
    createdAt: ts,
    updatedAt: ts,
  } as const;
  return { ...terms, ...state, ...reason, type: 'market', timeInForce: 'ioc', price: null };
}

it('is booked to its holder when the history shows it later than the trades', async () => {
  const { rig } = await bought();
  const order = sold(rig, { reason: 'liquidation' });
  await rig.clock.advanceAsync(25_000, 1000);
  expect(positionMoves(rig)).toEqual([]);
  rig.venue.orders.set(order.orderId, order);
  await rig.clock.advanceAsync(400_000, 1000);
  expect(positionMoves(rig)).toEqual(['maker 0.1']);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
  expect(alarms(rig)).toEqual(['liquidated']);
});

it('is booked to its holder when the process dies before the history shows it', async () => {
  const { rig, reconciler } = await bought();
  const order = sold(rig, { reason: 'liquidation' });
  await rig.clock.advanceAsync(10_000, 1000);
  reconciler.stop();
  rig.executor.close();

  const { clock, venue, journal } = rig;
  const again = makeRig({ clock, venue, journal, specs: [PERP], bootId: 'b2' });
  createReconciler(again.executor).start();
  await clock.advanceAsync(10_000, 1000);
  expect(positionMoves(again)).toEqual([]);
  venue.orders.set(order.orderId, order);
  await clock.advanceAsync(400_000, 1000);
  expect(positionMoves(again)).toEqual(['maker 0.1']);
  expect(again.executor.account('maker').position(symbol).quantity).toBe('0');
});

it('is booked to its holder when the first history after a pause is answered empty (seed 65153)', async () => {
  const { rig, reconciler } = await bought();
  reconciler.stop();
  rig.executor.close();
  const order = sold(rig, { reason: 'liquidation' });
  await rig.clock.advanceAsync(120_000, 1000);

  const { clock, venue, journal } = rig;
  const again = makeRig({ clock, venue, journal, specs: [PERP], bootId: 'b2' });
  createReconciler(again.executor).start();
  await clock.advanceAsync(1_000, 100);
  expect(positionMoves(again)).toEqual([]);
  venue.orders.set(order.orderId, order);
  await clock.advanceAsync(400_000, 1000);
  expect(positionMoves(again)).toEqual(['maker 0.1']);
  expect(again.executor.account('maker').position(symbol).quantity).toBe('0');
});

it('does not wait for a trade of others whose order the history shows', async () => {
  const { rig } = await bought();
  const order = sold(rig, {});
  rig.venue.orders.set(order.orderId, order);
  await rig.clock.advanceAsync(20_000, 1000);
  expect(positionMoves(rig)).toEqual(['trade of others -0.1']);
});

it('takes a trade for one of others when the history must show its order and does not', async () => {
  const { rig } = await bought();
  sold(rig, {});
  await rig.clock.advanceAsync(60_000, 1000);
  expect(positionMoves(rig)).toEqual(['trade of others -0.1']);
});

it('is to be decided when the history shows it after it was taken for a trade of others', async () => {
  const { rig } = await bought();
  const order = sold(rig, { reason: 'liquidation' });
  await rig.clock.advanceAsync(60_000, 1000);
  expect(positionMoves(rig)).toEqual(['trade of others -0.1']);
  rig.venue.orders.set(order.orderId, order);
  await rig.clock.advanceAsync(400_000, 1000);
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.1' });
  expect(denials(rig)).toEqual(['liquidated']);
  expect(decided(rig, 'all:maker')).toEqual(['maker 0.1', 'others 0']);
  expect(positionMoves(rig)).toEqual(['trade of others -0.1', 'maker 0.1', 'liquidation of ours 0.1']);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
  expect(alarms(rig)).toEqual(['liquidated', 'undivided']);
});

it('is to be decided by the next process, also of who sold it since', async () => {
  const { rig, reconciler } = await bought();
  const order = sold(rig, { reason: 'liquidation' });
  await rig.clock.advanceAsync(60_000, 1000);
  const sale = { kind: 'place', symbol, side: 'sell', type: 'market', quantity: '0.1' } as const;
  rig.executor.submit('maker', sale);
  for (const { orderId } of rig.venue.resting()) rig.venue.tellFill(orderId, '0.1', '60000');
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
  reconciler.stop();
  rig.executor.close();

  const { clock, venue, journal } = rig;
  venue.positionsNow = [held('-0.1')];
  venue.orders.set(order.orderId, order);
  const again = makeRig({ clock, venue, journal, specs: [PERP], bootId: 'b2' });
  createReconciler(again.executor).start();
  await clock.advanceAsync(400_000, 1000);
  expect(decided(again, 'all:maker')).toEqual(['maker 0.1', 'others 0']);
  // The exchange has closed what the strategy then sold: it is short, and can see that.
  expect(again.executor.account('maker').position(symbol).quantity).toBe('-0.1');
  expect(alarms(again)).toEqual(['liquidated', 'undivided']);
  again.executor.close();
  const third = makeRig({ clock, venue, journal, specs: [PERP], bootId: 'b3' });
  expect(third.executor.account('maker').position(symbol).quantity).toBe('-0.1');
});
