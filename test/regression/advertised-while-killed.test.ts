/**
 * Found by reading: an advertisement whose first request was unanswered at the kill switch or the stop went live by that
 * answer, since only accepted ones were hidden.
 */
import { expect, it } from 'vitest';
import { offer, p2pRig, type P2pRig } from '../treasury/rig.ts';

const MINUTE = 60_000;

/** Its advertisement has left, and is unanswered. */
function asked(mode: 'hold' | 'lose' = 'hold'): P2pRig {
  const rig = p2pRig();
  rig.venue.mode = mode;
  offer(rig);
  rig.clock.advance(10);
  expect(rig.venue.kinds).toEqual(['advertise']);
  return rig;
}

const hasStopped = ({ events }: P2pRig): boolean => events.some(({ kind }) => kind === 'stopped');

it('treasury/kill/hides-what-is-answered-later', () => {
  const rig = asked();
  rig.executor.kill('test');
  rig.clock.advance(10);
  rig.venue.release();
  rig.clock.advance(10);
  expect(rig.venue.statuses).toEqual(['deactivated']);
});

it('treasury/stop/waits-for-the-answer-and-hides', () => {
  const rig = asked();
  rig.executor.stop('maker', 'cancel');
  rig.clock.advance(10);
  expect(hasStopped(rig)).toBe(false);
  rig.venue.release();
  rig.clock.advance(10);
  expect(rig.venue.statuses).toEqual(['deactivated']);
  expect(hasStopped(rig)).toBe(true);
});

it('treasury/stop/an-offer-that-waits-in-its-lane-stays-there', () => {
  const rig = p2pRig();
  offer(rig);
  rig.executor.stop('maker', 'cancel');
  rig.clock.advance(10);
  expect(rig.venue.kinds).toEqual([]);
  const denied = [...rig.journal.read()].flatMap(({ entry }) =>
    entry.kind === 'money-outcome' && entry.outcome.kind === 'denied' ? [entry.outcome.denied.reason] : [],
  );
  expect(denied).toEqual(['stopping']);
  expect(hasStopped(rig)).toBe(true);
});

it('treasury/stop/an-offer-that-is-left-leaves', () => {
  const rig = p2pRig();
  offer(rig);
  rig.executor.stop('maker', 'leave');
  rig.clock.advance(10);
  expect(rig.venue.statuses).toEqual(['active']);
});

it('treasury/kill/hides-what-is-proved-later', async () => {
  const rig = asked('lose');
  rig.executor.kill('test');
  expect(rig.venue.statuses).toEqual(['active']);
  rig.venue.mode = 'answer';
  await rig.clock.advanceAsync(MINUTE);
  expect(rig.venue.statuses).toEqual(['deactivated']);
});

it('treasury/kill/hides-what-is-proved-after-a-restart', async () => {
  const rig = asked('lose');
  rig.executor.kill('test');
  const next = p2pRig(rig);
  await next.clock.advanceAsync(MINUTE);
  expect(next.venue.statuses).toEqual(['deactivated']);
});

it('treasury/kill/hides-before-the-list-is-known', () => {
  const rig = p2pRig();
  offer(rig);
  rig.clock.advance(10);
  const next = p2pRig(rig, { lists: false });
  next.executor.kill('test');
  next.venue.start();
  next.clock.advance(10);
  expect(next.venue.statuses).toEqual(['deactivated']);
});

it('treasury/advertise/is-not-doubled-by-a-proof-that-comes-before-the-list', async () => {
  const rig = asked('lose');
  rig.venue.mode = 'answer';
  offer(rig, { price: '96' });
  await rig.clock.advanceAsync(MINUTE);
  expect(rig.venue.rows.all()).toMatchObject([{ status: 'active', price: '96' }]);
});
