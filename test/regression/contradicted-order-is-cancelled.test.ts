/**
 * Found by reading: an order that was proved absent and turns up all the same (its proof was wrong, or the exchange let
 * it in late) was opened again and left standing, though nobody counted on it any more and the kill switch was on (K2). Then by the
 * fault simulator (seed 39748, K2): one whose row of having been sent was lost with the end of the journal was found at the exchange,
 * and every cancel of it was dropped as that of an order which has not left.
 */
import { afterEach, expect, it } from 'vitest';
import type { Reconciler } from '../../src/reconciler/reconciler.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { session, withOlderJournal } from '../journal/older-journal-rig.ts';
import { alarms, BTC, makeRig } from '../execution/rig.ts';

const started: Reconciler[] = [];
afterEach(() => {
  for (const reconciler of started.splice(0)) reconciler.stop();
});

it.each([true, false])('cancels an order that turns up after it was proved absent (killed: %s)', async (killed) => {
  const rig = makeRig({ specs: [BTC] });
  const reconciler = createReconciler(rig.executor);
  started.push(reconciler);
  reconciler.start();
  await rig.clock.advanceAsync(1000);
  rig.venue.createMode = 'never-arrives';
  rig.executor.submit('maker', {
    kind: 'quote',
    symbol: 'BTCUSDT',
    bids: [{ price: '59000', quantity: '0.01' }],
    asks: [],
  });
  await rig.clock.advanceAsync(120_000);
  expect(rig.executor.unresolvedCount()).toBe(0);
  if (killed) rig.executor.kill('test');
  const [sent] = rig.venue.creates();
  if (sent === undefined) throw new Error('nothing was sent');
  rig.venue.createMode = 'accept';
  const late = { kind: 'create', intentId: 'late', lane: 'create', order: sent } as const;
  rig.venue.send(late, () => 'go');
  await rig.clock.advanceAsync(30_000);
  expect(alarms(rig)).toContain('contradiction');
  expect(rig.venue.resting()).toEqual([]);
  expect(rig.executor.account('maker').openOrders()).toEqual([]);
});

it.each([true, false])('cancels one that was sent by a row which is lost (killed: %s)', async (killed) => {
  const before = await session();
  const rig = await withOlderJournal(before, ({ kind }) => kind === 'sending');
  await rig.clock.advanceAsync(1000);
  if (killed) rig.executor.kill('test');
  await rig.clock.advanceAsync(30_000);
  expect(alarms(rig)).toContain('contradiction');
  if (!killed) rig.executor.submit('maker', { kind: 'cancelAll', symbol: 'BTCUSDT' });
  await rig.clock.advanceAsync(5_000);
  expect(rig.venue.resting()).toEqual([]);
  expect(rig.executor.account('maker').openOrders()).toEqual([]);
});
