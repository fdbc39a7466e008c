/**
 * A liquidation that a clock of the exchange dated hours ahead counted as having moved its position in every reading, so that
 * what a human held there was never taken over as an opening. Found by the fault simulator (seed 50783, law L1).
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { held, liquidates } from '../execution/perpetual-rig.ts';
import { makeRig, PERP } from '../execution/rig.ts';

const { symbol } = PERP;
const AHEAD_MS = 6 * 3_600_000;

it('moves its position when it is seen first, and not again', async () => {
  const rig = makeRig({ specs: [PERP] });
  const { venue, executor, clock, journal } = rig;
  executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.1' });
  for (const { orderId } of venue.resting()) venue.tellFill(orderId, '0.1', '60000');
  liquidates(rig, 'sell', '0.1');
  const fill = { ...venue.trades.pop()!, ts: clock.now() + AHEAD_MS };
  venue.trades.push(fill);
  venue.emit({ kind: 'order', order: venue.orders.get('liq')! });
  venue.emit({ kind: 'fill', fill });
  expect(executor.account('maker').position(symbol).quantity).toBe('0');
  venue.positionsNow = [held('0.05')];
  // The lists show what is to come.
  venue.lagMs = -AHEAD_MS;
  const reconciler = createReconciler(executor);
  reconciler.start();
  await clock.advanceAsync(120_000, 1_000);
  const openings = [...journal.read()].flatMap(({ entry }) =>
    entry.kind === 'adjustment' && entry.cause === 'opening' ? [[entry.name, entry.quantity]] : [],
  );
  expect(openings).toContainEqual([symbol, '0.05']);
  reconciler.stop();
});
