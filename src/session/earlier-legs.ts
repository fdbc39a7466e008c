/** Feeds a recorder with a session's earlier processes. Their curve has points only at fills. */
import { addCounters, countEnd, zeroCounters, type OrderCounters } from '../spine/orders/order-counters.ts';
import { orderUpdate, type OwnOrder } from '../spine/orders/own-order.ts';
import { Replay } from '../spine/replay.ts';
import { denied } from '../model/deny-reason.ts';
import { isTidewireError } from '../model/errors.ts';
import type { JournalEntry, JournalRow, JournalStore } from '../model/journal.ts';
import type { OrderState } from '../model/order.ts';
import type { Logger } from '../model/ports.ts';
import { equityStartOf, START_RECORD, type EquityStart } from './equity-start.ts';
import type { RunRecorder } from './run-recorder.ts';

/** Unix ms. `unfinished`: it died, or left something in doubt. */
export interface Leg {
  readonly from: number;
  readonly to: number;
  readonly end: 'in order' | 'unfinished' | 'running';
}

/** If the archive is unreadable the result begins with this start. */
export function earlierResult(
  journal: JournalStore,
  make: () => RunRecorder,
  logger: Logger,
): { readonly recorder: RunRecorder; readonly earlier: EarlierLegs | null } {
  const recorder = make();
  try {
    return { recorder, earlier: EarlierLegs.tell(journal.read(), recorder) };
  } catch (thrown) {
    if (!isTidewireError(thrown) || thrown.code !== 'journal_archive') throw thrown;
    logger.error({ code: thrown.code }, `${thrown.message}; the result of the session begins with this start`);
    return { recorder: make(), earlier: null };
  }
}

export class EarlierLegs {
  /** Null if never valued. */
  start: EquityStart | null = null;
  readonly #legs: Leg[] = [];
  readonly #counters = new Map<string, OrderCounters>();
  readonly #replay = new Replay();
  /** Rows may follow an order's end. */
  readonly #counted = new WeakMap<OwnOrder, { readonly state: OrderState; readonly accepted: boolean }>();
  readonly #recorder: RunRecorder;
  #lastTs = 0;

  /** Null for a new session. */
  static tell(rows: Iterable<JournalRow>, recorder: RunRecorder): EarlierLegs | null {
    const earlier = new EarlierLegs(recorder);
    for (const row of rows) earlier.#row(row);
    return earlier.#legs.length === 0 ? null : earlier;
  }

  private constructor(recorder: RunRecorder) {
    this.#recorder = recorder;
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
    this.#replay.row(row);
    if (entry.kind === 'session') this.#session(entry.event, ts);
    if (entry.kind === 'record' && entry.name === START_RECORD) this.start = equityStartOf(entry.data) ?? this.start;
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
    if (last === undefined) this.#recorder.equity.begin(ts);
    this.#legs.push({ from: ts, to: ts, end: 'unfinished' });
  }

  #tellOf(entry: JournalEntry, ts: number): void {
    const recorder = this.#recorder;
    if (entry.kind === 'denial') {
      const { strategy, action, reason, message } = entry;
      recorder.onExecutorEvent({ kind: 'denied', ts, strategy, action, denied: denied(reason, message) });
      this.#countersOf(strategy).denied++;
    } else if (entry.kind === 'note') recorder.onExecutorEvent({ ...entry, ts });
    else if (entry.kind === 'funding') {
      recorder.funded(ts, entry.currency, entry.amount);
      recorder.equity.point(ts);
    } else if (entry.kind === 'liquidation') {
      recorder.traded(entry.fill);
      recorder.equity.point(ts);
    }
  }

  #order(entry: JournalEntry & { readonly intentId: string }, ts: number): void {
    const order = this.#replay.state.orders.byIntent(entry.intentId);
    if (order === undefined) return;
    const { strategy, ref, tag } = order;
    const counters = this.#countersOf(strategy);
    if (entry.kind === 'intent' && entry.command === 'create' && entry.shrunk === true) counters.shrunk++;
    if (entry.kind === 'sending') counters.submitted++;
    this.#count(order, counters);
    this.#recorder.onExecutorEvent({ kind: 'order', strategy, order: orderUpdate(order, ts) });
    if (entry.kind !== 'fill') return;
    const { fill, mid } = entry;
    const at = Math.max(this.#lastTs, fill.ts);
    this.#recorder.mark(at, fill.symbol, mid ?? Number(fill.price));
    this.#recorder.equity.price(at, fill.symbol, mid ?? Number(fill.price));
    this.#recorder.traded(fill);
    this.#recorder.equity.point(at);
    this.#recorder.onExecutorEvent({ kind: 'fill', strategy, fill: { ...fill, ref, tag }, mid, arrivalMid: null });
    this.#lastTs = at;
  }

  #count(order: OwnOrder, counters: OrderCounters): void {
    const { state } = order.progress;
    const before = this.#counted.get(order) ?? { state: 'pending', accepted: false };
    const accepted = before.accepted || (order.ackedAt !== 0 && state !== 'rejected');
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
