/**
 * Found by reading: the row of a kill is durable before the cancels are. A process that died between them came back with the
 * latch on and let its orders rest, for as long as nobody stopped it; so did what a killed session took over of its own.
 */
import { expect, it } from 'vitest';
import { replayRows } from '../../src/spine/replay.ts';
import { makeRig } from '../execution/rig.ts';
import { place, startReconciler } from '../execution/limit-rig.ts';

it('a start cancels what rests after a kill that died in its instant', async () => {
  const rig = makeRig();
  rig.executor.submit('maker', { ...place, ref: 'stands' });
  rig.journal.append(rig.clock.now(), [{ kind: 'kill', on: true, reason: 'panic' }]);
  const again = makeRig({ journal: rig.journal, clock: rig.clock, venue: rig.venue, bootId: 'b2' });
  expect(rig.venue.resting()).toHaveLength(1);
  startReconciler(again);
  await rig.clock.advanceAsync(30_000);
  expect(again.executor.killed).toBe(true);
  expect(rig.venue.resting()).toEqual([]);
});

it('what a killed session takes over at a start is cancelled, too', async () => {
  const rig = makeRig({ bootId: 'e_s1_0_1' });
  rig.executor.submit('maker', { ...place, ref: 'stands' });
  const lost = makeRig({ clock: rig.clock, bootId: 'e_s1_0_1' }).journal;
  const reason = 'restored from a backup';
  lost.append(rig.clock.now(), [
    { kind: 'restored', event: 'restored', reason },
    { kind: 'kill', on: true, reason: 'panic' },
  ]);
  const again = makeRig({ journal: lost, clock: rig.clock, venue: rig.venue, bootId: 'e_s1_9_2' });
  startReconciler(again);
  await rig.clock.advanceAsync(30_000);
  const refs = [...lost.read()].flatMap(({ entry }) =>
    entry.kind === 'intent' && entry.command === 'create' ? [entry.ref] : [],
  );
  expect(refs).toEqual([expect.stringMatching(/^restored-/)]);
  expect(rig.venue.resting()).toEqual([]);
  expect(replayRows(lost.read()).state.orders.allLive()).toEqual([]);
});
