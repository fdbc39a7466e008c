/**
 * The process dies at every commit of a session, before or after it reached the disk; what then was on its way to the
 * exchange is lost or arrives. After a restart on the same journal nothing may be sent twice or forgotten.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { Action } from '../../src/model/trading/action.ts';
import { dec, decimalText } from '../../src/model/numbers/money.ts';
import { MortalVenue, mortal, type Death } from './mortal.ts';
import { alarms, BTC, denials, HandClock, makeRig, settle, tempDir, TestVenue, trading, type Rig } from './rig.ts';
import { stateHash } from '../../src/spine/replay.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const place = (price: string, quantity = '0.01'): Action => ({
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price,
  quantity,
});
const quote = (bid: string, ask: string): Action => ({
  kind: 'quote',
  symbol: 'BTCUSDT',
  bids: [{ price: bid, quantity: '0.01' }],
  asks: [{ price: ask, quantity: '0.01' }],
});

/** A bit of everything; the venue goes on living while the client may be dead. */
function session(rig: Rig, venue: MortalVenue): void {
  const step = (run: () => void): void => {
    if (!venue.dead) run();
  };
  step(() => rig.executor.submit('maker', place('59000')));
  if (venue.orders.has('v1')) venue.tellFill('v1', '0.004');
  step(() => rig.executor.submit('maker', quote('59990', '60010')));
  step(() => rig.executor.submit('maker', quote('59991', '60010')));
  const [bid] = venue.resting().filter(({ price }) => price === '59991');
  if (bid !== undefined) venue.tellFill(bid.orderId, '0.01', undefined, { fee: '0.00001', feeCurrency: 'BTC' });
  venue.createMode = 'ack-lost';
  step(() => rig.executor.submit('taker', place('58500')));
  venue.createMode = 'accept';
  step(() => rig.executor.submit('maker', { kind: 'cancel', ref: 'maker-1' }));
  step(() => rig.executor.submit('maker', { kind: 'target', symbol: 'BTCUSDT', quantity: '0' }));
  for (const order of venue.resting())
    if (order.type === 'market') venue.tellFill(order.orderId, order.quantity, '60000');
  step(() => rig.executor.stateStore('maker').set('counter', '7'));
}

interface Outcome {
  readonly commits: number;
  readonly problems: readonly string[];
}

async function liveAndDie(death: Death): Promise<Outcome> {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  const clock = new HandClock();
  const venue = new MortalVenue(clock);
  const store = mortal(openJournal(dir), venue, death);
  session(makeRig({ journal: store, clock, venue, specs: [BTC] }), venue);
  store.close();

  venue.dead = false;
  clock.advance(1_000);
  const journal = openJournal(dir);
  const rig = makeRig({ journal, clock, venue, bootId: 'b2', specs: [BTC] });
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  const sentBefore = venue.creates().length;
  await clock.advanceAsync(120_000, 1_000);
  await settle();
  const problems = problemsOf(rig, venue, sentBefore);
  const live = stateHash(rig.executor.state);
  reconciler.stop();
  journal.close();
  const report = verifyJournal(dir);
  if (!report.ok) problems.push(`journal: ${report.problem ?? ''}`);
  else if (report.stateHash !== live) problems.push('replay differs from the live state');
  return { commits: store.commits(), problems };
}

function problemsOf(rig: Rig, venue: MortalVenue, sentBefore: number): string[] {
  const problems: string[] = [];
  const ids = venue.creates().map(({ clientOrderId }) => clientOrderId);
  if (new Set(ids).size !== ids.length) problems.push('an intent was sent twice');
  if (venue.creates().length !== sentBefore) problems.push('the restart sent orders by itself');
  if (rig.executor.unresolvedCount() !== 0) problems.push(`${rig.executor.unresolvedCount()} orders are unresolved`);
  const known = [...rig.executor.account('maker').openOrders(), ...rig.executor.account('taker').openOrders()]
    .map(({ orderId }) => orderId ?? '')
    .sort((a, b) => a.localeCompare(b));
  const there = venue
    .resting()
    .map(({ orderId }) => orderId ?? '')
    .sort((a, b) => a.localeCompare(b));
  if (String(known) !== String(there)) problems.push(`knows ${String(known)}, there are ${String(there)}`);
  let position = dec(0);
  for (const { side, quantity, fee, feeCurrency } of venue.trades) {
    position = position.plus(dec(quantity).times(side === 'buy' ? 1 : -1));
    if (feeCurrency === 'BTC') position = position.minus(dec(fee));
  }
  const held = dec(rig.executor.account('maker').position('BTCUSDT').quantity).plus(
    dec(rig.executor.account('taker').position('BTCUSDT').quantity),
  );
  if (!held.eq(position)) problems.push(`holds ${decimalText(held)}, the trades make ${decimalText(position)}`);
  return problems;
}

