/**
 * Trades that a reading showed first were booked as the list has them, the newest first. A position that was bought twice and
 * sold in part had another cost and profit than at the exchange; and of a liquidation, an order of ours right after it and the
 * liquidation of that nothing could be booked, each waiting for the other (futures, seed 73320, law L1).
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { bought, byHand } from '../execution/perpetual-rig.ts';
import { makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;

/** An order of the maker that the exchange fills while the stream says nothing. */
function traded(rig: Rig, side: 'buy' | 'sell', quantity: string, price: string): void {
  rig.executor.submit('maker', { kind: 'place', symbol, side, type: 'market', quantity });
  for (const { orderId } of rig.venue.resting()) rig.venue.fill(orderId, quantity, price);
}

it('costs what it cost at the exchange', async () => {
  const rig = makeRig({ specs: [PERP] });
  createReconciler(rig.executor).start();
  await settle();
  await rig.clock.advanceAsync(61_000, 1000);
  traded(rig, 'buy', '0.1', '60000');
  await rig.clock.advanceAsync(1000);
  traded(rig, 'buy', '0.1', '60200');
  await rig.clock.advanceAsync(1000);
  traded(rig, 'sell', '0.1', '60300');
  rig.venue.trades.reverse();
  await rig.clock.advanceAsync(61_000, 1000);
  const { quantity, entryPrice } = rig.executor.account('maker').position(symbol);
  expect({ quantity, entryPrice }).toEqual({ quantity: '0.1', entryPrice: '60100' });
});

it('books a liquidation before what was traded after it', async () => {
  const { rig } = await bought();
  const { venue, clock } = rig;
  const ended = (orderId: string, side: 'buy' | 'sell', quantity: string): void => {
    const now = clock.now();
    const how = { type: 'market', timeInForce: 'ioc', price: null, positionSide: 'both' } as const;
    const state = { filledQuantity: quantity, averagePrice: '60000', status: 'filled', reason: 'liquidation' } as const;
    const dates = { createdAt: now, updatedAt: now };
    venue.orders.set(orderId, { orderId, symbol, market: 'derivative', side, quantity, ...how, ...state, ...dates });
    byHand(rig, `t ${orderId}`, side, quantity, { orderId });
  };
  ended('first', 'sell', '0.1');
  await clock.advanceAsync(16);
  traded(rig, 'sell', '0.04', '60000');
  ended('second', 'buy', '0.04');
  venue.trades.reverse();
  venue.positionsNow = [];
  await clock.advanceAsync(200_000, 1000);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
  const booked = [...rig.journal.read()].flatMap(({ entry }) =>
    entry.kind === 'liquidation' ? [`${entry.fill.side} ${entry.fill.quantity}`] : [],
  );
  expect(booked).toEqual(['sell 0.1', 'buy 0.04']);
});
