/** A start that reads what was saved beside a snapshot ends with the result of one that reads every row. */
import { describe, expect, it } from 'vitest';
import { Instruments, type InstrumentSpec } from '../../src/model/market/instrument.ts';
import type { JournalEntry, JournalRow } from '../../src/model/entries/journal.ts';
import { pointsOf } from '../../src/statistics/series.ts';
import { completeLists, EarlierLegs } from '../../src/session/result/earlier-legs.ts';
import { equityStartOf } from '../../src/session/recorder/equity-start.ts';
import { RunRecorder } from '../../src/session/recorder/run-recorder.ts';
import { zeroCounters } from '../../src/spine/orders/order-counters.ts';
import { journalErrors } from '../../src/journal/errors.ts';
import { BTC } from '../execution/rig.ts';

const ETH: InstrumentSpec = { ...BTC, symbol: 'ETHUSDT', base: 'ETH' };
const make = (): RunRecorder => new RunRecorder(new Instruments([BTC, ETH]), 'USDT', { pointsMax: 400, rowsMax: 60 });

/** A seeded choice below `n`. */
function chooser(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
}

/** Two processes of an order, fill, denial, note or payment at a time, often several in a second. */
function rowsOf(seed: number, count: number): readonly JournalRow[] {
  const below = chooser(seed);
  const entries: { ts: number; entry: object }[] = [];
  let ts = 1_767_571_200_000;
  const add = (entry: object): void => void entries.push({ ts, entry });
  const report = (order: object, filled: string, status: string, intentId: string): object => ({
    ...order,
    orderId: `v${intentId}`,
    clientOrderId: intentId,
    status,
    filledQuantity: filled,
    averagePrice: filled === '0' ? null : '59000',
    createdAt: ts,
    updatedAt: ts,
  });
  const open: [string, object][] = [];
  const one = (boot: number, number: number): void => {
    ts += below(3) === 0 ? below(40_000) : below(300);
    const kind = below(9);
    if (kind <= 3 || open.length === 0) {
      const symbol = below(3) === 0 ? 'ETHUSDT' : 'BTCUSDT';
      const order = { symbol, market: 'spot', side: below(2) === 0 ? 'buy' : 'sell', type: 'limit' };
      const whole = { ...order, timeInForce: 'gtc', price: String(58_900 + below(200)), quantity: '0.01' };
      const intentId = `b${boot}_1-${number}`;
      const facts = { strategy: 'maker', ref: `maker-${number + boot * 1000}`, auto: true, tag: 'maker' };
      add({ kind: 'intent', command: 'create', intentId, ...facts, origin: 'place', order: whole });
      add({ kind: 'sending', intentId });
      if (below(6) === 0)
        add({ kind: 'outcome', intentId, outcome: { kind: 'refused', code: 'no_money', message: `of ${symbol}` } });
      else {
        add({ kind: 'outcome', intentId, outcome: { kind: 'accepted', order: report(whole, '0', 'new', intentId) } });
        open.push([intentId, whole]);
      }
    } else if (kind <= 6) {
      const [intentId, order] = open.splice(below(open.length), 1)[0]!;
      const tradeId = `t${boot}-${number}`;
      const price = String(58_950 + below(100));
      const fee = { fee: '0.5', feeCurrency: below(2) === 0 ? 'USDT' : 'ETH', liquidity: 'maker' };
      const fill = { ...order, tradeId, orderId: `v${intentId}`, price, ts, ...fee };
      const rates =
        fee.feeCurrency === 'USDT' || below(4) === 0 ? {} : { rates: below(2) === 0 ? {} : { ETH: 3000.5 } };
      const mid = below(4) === 0 ? null : Number(price) + below(9);
      add({ kind: 'fill', intentId, fill, mid, ...rates, source: 'stream' });
      add({ kind: 'order', intentId, report: report(order, '0.01', 'filled', intentId), source: 'stream' });
    } else if (kind === 7)
      add({ kind: 'denial', strategy: 'maker', action: 'place', reason: 'kill_switch', message: `no ${below(3)}` });
    else if (below(2) === 0) add({ kind: 'note', strategy: 'maker', text: `note ${number}` });
    else {
      const of = { symbol: null, positionSide: 'both', strategy: 'maker', external: '0' };
      add({
        kind: 'funding',
        id: `f${boot}-${number}`,
        currency: below(2) === 0 ? 'ETH' : 'USDT',
        amount: '-0.2',
        ...of,
      });
    }
  };
  for (const boot of [1, 2]) {
    add({ kind: 'session', event: 'start', boot, bootId: `b${boot}_1` });
    for (const spec of [BTC, ETH]) add({ kind: 'instrument', spec });
    for (let number = 0; number < count; number++) one(boot, number);
    if (boot === 1 && below(2) === 0) add({ kind: 'session', event: 'stop', boot, bootId: `b${boot}_1` });
  }
  return entries.map(({ ts: at, entry }, index) => ({ seq: index + 1, ts: at, entry: entry as JournalEntry }));
}

