/** A code confirms what its answer said, for whoever asked, once. */
import { expect, it } from 'vitest';
import { createReconciler } from '../../../src/reconciler/reconciler.ts';
import { Stops } from '../../../src/session/remote/stops.ts';
import { held, liquidates, trades } from '../../execution/perpetual-rig.ts';
import { PERP, settle } from '../../execution/rig.ts';
import { remoteRig, wordOf } from './remote-rig.ts';

const CHANGED = 'remote_not_confirmed: what it confirms has changed since; ask again';
const WRONG = 'remote_not_confirmed: the code is another one';
const LIMIT = { command: 'limits/override', limit: 'risk.maxOrderValue' } as const;

it('two-steps/a-code-lifts-the-kill-that-it-was-given-for', async () => {
  const { executor, order, code } = remoteRig();
  executor.kill('first');
  const first = await code({});
  expect(wordOf(await order({ code: first }))).toBe('done');
  expect(executor.killed).toBe(false);
});

it.each([
  ['another reason', 'REAL EMERGENCY'],
  ['the same reason', 'first'],
])('two-steps/a-code-does-not-lift-a-later-kill: %s', async (_, again) => {
  const { executor, order, code } = remoteRig();
  executor.kill('first');
  const first = await code({});
  executor.human.clearKill('all is well');
  executor.kill(again);
  expect(wordOf(await order({ code: first }))).toBe(CHANGED);
  expect(executor.state.killReason).toBe(again);
  expect(wordOf(await order({ code: await code({}) }))).toBe('done');
});

it('two-steps/a-kill-that-is-pressed-while-it-is-on-ends-the-codes-of-before', async () => {
  const { executor, order, code } = remoteRig();
  executor.kill('first');
  const first = await code({});
  expect(wordOf(await order({ command: 'kill', reason: 'REAL EMERGENCY' }))).toBe('done');
  expect(wordOf(await order({ code: first }))).toBe(CHANGED);
  expect(executor.killed).toBe(true);
});

it('two-steps/a-code-does-not-lift-a-later-halt', async () => {
  const { executor, venue, order, code } = remoteRig();
  const overfill = (ref: string): void => {
    const terms = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '59990' } as const;
    executor.submit('maker', { ...terms, quantity: '0.01', ref });
    const [resting] = venue.resting();
    venue.tellFill(resting!.orderId, '0.01');
    venue.tellFill(resting!.orderId, '0.005');
  };
  overfill('one');
  const first = await code({ symbol: 'BTCUSDT' });
  executor.human.resume('BTCUSDT', 'all is well');
  overfill('two');
  expect(wordOf(await order({ symbol: 'BTCUSDT', code: first }))).toBe(CHANGED);
  expect(executor.state.halts.has('BTCUSDT')).toBe(true);
  expect(wordOf(await order({ symbol: 'BTCUSDT', code: await code({ symbol: 'BTCUSDT' }) }))).toBe('done');
});

it.each(['halt', 'latch', 'pause'] as const)('two-steps/a-%s-of-the-same-words-is-another-one', (kind) => {
  const stops = new Stops({ killPresses: 0 });
  const of = kind === 'halt' ? { kind, symbol: 'it' } : { kind, strategy: 'it' };
  const row = (on: boolean, lastSeq: number): void =>
    stops.committed({ lastSeq, ts: 0, startedUs: 0, endedUs: 0, entries: [{ ...of, on, reason: 'the same' }] });
  row(true, 7);
  const first = stops.markOf(['it']);
  row(false, 8);
  expect(stops.markOf(['it'])).toBe(first);
  row(true, 9);
  expect(stops.markOf(['it'])).not.toBe(first);
  expect(stops.markOf(['another'])).toBe(stops.markOf(['another']));
});

it('two-steps/a-code-loosens-a-limit-from-the-value-that-it-was-given-for', async () => {
  const { executor, order, code } = remoteRig({ risk: { maxOrderValue: '1000' } });
  const first = await code({ ...LIMIT, value: '5000' });
  expect(wordOf(await order({ ...LIMIT, value: '0' }))).toBe('done');
  expect(wordOf(await order({ ...LIMIT, value: '5000', code: first }))).toBe(CHANGED);
  const now = executor.human.checkOverride({ id: 'x', limit: LIMIT.limit, value: null, until: 0, reason: '' });
  expect(now.from).toBe('0');
});

