/**
 * Found from outside: `why` of a transfer that had moved money said that it was denied and never became an order, or knew nothing
 * of it; by ref and by intent id it shows the whole chain, and what was denied of the ref since, also in later sessions.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import type { WhyAnswer, WhyMovement } from '../../src/operations/why/why-order.ts';
import { createSession } from '../../src/session/store/store.ts';
import { documentOf, errorOf, freshFolder, run } from '../e2e/cli.ts';

const NOON = Date.parse('2026-01-05T12:00:00Z');
const REQUEST = {
  kind: 'transfer',
  from: 'unified-trading',
  to: 'funding',
  currency: 'USDT',
  amount: '100',
} as const;

const decision = (ref: string): JournalEntry => ({ kind: 'decision', strategy: 'tf', action: { ...REQUEST, ref } });
const denial = (ref: string): JournalEntry => ({
  kind: 'denial',
  strategy: 'tf',
  action: 'transfer',
  reason: 'duplicate_ref',
  message: `a transfer of tf with the ref "${ref}" happened or may have`,
  ref,
});
const intent = (intentId: string, ref: string): readonly JournalEntry[] => [
  decision(ref),
  { kind: 'money-intent', intentId, strategy: 'tf', ref, request: REQUEST, before: null },
  { kind: 'money-sending', intentId },
];

function desk() {
  const cwd = freshFolder();
  const root = join(cwd, 'data', 'sessions');
  mkdirSync(root, { recursive: true });
  const strategies = [{ name: 'tf', tag: 'tf', file: 'tf.ts', params: {} }];
  const session = (suffix: string, now: number, entries: readonly JournalEntry[], account = 'ada'): string => {
    const terms = { mode: 'live', strategies, seed: 1, account, exchange: 'venue', now, suffix } as const;
    const { path, record } = createSession(root, terms);
    const journal = openJournal(path, { durability: 'normal', now });
    journal.append(now, [{ kind: 'session', event: 'start', boot: 1, bootId: suffix }]);
    for (const [index, entry] of entries.entries()) journal.append(now + index, [entry]);
    journal.close();
    return record.id;
  };
  const why = async (name: string) => ({
    text: (await run(['why', name], { cwd })).stdout,
    found: documentOf<WhyAnswer>(await run(['why', name, '--json'], { cwd })),
  });
  return { cwd, session, why };
}

const kinds = ({ chain }: WhyMovement): readonly string[] => chain.steps.map(({ kind }) => kind);

it('why/transfer/shows-the-chain-by-ref-and-by-intent-id', async () => {
  const { cwd, session, why } = desk();
  session('s1', NOON, [
    ...intent('b1-m1', 'r1'),
    { kind: 'money-outcome', intentId: 'b1-m1', outcome: { kind: 'unknown', reason: 'no answer' } },
    {
      kind: 'money-resolved',
      intentId: 'b1-m1',
      verdict: 'happened',
      receipt: { id: '77', status: 'completed' },
      by: 'readings',
      evidence: 'the history shows it',
    },
    decision('r1'),
    denial('r1'),
    ...intent('b1-m2', 'r2'),
    { kind: 'money-outcome', intentId: 'b1-m2', outcome: { kind: 'refused', code: 'no', message: 'not now' } },
    ...intent('b1-m3', 'r2'),
    { kind: 'money-outcome', intentId: 'b1-m3', outcome: { kind: 'accepted', value: { id: '78', status: null } } },
  ]);
  const { found, text } = await why('r1');
  expect(found).toMatchObject({
    kind: 'movement',
    deniedSince: [],
    chain: { intentId: 'b1-m1', strategy: 'tf', ref: 'r1', request: REQUEST, state: 'accepted', receiptId: '77' },
  });
  expect(kinds(found as WhyMovement)).toEqual(['decision', 'intent', 'sending', 'answer', 'resolved', 'denial']);
  expect(text).toContain('r1 of tf: transfer 100 USDT from unified-trading to funding\n  accepted\n');
  expect(text).toContain('its outcome is unknown: no answer');
  expect(text).toContain('history and balances show that it happened as 77: the history shows it');
  expect(text).toContain('duplicate_ref');
  expect(text).not.toContain('never became an order');
  expect((await why('b1-m1')).found).toEqual(found);
  // A refusal frees the ref: both attempts are one story.
  const twice = (await why('tf/r2')).found as WhyMovement;
  expect(kinds(twice)).toEqual(['decision', 'intent', 'sending', 'answer', 'decision', 'intent', 'sending', 'answer']);
  expect(twice.chain).toMatchObject({ intentId: 'b1-m3', state: 'accepted' });
  const unknown = errorOf(await run(['why', 'r3', '--json'], { cwd }));
  expect(unknown).toMatchObject({ code: 'order_not_found', message: expect.stringMatching(/ r3 in the journal \(/) });
});

it('why/transfer/finds-what-moved-in-an-earlier-session-of-the-account', async () => {
  const { session, why } = desk();
  const accepted = { kind: 'accepted', value: { id: '77', status: null } } as const;
  const moved = (id: string): readonly JournalEntry[] => [
    ...intent(id, 'day-1'),
    { kind: 'money-outcome', intentId: id, outcome: accepted },
  ];
  const first = session('s1', NOON, moved('b1-m1'));
  session('s2', NOON + 60_000, moved('b2-m1'), 'bob');
  const last = session('s3', NOON + 120_000, [decision('day-1'), denial('day-1'), denial('day-0')]);
  const { found, text } = await why('day-1');
  expect(found).toMatchObject({ kind: 'movement', session: first, deniedSince: [{ session: last }] });
  expect(kinds(found as WhyMovement)).toEqual(['decision', 'intent', 'sending', 'answer']);
  expect(text).toContain(`Denied since, in ${last}`);
  // The journal of the session that moved it may be gone.
  const gone = await why('day-0');
  expect(gone.found.kind).toBe('denied');
  expect(gone.text).toContain('with the ref "day-0" happened or may have');
  expect(gone.text).not.toContain('never became an order');
});
