/**
 * Found by reading: when the request that hides an advertisement at the kill switch could not be sent, or was refused, nothing
 * asked again, and the advertisement stayed active.
 */
import { expect, it } from 'vitest';
import { offer, p2pRig } from '../treasury/rig.ts';

it('treasury/kill/hides-what-a-later-list-shows-active', () => {
  const rig = p2pRig();
  offer(rig);
  rig.clock.advance(10);
  rig.venue.refusing = true;
  rig.executor.kill('test');
  rig.clock.advance(10);
  rig.venue.poll();
  rig.clock.advance(10);
  expect(rig.venue.statuses).toEqual(['active']);
  rig.venue.refusing = false;
  rig.venue.poll();
  rig.clock.advance(10);
  expect(rig.venue.statuses).toEqual(['deactivated']);
  const sent = rig.venue.requests.length;
  rig.venue.poll();
  rig.clock.advance(10);
  expect(rig.venue.requests).toHaveLength(sent);
});
