/**
 * Found by reading: an edit of unknown outcome that was proved absent counted as made, so that the advertisement was shown
 * again at its old price.
 */
import { expect, it } from 'vitest';
import { offer, p2pRig } from '../treasury/rig.ts';

it('treasury/advertise/edits-again-what-was-proved-absent', async () => {
  const rig = p2pRig();
  offer(rig);
  rig.clock.advance(10);
  rig.venue.losing = 'editAdvertisement';
  offer(rig, { price: '97' });
  await rig.clock.advanceAsync(20_000);
  expect(rig.venue.statuses).toEqual(['deactivated']);
  rig.venue.losing = null;
  await rig.clock.advanceAsync(80_000);
  expect(rig.venue.rows.all()).toMatchObject([{ status: 'active', price: '97' }]);
});
