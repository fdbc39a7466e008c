/**
 * Orders of another instance rested, and the gate opened: the exchange forgot the client ids for a while, and without our
 * mark they counted as a human's; or it told one empty list between readings that failed. Found by the simulator (R3,
 * seeds 5848, 5988 and 6308).
 */
import { expect, it } from 'vitest';
import { place, startReconciler } from '../execution/limit-rig.ts';
import { alarms, BTC, denials, makeRig, type Rig } from '../execution/rig.ts';

/** An order of another instance rests as `v2`, and was seen. */
async function besideAnother(): Promise<Rig> {
  const rig = makeRig({ specs: [BTC] });
  startReconciler(rig);
  await rig.clock.advanceAsync(1000);
  rig.executor.submit('maker', place);
  const [request] = rig.venue.creates();
  rig.venue.arrive({ ...request!, clientOrderId: 'tw-other-7' });
  await rig.clock.advanceAsync(11_000);
  expect(alarms(rig)).toEqual(['foreign_prefix']);
  return rig;
}

/** Why nothing may be placed; undefined when it may. */
function refusal(rig: Rig): string | undefined {
  const before = denials(rig).length;
  rig.executor.submit('maker', { ...place, price: '58000' });
  return denials(rig)[before];
}

it('knows an order of another instance for one while the exchange forgets its client id', async () => {
  const rig = await besideAnother();
  for (const forgotten of ['v2', 'v1 v2']) {
    rig.venue.forgets = ({ orderId }) => forgotten.includes(orderId);
    await rig.clock.advanceAsync(200_000, 1000);
    expect(refusal(rig)).toBe('another_instance');
  }
  rig.venue.end('v2', 'canceled');
  await rig.clock.advanceAsync(90_000, 1000);
  expect(refusal(rig)).toBeUndefined();
  expect(alarms(rig)).toEqual(['foreign_prefix']);
});

it('believes no single list without such an order', async () => {
  const rig = await besideAnother();
  rig.venue.readable.activeOrders = 'failed';
  await rig.clock.advanceAsync(60_000, 1000);
  const { orders } = rig.venue;
  const truth = new Map(orders);
  orders.delete('v2');
  rig.venue.readable.activeOrders = 'complete';
  await rig.clock.advanceAsync(11_000);
  expect(refusal(rig)).toBe('another_instance');
  // Nor two, a minute apart, when one between them showed it.
  orders.set('v2', truth.get('v2')!);
  await rig.clock.advanceAsync(11_000);
  orders.delete('v2');
  await rig.clock.advanceAsync(45_000, 1000);
  expect(refusal(rig)).toBe('another_instance');
  await rig.clock.advanceAsync(45_000, 1000);
  expect(refusal(rig)).toBeUndefined();
});