/** What a live process does to its recorder: prices between and in seconds, an order, a fill of it. */
function live(recorder: RunRecorder, seed: number, from: number): void {
  const below = chooser(seed);
  let ts = from;
  recorder.begin(ts, () => null);
  for (let step = 0; step < 200; step++) {
    ts += below(700);
    const symbol = below(3) === 0 ? 'ETHUSDT' : 'BTCUSDT';
    recorder.mark(ts, symbol, 58_800 + below(400));
    if (step === 20)
      recorder.hold(equityStartOf({ money: { USDT: '100000' }, contracts: {}, capital: '100000', flows: '0' }, []));
    if (step % 40 !== 7) continue;
    const order = {
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      timeInForce: 'gtc',
      quantity: '0.01',
      price: '59000',
    };
    const rest = { ref: `live-${step}`, tag: 'maker', averagePrice: null, filledQuantity: '0', state: 'open' };
    recorder.onExecutorEvent({ kind: 'order', strategy: 'maker', order: { ...order, ...rest, ts } as never });
    const fees = { fee: '0.1', feeCurrency: 'USDT', liquidity: 'maker', market: 'spot' };
    const fill = {
      ...order,
      ...fees,
      tradeId: `l${step}`,
      orderId: `l${step}`,
      ref: rest.ref,
      tag: 'maker',
      ts,
    } as never;
    recorder.traded(fill);
    recorder.equity.point(ts);
    recorder.onExecutorEvent({ kind: 'fill', strategy: 'maker', fill, mid: 59_000, arrivalMid: 58_999 });
  }
  recorder.end(ts + 1000);
}

function shown(recorder: RunRecorder, earlier: EarlierLegs): object {
  const mids = Object.entries(recorder.midSeries()).map(([symbol, series]) => [symbol, pointsOf(series)]);
  const { fills, orders, notes, funding, fillCount, lastFillTs, figures } = recorder;
  return {
    fills,
    orders,
    notes,
    funding,
    fillCount,
    lastFillTs,
    figures: figures === null ? null : Object.values(figures).map(String),
    mids,
    curve: pointsOf(recorder.equity.series()),
    denials: recorder.denials(),
    warnings: recorder.warnings(),
    tally: recorder.tally('maker'),
    counters: earlier.counters(zeroCounters()),
    legs: earlier.known,
  };
}

/** The journal of a session with a snapshot after row `at`, as another process begins. */
function withSnapshot(rows: readonly JournalRow[], at: number) {
  const entries = EarlierLegs.resume({ read: () => rows.slice(0, at) }, make()).entries();
  const rest = rows.slice(at);
  const seq = (row: JournalRow): JournalRow => ({ ...row, seq: row.seq + 2 });
  const beside = entries.map((entry, index): JournalRow => ({ seq: at + 1 + index, ts: rows[at - 1]!.ts, entry }));
  const all = [...rows.slice(0, at), ...beside, ...rest.map(seq)];
  return { all, read: (from = 1) => all.slice(from - 1), lastSnapshot: () => entries[0] };
}

describe('a result with a snapshot in its session', () => {
  it.each(Array.from({ length: 40 }, (_, index) => 8_400_000 + index))('is that of every row, seed %i', (seed) => {
    const rows = rowsOf(seed, 60);
    // The later part alone stays below the bound of the lists.
    const [least, most] = [Math.floor(rows.length / 4), rows.length];
    const at = least + chooser(seed + 1)(most - least);
    const journal = withSnapshot(rows, at);
    const end = rows.at(-1)!.ts + (seed % 3) * 500;
    const whole = make();
    const read = EarlierLegs.resume({ read: () => journal.all }, whole);
    const part = make();
    const resumed = EarlierLegs.resume(journal, part);
    expect([read.savedAt, resumed.savedAt]).toEqual([0, at]);
    expect(part.fillCount).toBe(whole.fillCount);
    for (const recorder of [whole, part]) live(recorder, seed + 2, end);
    expect(completeLists(resumed, part, { rows: () => journal.all, make })).toBeNull();
    expect(shown(part, resumed)).toEqual(shown(whole, read));
  });

  it('has the sums, and says what it lacks, where a segment of the archive is missing', () => {
    const rows = rowsOf(8_400_100, 60);
    const journal = withSnapshot(rows, 100);
    const part = make();
    const resumed = EarlierLegs.resume(journal, part);
    live(part, 1, rows.at(-1)!.ts);
    const missing = (): never => {
      throw journalErrors.make('journal_archive', 'the segment is gone', {});
    };
    const { fillCount } = part;
    expect(completeLists(resumed, part, { rows: missing, make })).toMatch(/begin with row 101: the segment is gone/);
    expect(part.fillCount).toBe(fillCount);
    expect(part.fills.length).toBeLessThan(fillCount);
  });

  it('is read from every row where nothing was saved beside the newest snapshot, or by another version', () => {
    const journal = withSnapshot(rowsOf(8_400_101, 30), 50);
    for (const change of [
      () => null,
      (row: JournalRow) => ({
        ...row,
        entry: { kind: 'record', name: 'run-so-far', data: { at: 50, version: 99 } } as never,
      }),
    ]) {
      const all = journal.all.flatMap((row) => (row.entry.kind === 'record' ? (change(row) ?? []) : row));
      expect(
        EarlierLegs.resume({ ...journal, read: (from = 1) => all.filter(({ seq }) => seq >= from) }, make()).savedAt,
      ).toBe(0);
    }
  });

  it('is refused where the sums were changed', () => {
    const journal = withSnapshot(rowsOf(8_400_102, 30), 50);
    const all = journal.all.map((row) =>
      row.entry.kind === 'record'
        ? { ...row, entry: { ...row.entry, data: { ...(row.entry.data as object), check: 'x' } } }
        : row,
    );
    expect(() => EarlierLegs.resume({ ...journal, read: (from = 1) => all.slice(from - 1) }, make())).toThrow(
      /were changed/,
    );
  });
});
