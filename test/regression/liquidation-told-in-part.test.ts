/**
 * Found by the fault simulator (seed 28110663): the stream told half of a liquidation's only trade, which was booked, and the
 * rest never. A trade that is not all of its order waits for the list of own trades, which says of what the order consists.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import { denials, makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;

/** `parts`: as the list has them. The stream tells the first as `told`. */
function liquidate(rig: Rig, parts: readonly string[], told: string): void {
  const ts = rig.clock.now();
  const terms = { orderId: 'liq', symbol, market: 'derivative', side: 'sell', positionSide: 'both' } as const;
  const state = { filledQuantity: '0.1', averagePrice: '60000', status: 'filled', reason: 'liquidation' } as const;
  const limit = { type: 'market', timeInForce: 'ioc', price: null, quantity: '0.1' } as const;
  const order: OrderReport = { ...terms, ...limit, ...state, createdAt: ts, updatedAt: ts };
  const costs = { price: '60000', fee: '0.1', feeCurrency: 'USDT', liquidity: 'taker' } as const;
  const fills = parts.map((quantity, at): VenueFill => ({ ...terms, ...costs, quantity, tradeId: `l${at}`, ts }));
  rig.venue.orders.set('liq', order);
  rig.venue.trades.push(...fills);
  rig.venue.emit({ kind: 'order', order });
  rig.venue.emit({ kind: 'fill', fill: { ...fills[0]!, quantity: told } });
}

it.each([
  ['a-half-of-the-only-one', ['0.1'], '0.05'],
  ['the-first-of-two', ['0.06', '0.04'], '0.06'],
])('liquidation/in-part/%s-waits-for-the-list', async (_name, parts, told) => {
  const rig = makeRig();
  createReconciler(rig.executor).start();
  await settle();
  await rig.clock.advanceAsync(61_000, 1000);
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.1' });
  rig.venue.tellFill(rig.venue.resting()[0]?.orderId ?? '', '0.1', '60000');
  await rig.clock.advanceAsync(1000, 100);
  liquidate(rig, parts, told);
  const booked = () =>
    [...rig.journal.read()].flatMap(({ entry }) => (entry.kind === 'liquidation' ? [entry.fill.quantity] : []));
  expect(booked()).toEqual([]);
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.02' });
  expect(denials(rig)).toEqual(['liquidated']);
  await rig.clock.advanceAsync(60_000, 1000);
  expect(booked().toSorted()).toEqual(parts.toSorted());
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
});
