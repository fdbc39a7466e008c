/**
 * Found by the fault simulator (futures, seed 15, law F1): payments of funding were asked for with the history alone, once
 * in five minutes, but only as far back as the trades that the runs in between had read. What was paid more than two
 * minutes before such a run was never booked; nor was what could not be read when its turn came.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { FundingPayment } from '../../src/model/trading/account.ts';
import { makeRig, settle, START, type Rig } from '../execution/rig.ts';

function paid(id: string, atMs: number): FundingPayment {
  return { id, symbol: null, currency: 'USDT', amount: '-0.5', ts: START + atMs };
}

function withPayments(rig: Rig, payments: readonly FundingPayment[], isReadable: () => boolean): void {
  const funding = async (from: number) => {
    const asOf = rig.clock.now();
    if (!isReadable()) return { kind: 'failed', asOf, reason: 'unreachable' } as const;
    const items = payments.filter(({ ts }) => ts >= from && ts <= asOf);
    return { kind: 'complete', asOf, items } as const;
  };
  Object.assign(rig.venue, { query: { ...rig.venue.query, funding } });
}

function booked(rig: Rig): string[] {
  return [...rig.journal.read()].flatMap(({ entry }) => (entry.kind === 'funding' ? [entry.id] : []));
}

it('books what is paid between two full readings, whenever that is', async () => {
  const rig = makeRig();
  withPayments(rig, [paid('f1', 70_000), paid('f2', 200_000), paid('f3', 420_000)], () => true);
  createReconciler(rig.executor).start();
  await settle();
  await rig.clock.advanceAsync(600_000, 1000);
  expect(booked(rig)).toEqual(['f1', 'f2', 'f3']);
});

it('goes on asking for what could not be read', async () => {
  const rig = makeRig();
  withPayments(rig, [paid('f1', 70_000)], () => rig.clock.now() > START + 900_000);
  createReconciler(rig.executor).start();
  await settle();
  await rig.clock.advanceAsync(1_000_000, 1000);
  expect(booked(rig)).toEqual(['f1']);
});

it('books what was paid while nothing ran', async () => {
  const rig = makeRig();
  await rig.clock.advanceAsync(10_000, 1000);
  rig.executor.submit('maker', { kind: 'note', text: 'the last row' });
  await rig.clock.advanceAsync(3_600_000, 600_000);
  const again = makeRig({ journal: rig.journal, clock: rig.clock, bootId: 'b2' });
  withPayments(again, [paid('f1', 60_000)], () => true);
  createReconciler(again.executor).start();
  await again.clock.advanceAsync(1000, 500);
  expect(booked(again)).toEqual(['f1']);
});
