/**
 * Each new session rang the alarm of a liquidation that the history still shows of a time before it. And where others had just traded
 * a perpetual, a new session denied all orders there for half a minute and did not say why.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { byHand, held, liquidates } from '../execution/perpetual-rig.ts';
import { alarms, makeRig, PERP, settle } from '../execution/rig.ts';

const { symbol } = PERP;

it('reconciler/new-session/an-older-liquidation-rings-no-alarm', async () => {
  const { venue, clock, ...earlier } = makeRig({ specs: [PERP] });
  liquidates({ venue, clock, ...earlier }, 'sell', '0.3');
  await clock.advanceAsync(60_000, 1000);
  const rig = makeRig({ specs: [PERP], venue, clock, bootId: 'b2' });
  createReconciler(rig.executor).start();
  await clock.advanceAsync(120_000, 1000);
  expect(alarms(rig)).toEqual([]);
});

it('reconciler/new-session/says-until-when-others-keep-it-shut', async () => {
  const rig = makeRig({ specs: [PERP] });
  byHand(rig, 'h1', 'buy', '0.3');
  rig.venue.positionsNow = [held('0.3')];
  const reconciler = createReconciler(rig.executor);
  const tradedAt = rig.clock.now();
  reconciler.start();
  await settle();
  await rig.clock.advanceAsync(11_000, 1000);
  const message = reconciler.gate.closedBecause(symbol)?.message ?? '';
  const lagMs = 30_000;
  expect(message).toContain(`not before ${new Date(tradedAt + lagMs).toISOString()}`);
  await rig.clock.advanceAsync(60_000, 1000);
  expect(reconciler.gate.closedBecause(symbol)).toBeNull();
});
