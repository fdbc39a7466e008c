/**
 * Found by the simulator: a repayment of the overdraft whose answer was lost, and that the history showed, was taken for a movement
 * that is booked by itself, as a transfer is. Its debit was booked nowhere: the money that had left counted as a loss.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { replayRows } from '../../src/spine/replay.ts';
import { makeRig, trading, type Rig } from '../execution/rig.ts';

const REQUEST = { kind: 'overdraftPay', amount: '243' } as const;
const SHOWN = { verdict: 'happened', receipt: { id: 't1', status: null }, by: 'readings', evidence: null } as const;

async function begin(usdt: string, before?: Rig): Promise<Rig> {
  const rig = makeRig(before === undefined ? {} : { clock: before.clock, journal: before.journal, bootId: 'b2' });
  rig.venue.balancesNow = [trading('USDT', usdt)];
  const ts = rig.clock.now();
  const row = { type: 'overdraft_repayment', account: 'unified-trading', currency: 'USDT', amount: '243', ts } as const;
  if (before !== undefined) rig.venue.movementsNow = [{ id: 't1', ...row }];
  createReconciler(rig.executor).start();
  await rig.clock.advanceAsync(180_000, 1000);
  return rig;
}

it('is booked once, as a movement of the trading account', async () => {
  const first = await begin('10000');
  first.journal.append(first.clock.now(), [
    { kind: 'money-intent', intentId: 'b1-m1', strategy: '', request: REQUEST, before: null },
    { kind: 'money-sending', intentId: 'b1-m1' },
    { kind: 'money-outcome', intentId: 'b1-m1', outcome: { kind: 'unknown', reason: 'timeout' } },
    { kind: 'money-resolved', intentId: 'b1-m1', ...SHOWN },
  ]);
  const second = await begin('9757', first);
  const rows = [...second.journal.read()];
  const flows = rows.flatMap(({ entry }) => (entry.kind === 'cash-flow' ? [entry] : []));
  expect(flows).toMatchObject([{ currency: 'USDT', amount: '-243', cause: 'movement' }]);
  expect(replayRows(rows).state.explainedBalance('USDT').toFixed()).toBe('9757');
});
