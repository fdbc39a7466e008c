/**
 * Found by a stranger: a transfer of a strategy was carried out and answered as refused. The session believed it, its ref was free at
 * once, and the next emission moved the money a second time.
 */
import { expect, it } from 'vitest';
import { transfer } from '../../src/strategy/actions.ts';
import { p2pRig, type P2pRig } from '../treasury/rig.ts';

const LAG_MS = 30_000;

function move(rig: P2pRig, amount = '5'): void {
  const route = { from: 'unified-trading', to: 'funding', currency: 'USDT' } as const;
  rig.executor.submit('maker', transfer({ ...route, amount, ref: 'day-1' }));
  rig.clock.advance(10);
}

const denials = ({ events }: P2pRig) =>
  events.flatMap((event) => (event.kind === 'denied' ? [event.denied.reason] : []));

async function pass({ clock }: P2pRig, ms: number): Promise<void> {
  await clock.advanceAsync(ms, 500);
}

/** Refused at the next request; `happened`: what the history and the balances show of it. */
async function refused(happened: boolean): Promise<P2pRig> {
  const rig = p2pRig();
  const { venue, clock } = rig;
  const funding = (total: string) =>
    ({ account: 'funding', currency: 'USDT', available: total, locked: '0', total }) as const;
  venue.balancesNow = [...venue.balancesNow, funding('0')];
  venue.emit({ kind: 'accounts', balances: venue.balancesNow, whole: true });
  venue.denying = 'transfer';
  const at = clock.now();
  move(rig);
  venue.denying = null;
  if (!happened) return rig;
  const [trading, ...others] = venue.balancesNow;
  venue.balancesNow = [{ ...trading!, available: '999995', total: '999995' }, ...others.slice(0, -1), funding('5')];
  const terms = { type: 'transfer', status: 'completed', currency: 'USDT', amount: '5', fee: '0' } as const;
  venue.transactions = [{ transactionId: 't5', ...terms, account: 'unified-trading', createdAt: at, updatedAt: at }];
  await pass(rig, 10_000);
  return rig;
}

it('is found in the history, and moved once', async () => {
  const rig = await refused(true);
  expect(rig.executor.state.money.records()).toMatchObject([{ fate: 'accepted', receipt: { id: 't5' } }]);
  expect(rig.events).toContainEqual(
    expect.objectContaining({ code: 'money_refused', message: expect.stringContaining('was refused and happened') }),
  );
  move(rig);
  await pass(rig, 2 * LAG_MS);
  move(rig);
  expect(denials(rig)).toEqual(['duplicate_ref', 'duplicate_ref']);
  expect(rig.venue.kinds).toEqual(['transfer']);
});

it('is denied until lists that can lag no longer show nothing, in any amount and over a restart', async () => {
  const rig = await refused(false);
  move(rig);
  move(rig, '6');
  await pass(rig, 10_000);
  move(rig);
  expect(denials(rig)).toEqual(['duplicate_ref', 'duplicate_ref', 'duplicate_ref']);
  const next = p2pRig(rig);
  move(next);
  expect(denials(next)).toEqual(['duplicate_ref']);
  await pass(next, LAG_MS);
  next.venue.denying = 'transfer';
  move(next);
  expect(denials(next)).toEqual(['duplicate_ref']);
  expect(next.venue.kinds).toEqual(['transfer']);
});
