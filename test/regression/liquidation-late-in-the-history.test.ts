/**
 * Found by the fault simulator (futures, seeds 5732, 5963 and 6253, law F1): the list of trades showed a liquidation, and the
 * history, which lags, did not show its order yet. A complete history was taken for proof that it was none: the trade was
 * booked as one of others, and the strategy went on with a position that the exchange had closed.
 */
import { expect, it } from 'vitest';
import { createReconciler, type Reconciler } from '../../src/execution/reconcile/reconciler.ts';
import type { VenuePosition } from '../../src/model/account.ts';
import type { OrderReport } from '../../src/model/order.ts';
import { alarms, makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;
const terms = {
  orderId: 'x',
  symbol,
  market: 'derivative',
  side: 'sell',
  quantity: '0.1',
  positionSide: 'both',
} as const;

function holding(quantity: string): VenuePosition[] {
  const sums = { margin: '0', unrealizedPnl: '0', realizedPnl: '0', updatedAt: 1 };
  const prices = { entryPrice: '60000', markPrice: '60000', liquidationPrice: null };
  return [{ symbol, positionSide: 'both', quantity, leverage: '5', marginType: 'cross', ...sums, ...prices }];
}

/** The maker has bought 0.1. */
async function holds(): Promise<{ readonly rig: Rig; readonly reconciler: Reconciler }> {
  const rig = makeRig({ specs: [PERP] });
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  await settle();
  await rig.clock.advanceAsync(61_000, 1000);
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.1' });
  for (const { orderId } of rig.venue.resting()) rig.venue.tellFill(orderId, '0.1', '60000');
  rig.venue.positionsNow = holding('0.1');
  await rig.clock.advanceAsync(61_000, 1000);
  return { rig, reconciler };
}

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

function booked({ journal }: Rig): string[] {
  return [...journal.read()].flatMap(({ entry }) => {
    if (entry.kind === 'liquidation') return [`${entry.strategy} ${entry.fill.quantity}`];
    const isMove = entry.kind === 'adjustment' && entry.subject === 'position' && entry.quantity !== '0';
    return isMove ? [`${entry.cause} ${entry.quantity}`] : [];
  });
}

it('is booked to its holder when the history shows it later than the trades', async () => {
  const { rig } = await holds();
  const order = sold(rig, { reason: 'liquidation' });
  await rig.clock.advanceAsync(25_000, 1000);
  expect(booked(rig)).toEqual([]);
  rig.venue.orders.set(order.orderId, order);
  await rig.clock.advanceAsync(400_000, 1000);
  expect(booked(rig)).toEqual(['maker 0.1']);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
  expect(alarms(rig)).toEqual(['liquidated']);
});

it('is booked to its holder when the process dies before the history shows it', async () => {
  const { rig, reconciler } = await holds();
  const order = sold(rig, { reason: 'liquidation' });
  await rig.clock.advanceAsync(10_000, 1000);
  reconciler.stop();
  rig.executor.close();

  const { clock, venue, journal } = rig;
  const again = makeRig({ clock, venue, journal, specs: [PERP], bootId: 'b2' });
  createReconciler(again.executor).start();
  await clock.advanceAsync(10_000, 1000);
  expect(booked(again)).toEqual([]);
  venue.orders.set(order.orderId, order);
  await clock.advanceAsync(400_000, 1000);
  expect(booked(again)).toEqual(['maker 0.1']);
  expect(again.executor.account('maker').position(symbol).quantity).toBe('0');
});

it('does not wait for a trade of others whose order the history shows', async () => {
  const { rig } = await holds();
  const order = sold(rig, {});
  rig.venue.orders.set(order.orderId, order);
  await rig.clock.advanceAsync(20_000, 1000);
  expect(booked(rig)).toEqual(['trade of others -0.1']);
});

it('takes a trade for one of others when the history must show its order and does not', async () => {
  const { rig } = await holds();
  sold(rig, {});
  await rig.clock.advanceAsync(60_000, 1000);
  expect(booked(rig)).toEqual(['trade of others -0.1']);
});
