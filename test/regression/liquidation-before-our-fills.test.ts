/**
 * Found by the fault simulator (futures, seed 24): a liquidation was told before the fills that had opened what it closed.
 * It was booked as one of others, and once more as ours when those fills were read, so that the position never agreed again.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import { denials, makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;

function liquidate(rig: Rig, quantity: string): void {
  const ts = rig.clock.now();
  const terms = { orderId: 'liq', symbol, market: 'derivative', side: 'sell', quantity, positionSide: 'both' } as const;
  const state = { filledQuantity: quantity, averagePrice: '60000', status: 'filled', reason: 'liquidation' } as const;
  const limit = { type: 'market', timeInForce: 'ioc', price: null } as const;
  const order: OrderReport = { ...terms, ...limit, ...state, createdAt: ts, updatedAt: ts };
  const costs = { price: '60000', fee: '0.1', feeCurrency: 'USDT', liquidity: 'taker' } as const;
  const fill: VenueFill = { ...terms, ...costs, tradeId: 'l1', ts };
  rig.venue.orders.set('liq', order);
  rig.venue.trades.push(fill);
  rig.venue.emit({ kind: 'order', order });
  rig.venue.emit({ kind: 'fill', fill });
}

function booked(rig: Rig): string[] {
  return [...rig.journal.read()].flatMap(({ entry }) => {
    if (entry.kind === 'liquidation') return [`${entry.strategy} ${entry.fill.quantity}`];
    const isMove = entry.kind === 'adjustment' && entry.subject === 'position' && entry.quantity !== '0';
    return isMove ? [`${entry.cause} ${entry.quantity}`] : [];
  });
}

async function bought(): Promise<{ readonly rig: Rig; readonly orderId: string }> {
  const rig = makeRig();
  createReconciler(rig.executor).start();
  await settle();
  await rig.clock.advanceAsync(61_000, 1000);
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.1' });
  const [order] = rig.venue.resting();
  return { rig, orderId: order?.orderId ?? '' };
}

it('books a liquidation once, when the fills that it closed are known', async () => {
  const { rig, orderId } = await bought();
  liquidate(rig, '0.1');
  expect(booked(rig)).toEqual([]);
  rig.venue.tellFill(orderId, '0.1', '60000');
  await rig.clock.advanceAsync(1000, 100);
  expect(booked(rig)).toEqual(['maker 0.1']);
  await rig.clock.advanceAsync(400_000, 1000);
  expect(booked(rig)).toEqual(['maker 0.1']);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
});

it('takes no new risk in the symbol while it is not known who held it', async () => {
  const { rig } = await bought();
  liquidate(rig, '0.1');
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.02' });
  expect(denials(rig)).toEqual(['liquidated']);
});

it('books it also where no list of trades shows it any more once our fills are known', async () => {
  const { rig, orderId } = await bought();
  liquidate(rig, '0.1');
  rig.venue.trades.length = 0;
  rig.venue.tellFill(orderId, '0.1', '60000');
  await rig.clock.advanceAsync(400_000, 1000);
  expect(booked(rig)).toEqual(['maker 0.1']);
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.02' });
  expect(denials(rig)).toEqual(['liquidated']);
});
