/**
 * Found from outside: money that a human moved out seconds before the start was booked as an outflow once any balance differed, although
 * the opening no longer had it. The account seemed short of 10 BTC for half a minute, and the daily loss was wrong for the whole day.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { AccountMovement } from '../../src/model/trading/account.ts';
import { alarms, BTC, makeRig, trading, type Rig } from '../execution/rig.ts';

function booked({ journal }: Rig): string[] {
  return [...journal.read()].flatMap(({ entry }) => {
    if (entry.kind === 'adjustment' && entry.cause !== 'opening') return [`${entry.name} ${entry.quantity}`];
    return entry.kind === 'cash-flow' ? [`flow ${entry.currency} ${entry.amount}`] : [];
  });
}

/** Rows of the list with their age at the first reading, ms. */
async function lived(
  rows: readonly (readonly [currency: string, amount: string, ageMs: number])[],
  later: Rig['venue']['balancesNow'],
) {
  const rig = makeRig({ specs: [BTC] });
  const row = { type: 'transfer', account: 'unified-trading' } as const;
  rig.venue.movementsNow = rows.map(([currency, amount, ageMs], index): AccountMovement => ({
    ...row,
    id: `m${index}`,
    currency,
    amount,
    ts: rig.clock.now() - ageMs,
  }));
  createReconciler(rig.executor, { markets: ['spot'] }).start();
  await rig.clock.advanceAsync(5_000, 1000);
  rig.venue.balancesNow = later;
  await rig.clock.advanceAsync(150_000, 1000);
  return rig;
}

it('is no outflow, whatever else differs', async () => {
  const rows = [
    ['BTC', '5', 4_000],
    ['ETH', '100', 4_000],
    ['ETH', '100', 90_000],
  ] as const;
  const rig = await lived(rows, [trading('USDT', '1005000'), trading('BTC', '10')]);
  expect(booked(rig)).toEqual(['USDT 5000', 'flow USDT 5000']);
  expect(alarms(rig)).toEqual([]);
});

it('is one where the opening still had it, and the balance now lacks it', async () => {
  const rig = await lived([['BTC', '5', 4_000]], [trading('USDT', '1000000'), trading('BTC', '5')]);
  expect(booked(rig)).toEqual(['BTC -5', 'flow BTC -5']);
  expect(alarms(rig)).toEqual([]);
});
