/**
 * Found by the fault simulator (seed 8663, R1 and L1, where no client ids are kept): a human sold, which was booked as a trade of
 * others. 46 s later an order left with the very same terms, and its fate was unknown. By the widest clock the human's could be
 * it: it was claimed, and its trade was booked once more.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import { byHand, held } from '../execution/perpetual-rig.ts';
import { makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;
const terms = { symbol, side: 'buy', type: 'market', quantity: '0.3' } as const;

/** A human's order of now that has traded whole, and the position that it makes. */
function humanBuys(rig: Rig): void {
  const { venue, clock } = rig;
  const now = clock.now();
  const filled = { filledQuantity: '0.3', averagePrice: '60000', status: 'filled' } as const;
  const how = { timeInForce: 'ioc', price: null, market: 'derivative', positionSide: 'both' } as const;
  const report: OrderReport = { orderId: 'theirs', ...terms, ...how, ...filled, createdAt: now, updatedAt: now };
  venue.orders.set('theirs', report);
  byHand(rig, 'h1', 'buy', '0.3', { orderId: 'theirs' });
  venue.positionsNow = [held('0.3')];
}

it('claims no order by its terms of which a trade is booked as of others', async () => {
  const rig = makeRig({ specs: [PERP], clientOrderIds: false });
  createReconciler(rig.executor).start();
  await settle();
  await rig.clock.advanceAsync(61_000, 1000);
  humanBuys(rig);
  await rig.clock.advanceAsync(20_000, 1000);
  const booked = [...rig.journal.read()].filter(({ entry }) => entry.kind === 'adjustment' && entry.quantity === '0.3');
  expect(booked).toHaveLength(1);
  rig.venue.createMode = 'never-arrives';
  rig.executor.submit('maker', { kind: 'place', ...terms });
  expect(rig.executor.unresolvedCount()).toBe(1);
  await rig.clock.advanceAsync(200_000, 1000);
  expect(rig.executor.unresolvedCount()).toBe(0);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
});
