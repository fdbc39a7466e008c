/**
 * Found by a simulated world with slow lists: whatever asked for a comparison while one ran waited in a queue without bound. All
 * of them ran later, each as it was wanted when it asked, so that histories which were needed since were not polled.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { makeRig } from '../execution/rig.ts';

const PASS_MS = 20_000;

it('reconciler/one-pass-waits-for-a-running-one', async () => {
  const rig = makeRig({ reconcile: { intervalMs: 600_000, sweepIntervalMs: 3_600_000 } });
  const { clock, venue } = rig;
  const began: number[] = [];
  const answer = venue.query.activeOrders.bind(venue.query);
  Object.assign(venue.query, {
    activeOrders: async () => {
      began.push(clock.now());
      const answered = Promise.withResolvers<void>();
      clock.after(PASS_MS, answered.resolve);
      await answered.promise;
      return answer();
    },
  });
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  const from = clock.now();
  await clock.advanceAsync(1_000, 100);
  for (let at = 0; at < 15; at++) {
    venue.emit({ kind: 'stream', state: 'ready', generation: 2 + at, reason: '' });
    await clock.advanceAsync(1_000, 100);
  }
  await clock.advanceAsync(300_000, 1_000);
  reconciler.stop();
  expect(began.map((ms) => Math.round((ms - from) / 1_000))).toEqual([0, 20, 40]);
});
