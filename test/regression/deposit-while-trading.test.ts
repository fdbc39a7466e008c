/**
 * Found by a stranger: 0.5 BTC were deposited while a maker quoted. The list of movements shows a deposit under the trading account, as it
 * does a withdrawal, and it was booked as money that had gone: the journal was 1 BTC off, and trading went on.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { AccountMovement } from '../../src/model/trading/account.ts';
import { alarms, BTC, makeRig, trading, type Rig } from '../execution/rig.ts';

function booked({ journal }: Rig): string[] {
  return [...journal.read()].flatMap(({ entry }) => {
    if (entry.kind === 'adjustment' && entry.cause !== 'opening')
      return [`${entry.name} ${entry.cause} ${entry.quantity}`];
    return entry.kind === 'cash-flow' ? [`flow ${entry.amount}`] : [];
  });
}

async function moved(type: string, account: AccountMovement['account'], total: string): Promise<Rig> {
  const rig = makeRig({ specs: [BTC] });
  createReconciler(rig.executor, { markets: ['spot'] }).start();
  await rig.clock.advanceAsync(5_000, 1000);
  rig.venue.movementsNow = [{ id: 'm1', type, account, currency: 'BTC', amount: '0.5', ts: rig.clock.now() }];
  rig.venue.balancesNow = [trading('USDT', '1000000'), trading('BTC', total)];
  await rig.clock.advanceAsync(150_000, 1000);
  return rig;
}

it.each([
  ['deposit', 'unified-trading', '10.5', ['BTC movement 0.5', 'flow 0.5']],
  ['code_redeem', 'unified-trading', '10.5', ['BTC movement 0.5', 'flow 0.5']],
  ['transfer', 'funding', '10.5', ['BTC movement 0.5', 'flow 0.5']],
  ['withdrawal', 'unified-trading', '9.5', ['BTC movement -0.5', 'flow -0.5']],
  ['code_create', 'unified-trading', '9.5', ['BTC movement -0.5', 'flow -0.5']],
  ['transfer', 'unified-trading', '9.5', ['BTC movement -0.5', 'flow -0.5']],
] as const)('a %s of %s is booked once, with its sign', async (type, account, total, rows) => {
  const rig = await moved(type, account, total);
  expect(booked(rig).toSorted()).toEqual([...rows]);
  expect(alarms(rig)).toEqual([]);
});
