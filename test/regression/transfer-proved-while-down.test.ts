/**
 * Found by reading: a transfer of a strategy whose answer was lost, and that `reconcile` or a human proved while nothing ran,
 * was no flow for the limits of losses: the next start took the money that had left for a loss, for the day, and for the
 * highest equity for good.
 */
import { expect, it } from 'vitest';
import { denials, makeRig, trading, type Rig } from '../execution/rig.ts';
import { place } from '../execution/limit-rig.ts';

const risk = { dailyLossFraction: 0.1, drawdownFraction: 0.1 };
const REQUEST = { kind: 'transfer', from: 'unified-trading', to: 'funding', currency: 'USDT', amount: '3000' } as const;

function begin(usdt: string, before?: Rig): Rig {
  const old = before === undefined ? {} : { clock: before.clock, journal: before.journal, bootId: 'b2' };
  const rig = makeRig({ ...old, risk });
  rig.venue.balancesNow = [trading('USDT', usdt)];
  rig.venue.emit({ kind: 'balances', balances: rig.venue.balancesNow, whole: true });
  rig.executor.valueAccount();
  return rig;
}

it.each(['happened', 'absent'] as const)('that %s counts as what it was, once', (verdict) => {
  const first = begin('10000');
  const at = first.clock.now();
  first.journal.append(at, [
    { kind: 'money-intent', intentId: 'b1-m1', strategy: 'maker', request: REQUEST, before: null },
    { kind: 'money-sending', intentId: 'b1-m1' },
  ]);
  const receipt = { id: verdict === 'happened' ? 't1' : null, status: null };
  first.journal.append(at, [
    { kind: 'session', event: 'start', boot: 2, bootId: 'heal' },
    { kind: 'money-resolved', intentId: 'b1-m1', verdict, receipt, by: 'readings', evidence: 'the history shows it' },
  ]);
  const second = begin('7000', first);
  second.executor.submit('maker', { ...place, quantity: '0.001' });
  expect(denials(second)).toEqual(verdict === 'happened' ? [] : ['daily_loss']);
  const third = begin('7000', second);
  const flows = [...third.journal.read()].filter(({ entry }) => entry.kind === 'cash-flow');
  expect(flows).toHaveLength(verdict === 'happened' ? 1 : 0);
});