describe('a crash', () => {
  it('at any commit loses and doubles nothing', async () => {
    const whole = await liveAndDie({ commit: Number.POSITIVE_INFINITY, written: true });
    expect(whole.problems).toEqual([]);
    expect(whole.commits).toBeGreaterThan(20);
    for (let commit = 2; commit <= whole.commits; commit++) {
      for (const written of [false, true]) {
        const { problems } = await liveAndDie({ commit, written });
        expect(problems, `death at commit ${commit}, ${written ? 'after' : 'before'} it was written`).toEqual([]);
      }
    }
  }, 120_000);

  it('leaves an order of unknown outcome after SENDING, and none after the intent alone', () => {
    for (const [rows, expected] of [
      [['intent'], 'denied'],
      [['intent', 'sending'], 'unknown'],
      [['intent', 'sending', 'outcome'], 'open'],
    ] as const) {
      const { dir, remove } = tempDir();
      cleanups.push(remove);
      const first = makeRig();
      first.executor.submit('maker', place('59000'));
      const wanted: ReadonlySet<string> = new Set(['session', 'instrument', ...rows]);
      const journal = openJournal(dir);
      for (const { ts, entry } of first.journal.read()) if (wanted.has(entry.kind)) journal.append(ts, [entry]);
      const second = makeRig({ journal, bootId: 'b2' });
      expect(second.executor.account('maker').orderByRef('maker-1')?.state).toBe(expected);
      journal.close();
    }
  });
});

describe('a restart', () => {
  it('brings back orders, positions, values, refs and the kill switch', () => {
    const { dir, remove } = tempDir();
    cleanups.push(remove);
    const clock = new HandClock();
    const venue = new TestVenue(clock);
    const journal = openJournal(dir);
    const first = makeRig({ journal, clock, venue });
    first.executor.submit('maker', [place('59000'), { ...place('58000'), ref: 'mine' } as Action]);
    venue.tellFill('v1', '0.004');
    first.executor.stateStore('maker').set('maker/x', '{"a":1}');
    first.executor.kill('because');
    first.executor.close();
    journal.close();

    const again = openJournal(dir);
    const second = makeRig({ journal: again, clock, venue, bootId: 'b2' });
    expect(second.executor.killed).toBe(true);
    expect(second.executor.account('maker').position('BTCUSDT').quantity).toBe('0.004');
    expect(second.executor.stateStore('maker').get('x')).toBe('{"a":1}');
    second.executor.human.clearKill('looked at it');
    second.executor.submit('maker', [{ ...place('57900'), ref: 'mine' } as Action, place('57900')]);
    expect(denials(second)).toEqual(['duplicate_ref']);
    expect(venue.creates().at(-1)?.clientOrderId).toMatch(/^tw-b2-/);
    expect(
      second.executor
        .account('maker')
        .openOrders()
        .map(({ ref }) => ref),
    ).toEqual(['maker-2']);
    again.close();
  });

  it('says whether the last end was clean, and how many orders it found', () => {
    const { dir, remove } = tempDir();
    cleanups.push(remove);
    const journal = openJournal(dir);
    const first = makeRig({ journal });
    first.executor.submit('maker', place('59000'));
    const crashed = makeRig({ journal, bootId: 'b2' });
    expect(crashed.executor.restore()).toMatchObject({ clean: false, openOrders: 1 });
    crashed.executor.close();
    expect(makeRig({ journal, bootId: 'b3' }).executor.restore()).toMatchObject({ openOrders: 1 });
    journal.close();
  });

  it('does not repeat events of before', () => {
    const { dir, remove } = tempDir();
    cleanups.push(remove);
    const journal = openJournal(dir);
    makeRig({ journal }).executor.submit('maker', place('59000'));
    const second = makeRig({ journal, bootId: 'b2' });
    expect(second.events.filter(({ kind }) => kind === 'order' || kind === 'fill')).toEqual([]);
    journal.close();
  });
});

describe('a full disk', () => {
  it('stops every new order before it is sent, says so once, and still cancels', () => {
    const { dir, remove } = tempDir();
    cleanups.push(remove);
    const journal = openJournal(dir, { maxBytes: 80 * 1024 });
    const rig = makeRig({ journal, risk: { messagesPerSecond: 1_000 } });
    rig.venue.emit({ kind: 'balances', balances: [trading('USDT', '1000000')], whole: false });
    rig.executor.submit('maker', place('59000'));
    for (let count = 0; count < 500 && alarms(rig).length === 0; count++) {
      rig.executor.submit('maker', { kind: 'note', text: 'x'.repeat(1_000) });
    }
    const sent = rig.venue.creates().length;
    rig.executor.submit('maker', place('58900'));
    rig.executor.submit('maker', place('58800'));
    expect(rig.venue.creates()).toHaveLength(sent);
    expect(denials(rig)).toEqual(['journal_failed', 'journal_failed']);
    expect(alarms(rig)).toEqual(['journal_failed']);
    rig.executor.submit('maker', { kind: 'cancelAll' });
    expect(rig.venue.resting()).toEqual([]);
    journal.close();
  });

  it('denies the very order whose SENDING row does not fit any more', () => {
    const { dir, remove } = tempDir();
    cleanups.push(remove);
    const journal = openJournal(dir);
    let full = false;
    const rig = makeRig({
      journal: {
        ...journal,
        append: (ts, entries) => {
          if (full) throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
          return journal.append(ts, entries);
        },
      },
    });
    full = true;
    rig.executor.submit('maker', place('59000'));
    expect(rig.venue.creates()).toEqual([]);
    expect(rig.executor.account('maker').orderByRef('maker-1')).toMatchObject({
      state: 'denied',
      reason: 'journal_failed',
    });
    full = false;
    rig.executor.submit('maker', place('58900'));
    expect(rig.venue.creates()).toEqual([]);
    expect([...journal.read()].some(({ entry }) => entry.kind === 'sending')).toBe(false);
    journal.close();
  });
});
