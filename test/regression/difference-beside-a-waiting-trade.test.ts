/**
 * Found by the fault simulator (seed 161, law L1): a trade by hand in a perpetual waited for the history that could not be read;
 * the difference that it made was of the size of an earlier one, so it counted as seen for long and was taken over as
 * something that had happened while nothing ran. When the trade was booked, it counted twice and the symbol closed for ever.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/execution/reconcile/reconciler.ts';
import { Residuals } from '../../src/execution/reconcile/residual.ts';
import { dec } from '../../src/model/money.ts';
import { byHand, held } from '../execution/perpetual-rig.ts';
import { alarms, makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;

function adjusted(rig: Rig): string[] {
  return [...rig.journal.read()].flatMap(({ entry }) =>
    entry.kind === 'adjustment' && entry.cause !== 'opening' ? [`${entry.cause} ${entry.quantity}`] : [],
  );
}

it('is not taken over, however long the trade waits for the history', async () => {
  const first = makeRig({ specs: [PERP] });
  const reconciler = createReconciler(first.executor);
  reconciler.start();
  await first.clock.advanceAsync(61_000, 1000);
  reconciler.stop();

  const rig = makeRig({ specs: [PERP], journal: first.journal, clock: first.clock, venue: first.venue, bootId: 'b2' });
  rig.venue.readable.orderHistory = 'failed';
  createReconciler(rig.executor).start();
  byHand(rig, 'h1', 'sell', '0.3');
  rig.venue.positionsNow = [held('-0.3')];
  await rig.clock.advanceAsync(120_000, 1000);
  expect(adjusted(rig)).toEqual([]);
  rig.venue.readable.orderHistory = 'complete';
  await rig.clock.advanceAsync(400_000, 1000);
  expect(adjusted(rig)).toEqual(['trade of others -0.3']);
  expect(alarms(rig)).toEqual([]);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
  await settle();
});

it('counts as another one when what was seen before is booked', () => {
  const residuals = new Residuals('0', 30_000);
  expect(residuals.judge('BTC', dec('-0.002'), dec('0'), 0).kind).toBe('watch');
  // The first trade was booked; another one, of the same size, is not yet.
  expect(residuals.judge('BTC', dec('-0.004'), dec('-0.002'), 40_000).kind).toBe('watch');
  expect(residuals.judge('BTC', dec('-0.004'), dec('-0.002'), 60_000).kind).toBe('watch');
  expect(residuals.judge('BTC', dec('-0.004'), dec('-0.002'), 70_000).kind).toBe('residual');
});

it('is still the same one while own fills move what is explained by other amounts', () => {
  const residuals = new Residuals('0', 30_000);
  expect(residuals.judge('BTC', dec('0.998'), dec('1'), 0).kind).toBe('watch');
  expect(residuals.judge('BTC', dec('1.498'), dec('1.5'), 10_000).kind).toBe('watch');
  expect(residuals.judge('BTC', dec('0.498'), dec('0.5'), 30_000).kind).toBe('residual');
});
