/**
 * Found by the simulator (seed 60000413, law F1): a journal had lost its rows and read old liquidations anew. The short of a human was
 * liquidated 38 ms before a strategy opened one, which was liquidated later. The first was booked to the strategy, too, since it
 * had held enough about then: its short of a hedged position stood at more than zero.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import { liquidationParts } from '../execution/perpetual-rig.ts';
import { makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;

/** Lists show it from now on. */
function liquidated({ venue }: Rig, orderId: string, quantity: string, ts: number): void {
  const terms = { orderId, symbol, market: 'derivative', side: 'buy', quantity, positionSide: 'short' } as const;
  const how = { type: 'market', timeInForce: 'ioc', price: null, reason: 'liquidation' } as const;
  const state = { filledQuantity: quantity, averagePrice: '60000', status: 'filled' } as const;
  const order: OrderReport = { ...terms, ...how, ...state, createdAt: ts, updatedAt: ts };
  const costs = { price: '60000', fee: '0.1', feeCurrency: 'USDT', liquidity: 'taker' } as const;
  venue.orders.set(orderId, order);
  venue.trades.push({ ...terms, ...costs, tradeId: `of ${orderId}`, ts });
}

it('is not booked to who opened the side just after it and has nothing left', async () => {
  const rig = makeRig({ specs: [PERP] });
  const { clock, executor, venue } = rig;
  createReconciler(executor).start();
  await settle();
  await clock.advanceAsync(61_000, 1000);
  const at = clock.now();
  executor.submit('maker', {
    kind: 'place',
    symbol,
    side: 'sell',
    type: 'market',
    quantity: '0.05',
    positionSide: 'short',
  });
  for (const { orderId } of venue.resting()) venue.tellFill(orderId, '0.05', '60000');
  await clock.advanceAsync(20_000, 1000);
  liquidated(rig, 'later', '0.05', clock.now());
  await clock.advanceAsync(10_000, 1000);
  expect(liquidationParts(rig)).toEqual(['maker 0.05']);
  liquidated(rig, 'older', '0.002', at - 38);
  await clock.advanceAsync(120_000, 1000);
  expect(liquidationParts(rig).filter((part) => part.startsWith('maker'))).toEqual(['maker 0.05']);
  expect(executor.account('maker').position(symbol, 'short').quantity).toBe('0');
});
