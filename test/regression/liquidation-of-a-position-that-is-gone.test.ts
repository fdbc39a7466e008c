/**
 * Found by the fault simulator (seed 104873, law F1): a strategy and others held a perpetual, the exchange liquidated it, and the
 * strategy had turned its position over by the time at which that was known. What is held now had not been closed by it, so
 * that all of it was booked to others, and the strategy kept on holding what was gone.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { byHand, decided, held, liquidates, trades } from '../execution/perpetual-rig.ts';
import { makeRig, PERP, settle } from '../execution/rig.ts';

const { symbol } = PERP;

it.each([
  ['another one', '0.03', '0.03'],
  ['nothing', '0.01', '0.01'],
])('is to be decided, also of who held it then and holds %s since', async (_, bought, holds) => {
  const rig = makeRig({ specs: [PERP] });
  const { venue, clock, executor } = rig;
  const reconciler = createReconciler(executor);
  reconciler.start();
  await settle();
  await clock.advanceAsync(61_000, 1000);
  byHand(rig, 'h1', 'sell', '0.04');
  trades(rig, 'maker', 'sell', '0.01');
  venue.positionsNow = [held('-0.05')];
  await clock.advanceAsync(61_000, 1000);
  venue.lagMs = 28_000;
  liquidates(rig, 'buy', '0.05');
  venue.positionsNow = [];
  await clock.advanceAsync(20_000, 1000);
  trades(rig, 'maker', 'buy', bought);
  byHand(rig, 'h2', 'sell', '0.02');
  venue.positionsNow = [held(String((Number(bought) - 0.02).toFixed(2)))];
  await clock.advanceAsync(240_000, 1000);
  expect(decided(rig, 'pro-rata')).toEqual(['maker 0.01', 'others 0.04']);
  expect(executor.account('maker').position(symbol).quantity).toBe(holds);
  expect(reconciler.gate.closedBecause(symbol)).toBeNull();
  reconciler.stop();
});
