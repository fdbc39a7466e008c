/**
 * Found by the fault simulator (seeds 6217, 6800 and 6812, law R2): an order that an earlier process had placed was cancelled, which
 * counted as an order accepted now. It ended a row of refusals, so that what the exchange refuses was tried again at once,
 * and more orders were told as accepted than were sent.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { makeRig, type Rig } from '../execution/rig.ts';

function buy({ executor }: Rig, price: string): void {
  executor.submit('maker', { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price, quantity: '0.01' });
}

async function started(rig: Rig): Promise<Rig> {
  createReconciler(rig.executor).start();
  await rig.clock.advanceAsync(5000, 1000);
  return rig;
}

it('is no order accepted by this one', async () => {
  const first = await started(makeRig());
  buy(first, '59000');
  const [resting] = first.venue.resting();
  if (resting === undefined) throw new Error('nothing rests');

  const { journal, clock, venue } = first;
  const rig = await started(makeRig({ journal, clock, venue, bootId: 'b2' }));
  venue.createMode = 'refuse';
  venue.refusal = 'symbol_halted';
  const sent = venue.sent.length;
  for (const price of ['59100', '59200', '59300']) {
    buy(rig, price);
    await clock.advanceAsync(2000, 1000);
  }
  expect(venue.sent.length).toBe(sent + 3);
  venue.end(resting.orderId, 'canceled');
  venue.tell(resting.orderId);
  // Refusals wait for the lists.
  await clock.advanceAsync(2000, 1000);
  buy(rig, '59400');
  expect(venue.sent.length).toBe(sent + 3);
  const denials = [...rig.journal.read()].flatMap(({ entry }) => (entry.kind === 'denial' ? [entry.reason] : []));
  expect(denials).toContain('repeated_rejects');
});
