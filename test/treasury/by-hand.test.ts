/** What a human orders to move while a session runs: judged before it is sent, once a ref, and taken back in any state. */
import { expect, it } from 'vitest';
import type { MoneyRequest } from '../../src/model/funds/money-commands.ts';
import { offer, p2pRig, type P2pRig } from './rig.ts';

function order({ executor, clock }: P2pRig, request: MoneyRequest, ref: string): string | null {
  const asked = executor.moneyByHand.denialOf({ request, ref });
  const said = executor.moneyByHand.send({ request, ref });
  // What is asked first is what the order is told.
  expect(asked).toEqual(said);
  clock.advance(10);
  return said === null ? null : said.reason;
}

function offered(): { readonly rig: P2pRig; readonly hide: MoneyRequest; readonly drop: MoneyRequest } {
  const rig = p2pRig();
  offer(rig);
  rig.clock.advance(50);
  const { advertisementId } = rig.venue.rows.all()[0]!;
  rig.venue.requests.length = 0;
  const hide = { kind: 'deactivateAdvertisement', advertisementId } as const;
  return { rig, hide, drop: { kind: 'deleteAdvertisement', advertisementId } };
}

it('by-hand/intent-without-a-strategy-and-its-end-in-the-journal', () => {
  const { rig, hide } = offered();
  expect(order(rig, hide, 'a')).toBeNull();
  expect(rig.venue.statuses).toEqual(['deactivated']);
  const rows = [...rig.journal.read(1)].map(({ entry }) => entry).filter(({ kind }) => kind.startsWith('money-'));
  expect(rows.slice(-3)).toMatchObject([
    { kind: 'money-intent', strategy: '', ref: 'a', request: hide },
    { kind: 'money-sending' },
    { kind: 'money-outcome', outcome: { kind: 'accepted' } },
  ]);
});

it('by-hand/what-takes-back-goes-after-a-kill-and-nothing-else', () => {
  const { rig, drop } = offered();
  rig.executor.kill('a test');
  rig.clock.advance(50);
  rig.venue.requests.length = 0;
  expect(order(rig, { kind: 'overdraftPay', amount: '5' }, 'a')).toBe('killed');
  expect(order(rig, { kind: 'startTrade', tradeId: 'x' }, 'b')).toBe('killed');
  expect(rig.venue.kinds).toEqual([]);
  expect(order(rig, drop, 'c')).toBeNull();
  expect(rig.venue.kinds).toEqual(['deleteAdvertisement']);
});

it('by-hand/no-amount-that-is-none', () => {
  const { rig } = offered();
  for (const [amount, reason] of [
    ['0', 'not_positive'],
    ['0.000', 'not_positive'],
    ['many', 'not_finite'],
  ] as const)
    expect([amount, order(rig, { kind: 'overdraftPay', amount }, amount)]).toEqual([amount, reason]);
  expect(rig.venue.kinds).toEqual([]);
});

it('by-hand/a-ref-moves-once-also-in-the-next-process-and-again-where-it-did-not', () => {
  const { rig, hide, drop } = offered();
  rig.venue.losing = 'deactivateAdvertisement';
  expect(order(rig, hide, 'a')).toBeNull();
  const alarms = rig.events.filter((event) => event.kind === 'alarm').map(({ message }) => message);
  expect(alarms.join()).toContain('by hand: deactivateAdvertisement');
  // Its end is not known: not under its own name.
  expect(order(rig, hide, 'a')).toBe('duplicate_ref');
  const next = p2pRig(rig);
  expect(order(next, hide, 'a')).toBe('duplicate_ref');
  // What surely did not leave may be ordered again.
  next.venue.refusing = true;
  expect(order(next, drop, 'c')).toBeNull();
  next.venue.refusing = false;
  expect(order(next, drop, 'c')).toBeNull();
  expect(next.venue.kinds).toEqual(['deleteAdvertisement']);
  expect(order(next, drop, 'c')).toBe('duplicate_ref');
});

it('by-hand/a-lost-cancellation-may-be-ordered-again-at-once-and-nothing-else', () => {
  const { rig, hide } = offered();
  rig.venue.losing = 'deactivateAdvertisement';
  expect(order(rig, hide, 'a')).toBeNull();
  expect(order(rig, hide, 'b')).toBeNull();
  expect(order(p2pRig(rig), hide, 'c')).toBeNull();
  const pay = { kind: 'overdraftPay', amount: '5' } as const;
  rig.venue.losing = 'overdraftPay';
  expect(order(rig, pay, 'd')).toBeNull();
  expect(order(rig, pay, 'e')).toBe('unresolved_money');
  // One that is under way is not doubled.
  rig.venue.mode = 'hold';
  const { advertisementId } = hide as { readonly advertisementId: string };
  const drop = { kind: 'deleteAdvertisement', advertisementId } as const;
  expect(order(rig, drop, 'f')).toBeNull();
  expect(order(rig, drop, 'g')).toBe('unresolved_money');
});

it('by-hand/what-a-death-kept-from-leaving-is-told-once-and-may-be-ordered-again', () => {
  const { rig, hide } = offered();
  expect(rig.executor.moneyByHand.send({ request: hide, ref: 'a' })).toBeNull();
  const outcomes = () =>
    [...rig.journal.read(1)].filter(({ entry }) => entry.kind === 'money-outcome' && entry.outcome.kind === 'not-sent');
  const alarmsOf = ({ events }: P2pRig) =>
    events.flatMap((event) => (event.kind === 'alarm' && event.code === 'money_not_sent' ? [event.message] : []));
  const next = p2pRig(rig);
  expect(alarmsOf(next)).toEqual([
    expect.stringMatching(/^deactivateAdvertisement \S+ was not sent: the process ended/),
  ]);
  expect(outcomes()).toHaveLength(1);
  const third = p2pRig(next);
  expect(alarmsOf(third)).toEqual([]);
  expect(outcomes()).toHaveLength(1);
  expect(order(third, hide, 'a')).toBeNull();
});

it('by-hand/a-transfer-that-would-be-doubled-is-denied-before-it-is-ordered', () => {
  const rig = p2pRig();
  rig.venue.mode = 'hold';
  const transfer = {
    kind: 'transfer',
    from: 'unified-trading',
    to: 'funding',
    currency: 'USDT',
    amount: '10',
  } as const;
  const { moneyByHand } = rig.executor;
  expect(moneyByHand.transferDenialOf('maker', { ...transfer, ref: 'a' })).toBeNull();
  rig.executor.submit('maker', { ...transfer, ref: 'a' });
  rig.clock.advance(10);
  expect(rig.venue.kinds).toEqual(['transfer']);
  expect(moneyByHand.transferDenialOf('maker', { ...transfer, ref: 'b' })?.reason).toBe('unresolved_money');
  expect(moneyByHand.transferDenialOf('maker', { ...transfer, amount: '10.5', ref: 'b' })).toBeNull();
});