it('two-steps/operators-who-ask-for-the-same-keep-their-codes', async () => {
  const { executor, order, code } = remoteRig();
  executor.kill('first');
  const [bob, alice] = [{ who: 'api 10.0.0.1' }, { who: 'api 10.0.0.2' }];
  const ofBob = await code(bob);
  const ofAlice = await code(alice);
  expect(ofBob).not.toBe(ofAlice);
  const wrong = [ofBob, ofAlice].includes('000000') ? '111111' : '000000';
  // It ends the code of who sent it.
  expect(wordOf(await order({ ...alice, code: wrong }))).toBe(WRONG);
  const none = 'remote_not_confirmed: no such command waits for a code; send it without one first';
  expect(wordOf(await order({ ...alice, code: ofAlice }))).toBe(none);
  // Nobody guesses on: a code is for who asked.
  expect(wordOf(await order({ ...alice, code: ofBob }))).toBe(none);
  // Nobody pushes out the codes of others.
  for (let each = 0; each < 100; each++) await code(alice);
  expect(wordOf(await order({ ...bob, code: ofBob }))).toBe('done');
});

it('two-steps/one-asker-with-two-keys-keeps-both-codes', async () => {
  const { executor, order, code } = remoteRig();
  executor.kill('first');
  const one = await code({ key: 'one' });
  const two = await code({ key: 'two' });
  const wrong = [one, two].includes('000000') ? '111111' : '000000';
  expect(wordOf(await order({ key: 'two', code: wrong }))).toBe(WRONG);
  expect(wordOf(await order({ key: 'one', code: one }))).toBe('done');
});

it('two-steps/a-code-is-over-after-a-minute', async () => {
  const { clock, executor, order, code } = remoteRig();
  executor.kill('first');
  const first = await code({});
  clock.advance(60_001);
  expect(wordOf(await order({ code: first }))).toContain('within a minute');
});

it('two-steps/a-tighter-limit-that-would-end-earlier-loosens-it', async () => {
  const { order, code, clock } = remoteRig({ risk: { maxOrderValue: '1000' } });
  const zero = { ...LIMIT, value: '0' };
  expect(wordOf(await order({ ...zero, forMs: 3_600_000 }))).toBe('done');
  const asked = await order({ ...zero, forMs: 1_000 });
  const until = new Date(clock.now() + 3_600_000).toISOString();
  expect(asked).toMatchObject({
    kind: 'confirm',
    what: `set risk.maxOrderValue to 0 for 1 s, then 1000, instead of 0 (until ${until})`,
  });
  expect(wordOf(await order({ ...zero, forMs: 3_600_000 }))).toBe('done');
  expect(await code({ ...LIMIT, value: null })).toHaveLength(6);
  // A looser one that would last longer, too.
  clock.advance(3_600_000);
  const loose = { ...LIMIT, value: '5000', forMs: 60_000 };
  expect(wordOf(await order({ ...loose, code: await code(loose) }))).toBe('done');
  expect((await order({ ...loose, forMs: 61_000 })).kind).toBe('confirm');
  expect(wordOf(await order({ ...loose, forMs: 59_000 }))).toBe('done');
  expect(wordOf(await order({ ...LIMIT, value: '900', forMs: 3_600_000 }))).toBe('done');
});

it('two-steps/resume-takes-a-strategy-or-a-symbol', async () => {
  const { executor, order } = remoteRig();
  executor.human.pause('maker', true, 'news');
  const both = await order({ strategy: 'maker', symbol: 'BTCUSDT' });
  expect(both).toMatchObject({ code: 'remote_field', field: 'strategy' });
});

it('two-steps/a-code-is-given-only-for-a-decision-that-is-open', async () => {
  const rig = remoteRig({ specs: [PERP] });
  const { executor, venue, clock, order, code } = rig;
  createReconciler(executor).start();
  await settle();
  await clock.advanceAsync(61_000, 1000);
  trades(rig, 'maker', 'buy', '0.1');
  trades(rig, 'taker', 'buy', '0.05');
  venue.positionsNow = [held('0.15')];
  await clock.advanceAsync(61_000, 1000);
  liquidates(rig, 'sell', '0.15');
  venue.positionsNow = [];
  await clock.advanceAsync(61_000, 1000);
  const plan = { command: 'plan/apply', decision: `liquidation/${PERP.symbol}/l1=pro-rata` } as const;
  const codeOf = async (decision: string): Promise<string> =>
    wordOf(await order({ ...plan, decision })).replace(/:.*/, '');
  expect(await codeOf('liquidation/x/1=none')).toBe('decision_not_open');
  expect(await codeOf(plan.decision.replace('pro-rata', 'half'))).toBe('decision_choice');
  const first = await code(plan);
  expect(executor.state.undivided.all).toHaveLength(1);
  expect(wordOf(await order({ ...plan, code: first }))).toBe('done');
  expect(['maker', 'taker'].map((tag) => executor.account(tag).position(PERP.symbol).quantity)).toEqual(['0', '0']);
  expect(await codeOf(plan.decision)).toBe('decision_not_open');
});
