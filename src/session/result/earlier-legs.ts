/**
 * Feeds a recorder with a session's earlier processes. Their curve has points only at fills.
 *
 *   start: what was saved beside the newest snapshot, and the rows after it ─▶ all sums, and the lists from there on
 *   end:   the rows before it ─▶ the lists from the first row on
 */
import { hash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { addCounters, countEnd, zeroCounters, type OrderCounters } from '../../spine/orders/order-counters.ts';
import { orderUpdate, type OwnOrder } from '../../spine/orders/own-order.ts';
import { Replay } from '../../spine/replay.ts';
import { replayOf, SNAPSHOT_VERSION, snapshotOf, textOf, type Resumable } from '../../spine/snapshot/snapshot.ts';
import { denied, type Denied, type DenyReason } from '../../model/trading/deny-reason.ts';
import { isTidewireError } from '../../model/errors.ts';
import { rateBy } from '../../model/market/conversion.ts';
import type { FillRates } from '../../model/trading/fill.ts';
import type { JournalEntry, JournalRow, RecordEntry } from '../../model/entries/journal.ts';
import type { SnapshotEntry } from '../../model/entries/snapshot-entry.ts';
import type { OrderState } from '../../model/trading/order.ts';
import type { Logger } from '../../model/ports.ts';
import { equityStartOf, START_RECORD, type EquityStart } from '../recorder/equity-start.ts';
import type { RebuiltVenue, SavedVenue } from '../paper-venue/rebuilt-venue.ts';
import type { RunRecorder, SavedRun } from '../recorder/run-recorder.ts';

/** Unix ms. `unfinished`: it died, or left something in doubt. */
export interface Leg {
  readonly from: number;
  readonly to: number;
  readonly end: 'in order' | 'unfinished' | 'running';
}

/** `incomplete`: why the result begins with this start, which needed an archive that cannot be read. */
export function earlierResult(
  journal: Resumable,
  make: () => RunRecorder,
  venue: RebuiltVenue | null,
  logger: Logger,
): { readonly recorder: RunRecorder; readonly earlier: EarlierLegs | null; readonly incomplete: string | null } {
  const recorder = make();
  try {
    return { recorder, earlier: EarlierLegs.resume(journal, recorder, venue).orNull, incomplete: null };
  } catch (thrown) {
    const incomplete = `the result begins with this start: ${archiveProblem(thrown)}`;
    logger.error({ code: 'journal_archive' }, incomplete);
    return { recorder: make(), earlier: null, incomplete };
  }
}

/** Puts the lists before those of `recorder`. Null, or why the archive gives none. */
export function completeLists(
  earlier: EarlierLegs | null,
  recorder: RunRecorder,
  before: { readonly rows: () => Iterable<JournalRow>; readonly make: () => RunRecorder },
): string | null {
  if (earlier === null || earlier.savedAt === 0) return null;
  const earlierPart = before.make();
  try {
    EarlierLegs.tell(rowsTo(before.rows(), earlier.savedAt), earlierPart);
  } catch (thrown) {
    return `the lists of orders and fills begin with row ${earlier.savedAt + 1}: ${archiveProblem(thrown)}`;
  }
  recorder.precede(earlierPart);
  return null;
}

/** Not a decision or a wanted quote, by the first key of their canonical JSON: they list nothing. */
export function isListed(body: string): boolean {
  return !body.startsWith('{"action":{') && !body.startsWith('{"asks":[');
}

function archiveProblem(thrown: unknown): string {
  if (!isTidewireError(thrown) || thrown.code !== 'journal_archive') throw thrown;
  return thrown.message;
}

function* rowsTo(rows: Iterable<JournalRow>, last: number): Generator<JournalRow> {
  for (const row of rows) {
    if (row.seq > last) return;
    yield row;
  }
}

const SAVED_RECORD = 'run-so-far';
/** Raise it when what is saved changes: older records are then ignored. */
const SAVED_VERSION = 5;

type Counted = { readonly state: OrderState; readonly accepted: boolean };

const UNCOUNTED: Counted = { state: 'pending', accepted: false };

function usuallyCounted({ progress: { state }, ackedAt }: OwnOrder): Counted {
  return { state, accepted: ackedAt !== 0 && state !== 'rejected' };
}

/** Of an order that was there and did not leave, as the process counted it. */
function denialIn(entry: JournalEntry): Denied | null {
  if (entry.kind === 'closed' && entry.state === 'denied') return denied(entry.reason as DenyReason, entry.message);
  return entry.kind === 'outcome' && entry.outcome.kind === 'denied' ? entry.outcome.denied : null;
}

interface SavedLegs {
  readonly start: EquityStart | null;
  readonly legs: readonly Leg[];
  readonly counters: ReadonlyMap<string, OrderCounters>;
  /** Those that are not as usual. */
  readonly counted: readonly (readonly [intentId: string, counted: Counted])[];
  readonly lastTs: number;
  readonly run: SavedRun;
  /** Of a paper session. */
  readonly venue: SavedVenue | null;
}

/** Undefined where none belongs to this snapshot. Throws `RangeError` when it was changed. */
function savedBeside(snapshot: SnapshotEntry, rows: Iterable<JournalRow>): SavedLegs | undefined {
  for (const { entry } of rows) {
    if (entry.kind !== 'record' || entry.name !== SAVED_RECORD) continue;
    const { version, at, state, check } = entry.data as Record<string, unknown>;
    if (at !== snapshot.at) continue;
    if (version !== SAVED_VERSION) return undefined;
    const bytes = zstdDecompressSync(Buffer.from(String(state), 'base64'));
    if (hash('sha256', bytes, 'hex') !== check) throw new RangeError(`the sums after row ${snapshot.at} were changed`);
    return deserialize(bytes) as SavedLegs;
  }
  return undefined;
}

export class EarlierLegs {
  /** Null if never valued. */
  start: EquityStart | null = null;
  readonly #legs: Leg[] = [];
  readonly #counters = new Map<string, OrderCounters>();
  /** Over all its rows. A session that opens it continues from it. */
  readonly replay: Replay;
  /** Rows may follow an order's end. */
  readonly #counted = new WeakMap<OwnOrder, Counted>();
  readonly #recorder: RunRecorder;
  /** Of a paper session. */
  readonly venue: RebuiltVenue | null;
  /** The recorder lists what comes after this row. */
  readonly savedAt: number;
  /** Flows that a process of an older version did not find in the start that it continued. */
  #unseen: ReadonlySet<string> = new Set();
  #lastTs = 0;

  /** Null for a new session. */
  static tell(rows: Iterable<JournalRow>, recorder: RunRecorder): EarlierLegs | null {
    return EarlierLegs.resume({ read: () => rows }, recorder).orNull;
  }

  /**
   * From what was saved beside the newest snapshot, or from row 1. `venue`: of a paper session, empty; it gets the same rows.
   * Throws as `textOf` does.
   */
  static resume(journal: Resumable, recorder: RunRecorder, venue: RebuiltVenue | null = null): EarlierLegs {
    const snapshot = journal.lastSnapshot?.();
    const isKnown = snapshot?.version === SNAPSHOT_VERSION;
    const saved = isKnown ? savedBeside(snapshot, journal.read(snapshot.at + 1)) : undefined;
    const replay = isKnown && saved !== undefined ? replayOf(textOf(snapshot)) : new Replay();
    const earlier = new EarlierLegs(recorder, replay, venue);
    if (saved !== undefined) earlier.#load(saved);
    for (const row of journal.read(earlier.savedAt + 1)) earlier.#row(row);
    return earlier;
  }

  private constructor(recorder: RunRecorder, replay: Replay, venue: RebuiltVenue | null) {
    this.venue = venue;
    this.#recorder = recorder;
    this.replay = replay;
    this.savedAt = replay.rows;
  }

  /** Null for a new session. */
  get orNull(): EarlierLegs | null {
    return this.#legs.length === 0 ? null : this;
  }

  /** A snapshot of the state, and what a start needs of the result beside it. */
  entries(): readonly [SnapshotEntry, RecordEntry] {
    const { orders } = this.replay.state;
    const saved: SavedLegs = {
      start: this.start,
      legs: this.#legs,
      counters: this.#counters,
      counted: [...new Set([...orders.allLive(), ...orders.remembered()])].flatMap((order) => {
        const { state, accepted } = this.#counted.get(order) ?? UNCOUNTED;
        const usual = usuallyCounted(order);
        return state === usual.state && accepted === usual.accepted ? [] : [[order.intentId, { state, accepted }]];
      }),
      lastTs: this.#lastTs,
      run: this.#recorder.saved(),
      venue: this.venue?.saved() ?? null,
    };
    const bytes = serialize(saved);
    const [version, at] = [SAVED_VERSION, this.replay.rows];
    const state = zstdCompressSync(bytes).toString('base64');
    const data = { version, at, state, check: hash('sha256', bytes, 'hex') };
    return [snapshotOf(this.replay), { kind: 'record', name: SAVED_RECORD, data }];
  }

  #load({ start, legs, counters, counted, lastTs, run, venue }: SavedLegs): void {
    if (venue !== null) this.venue?.load(venue);
    this.start = start;
    this.#legs.push(...legs);
    for (const [tag, counts] of counters) this.#counters.set(tag, counts);
    const { orders } = this.replay.state;
    const unusual = new Map(counted);
    for (const order of [...orders.allLive(), ...orders.remembered()])
      this.#counted.set(order, unusual.get(order.intentId) ?? usuallyCounted(order));
    this.#lastTs = lastTs;
    this.#recorder.load(run);
  }

  get from(): number {
    return this.#legs[0]?.from ?? 0;
  }

  get known(): readonly Leg[] {
    return this.#legs;
  }

  get lastFrom(): number {
    return this.#legs.at(-1)?.from ?? 0;
  }

  legs(from: number, to: number, end: Leg['end']): readonly Leg[] {
    return [...this.#legs, { from, to, end }];
  }

  /** `own` plus all earlier ones. */
  counters(own: Readonly<OrderCounters>, tag?: string): OrderCounters {
    const wanted = tag === undefined ? [...this.#counters.values()] : [this.#countersOf(tag)];
    return wanted.reduce<OrderCounters>(addCounters, { ...own });
  }

  #row(row: JournalRow): void {
    const { entry } = row;
    const ts = Math.max(this.#lastTs, row.ts);
    this.replay.row(row);
    this.venue?.row(row);
    if (entry.kind === 'session') this.#session(entry.event, ts);
    if (entry.kind === 'record' && entry.name === START_RECORD) {
      const unnamed = this.#recorder.equity.flowIds.filter((id) => !this.#unseen.has(id));
      this.start = equityStartOf(entry.data, unnamed) ?? this.start;
    }
    if ('intentId' in entry) this.#order(entry, ts);
    else this.#tellOf(entry, ts);
    this.#lastTs = ts;
    const last = this.#legs.at(-1);
    if (last?.end === 'unfinished') this.#legs[this.#legs.length - 1] = { ...last, to: ts };
  }

  #session(event: 'start' | 'stop', ts: number): void {
    const last = this.#legs.at(-1);
    if (event === 'stop' && last !== undefined)
      this.#legs[this.#legs.length - 1] = { ...last, to: ts, end: 'in order' };
    if (event !== 'start') return;
    const { equity } = this.#recorder;
    if (last === undefined) equity.begin(ts);
    const { start } = this;
    this.#unseen = new Set(start === null ? [] : equity.flowIds.filter((id) => !start.counted.includes(id)));
    this.#legs.push({ from: ts, to: ts, end: 'unfinished' });
  }

  #tellOf(entry: JournalEntry, ts: number): void {
    const recorder = this.#recorder;
    if (entry.kind === 'denial') {
      const { strategy, action, reason, message } = entry;
      recorder.onExecutorEvent({ kind: 'denied', ts, strategy, action, denied: denied(reason, message) });
      this.#countersOf(strategy).denied++;
    } else if (entry.kind === 'note') recorder.onExecutorEvent({ ...entry, ts });
    else if (entry.kind === 'cash-flow') {
      const { value } = entry;
      recorder.onExecutorEvent({ kind: 'cash-flow', flow: entry, value: value === null ? null : Number(value) });
    } else if (entry.kind === 'funding') {
      recorder.funded(ts, entry.currency, entry.amount);
      recorder.equity.point(ts);
    } else if (entry.kind === 'liquidation') {
      const { strategy, fill, rates } = entry;
      this.#rated(ts, rates);
      recorder.traded(fill);
      recorder.equity.point(ts);
      const told = { ...fill, ref: `liquidation-${fill.tradeId}`, tag: strategy };
      recorder.onExecutorEvent({ kind: 'fill', strategy, fill: told, mid: null, rates, arrivalMid: null });
    }
  }

  #order(entry: JournalEntry & { readonly intentId: string }, ts: number): void {
    const order = this.replay.state.orders.byIntent(entry.intentId);
    if (order === undefined) return;
    const { strategy, ref, tag } = order;
    const counters = this.#countersOf(strategy);
    if (entry.kind === 'intent' && entry.command === 'create' && entry.shrunk === true) counters.shrunk++;
    if (entry.kind === 'sending') counters.submitted++;
    const wasDenied = this.#counted.get(order)?.state === 'denied';
    this.#count(order, counters);
    const reason = wasDenied || order.progress.state !== 'denied' ? null : denialIn(entry);
    if (reason !== null)
      this.#recorder.onExecutorEvent({ kind: 'denied', ts, strategy, action: 'place', ref, denied: reason });
    this.#recorder.onExecutorEvent({ kind: 'order', strategy, order: orderUpdate(order, ts) });
    if (entry.kind !== 'fill') return;
    const { fill, mid, rates } = entry;
    const at = Math.max(this.#lastTs, fill.ts);
    this.#recorder.mark(at, fill.symbol, mid ?? Number(fill.price));
    this.#recorder.equity.price(at, fill.symbol, mid ?? Number(fill.price));
    this.#rated(at, rates);
    this.#recorder.traded(fill);
    this.#recorder.equity.point(at);
    const told = { ...fill, ref, tag };
    this.#recorder.onExecutorEvent({ kind: 'fill', strategy, fill: told, mid, rates, arrivalMid: null });
    this.#lastTs = at;
  }

  /** The prices that the rates of a fill are. */
  #rated(at: number, rates: FillRates = {}): void {
    for (const [currency, rate] of Object.entries(rates)) {
      const bridge = this.#recorder.prices.bridge(currency);
      if (bridge !== null) this.#recorder.mark(at, bridge.instrument.symbol, rateBy(bridge, rate));
    }
  }

  #count(order: OwnOrder, counters: OrderCounters): void {
    const { state } = order.progress;
    const before = this.#counted.get(order) ?? UNCOUNTED;
    const accepted = before.accepted || usuallyCounted(order).accepted;
    if (accepted && !before.accepted) counters.accepted++;
    countEnd(counters, before.state, state);
    this.#counted.set(order, { state, accepted });
  }

  #countersOf(tag: string): OrderCounters {
    let counters = this.#counters.get(tag);
    if (counters === undefined) this.#counters.set(tag, (counters = zeroCounters()));
    return counters;
  }
}
