/**
 * Found by the fault simulator (seed 104873, law F1): a strategy and others held a perpetual, the exchange liquidated it, and the
 * strategy had turned its position over by the time at which that was known. What is held now had not been closed by it, so
 * that all of it was booked to others, and the strategy kept on holding what was gone.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/execution/reconcile/reconciler.ts';
import { byHand, held, liquidates } from '../execution/perpetual-rig.ts';
import { makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;

function trades({ executor, venue }: Rig, side: 'buy' | 'sell', quantity: string): void {
  executor.submit('maker', { kind: 'place', symbol, side, type: 'market', quantity });
  for (const { orderId } of venue.resting()) venue.tellFill(orderId, quantity, '60000');
}

function booked({ journal }: Rig): string[] {
  return [...journal.read()].flatMap(({ entry }) => {
    if (entry.kind === 'liquidation') return [`${entry.strategy} ${entry.fill.quantity}`];
    const isOthers = entry.kind === 'adjustment' && entry.cause === 'liquidation of others';
    return isOthers ? [`others ${entry.quantity}`] : [];
  });
}

it.each([
  ['another one', '0.03', '0.03', ['maker 0.01', 'others 0.04']],
  ['nothing', '0.01', '0.01', ['maker 0.01', 'others 0.04']],
])('is of who held it then and holds %s since', async (_, bought, holds, parts) => {
  const rig = makeRig({ specs: [PERP] });
  const { venue, clock, executor } = rig;
  const reconciler = createReconciler(executor);
  reconciler.start();
  await settle();
  await clock.advanceAsync(61_000, 1000);
  byHand(rig, 'h1', 'sell', '0.04');
  trades(rig, 'sell', '0.01');
  venue.positionsNow = [held('-0.05')];
  await clock.advanceAsync(61_000, 1000);
  venue.lagMs = 28_000;
  liquidates(rig, 'buy', '0.05');
  venue.positionsNow = [];
  await clock.advanceAsync(20_000, 1000);
  trades(rig, 'buy', bought);
  byHand(rig, 'h2', 'sell', '0.02');
  venue.positionsNow = [held(String((Number(bought) - 0.02).toFixed(2)))];
  await clock.advanceAsync(240_000, 1000);
  expect(booked(rig)).toEqual(parts);
  expect(executor.account('maker').position(symbol).quantity).toBe(holds);
  expect(reconciler.gate.closedBecause(symbol)).toBeNull();
  reconciler.stop();
});
