/**
 * A transfer of a strategy is booked once, by itself, whatever id its row has in the history: the id of an answer need be none of
 * the history. One of others with the same terms is booked beside it.
 */
import { expect, it } from 'vitest';
import type { AccountMovement } from '../../src/model/trading/account.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { place } from '../execution/limit-rig.ts';
import { alarms, makeRig, trading, type Rig } from '../execution/rig.ts';

const reconcile = { historyLagMs: 5_000, intervalMs: 1_000, urgentIntervalMs: 1_000 };
const REQUEST = { kind: 'transfer', from: 'unified-trading', to: 'funding', currency: 'USDT', amount: '3000' } as const;

async function traded(total: string, before?: Rig, rows: readonly AccountMovement[] = []): Promise<Rig> {
  const { clock, journal, venue } = before ?? {};
  const old = clock && journal && venue ? { clock, journal, venue, bootId: 'b2' } : {};
  const rig = makeRig({ ...old, reconcile });
  rig.venue.balancesNow = [trading('USDT', total), trading('BTC', '10')];
  rig.venue.movementsNow = [...rows];
  const reconciler = createReconciler(rig.executor, { markets: ['spot'] });
  reconciler.start();
  await rig.clock.advanceAsync(1_000);
  rig.executor.submit('maker', { ...place, ref: `${total}` });
  await rig.clock.advanceAsync(12_000);
  reconciler.stop();
  return rig;
}

function flows({ journal }: Rig): readonly string[] {
  return [...journal.read()].flatMap(({ entry }) =>
    entry.kind === 'cash-flow' ? [`${entry.cause} ${entry.amount}`] : [],
  );
}

it.each([
  ['the id of the answer', 'tr-1'],
  ['another id', 'tx-1'],
])('an own transfer that the history shows under %s is booked once', async (_name, id) => {
  const first = await traded('1000000');
  const at = first.clock.now();
  first.journal.append(at, [
    { kind: 'money-intent', intentId: 'b1-m1', strategy: 'maker', request: REQUEST, before: null },
    { kind: 'money-sending', intentId: 'b1-m1' },
  ]);
  const receipt = { id: 'tr-1', status: 'completed' };
  first.journal.append(at + 100, [
    { kind: 'money-outcome', intentId: 'b1-m1', outcome: { kind: 'accepted', value: receipt } },
    { kind: 'cash-flow', id: 'b1-m1', currency: 'USDT', amount: '-3000', at, cause: 'own transfer', value: null },
  ]);
  const row = { type: 'transfer', account: 'unified-trading', currency: 'USDT', amount: '3000' } as const;
  first.clock.advance(20_000);
  const second = await traded('997000', first, [{ ...row, id, ts: at + 150 }]);
  expect([flows(second), alarms(second)]).toEqual([['own transfer -3000'], []]);
  const other = { ...row, id: 'tx-2', ts: first.clock.now() - 1_000 };
  const third = await traded('994000', second, [other, { ...row, id, ts: at + 150 }]);
  expect([flows(third), alarms(third)]).toEqual([['own transfer -3000', 'movement -3000'], []]);
});
