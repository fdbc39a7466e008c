/** What a journal shows of a symbol at one moment. Pure. */
import { Replay } from '../../spine/replay.ts';
import { isClosed } from '../../spine/orders/order-machine.ts';
import { orderUpdate } from '../../spine/orders/own-order.ts';
import type { Trial } from '../../spine/trials.ts';
import type { DenyReason, RiskFigure } from '../../model/trading/deny-reason.ts';
import type { GateEntry, JournalRow } from '../../model/entries/journal.ts';
import type { Mutable } from '../../model/mutable.ts';
import type { OrderUpdate } from '../../model/trading/order.ts';
import { entryText } from './entry-text.ts';

export interface Happened {
  readonly seq: number;
  /** Unix ms. */
  readonly ts: number;
  readonly text: string;
}

export interface DeniedThen extends Happened {
  readonly reason: DenyReason;
  readonly risk?: readonly RiskFigure[];
}

export interface ClosedGate {
  readonly gate: string;
  /** Empty: all symbols. */
  readonly symbol: string;
  readonly reason: DenyReason;
  readonly message: string;
  /** Unix ms at which the journal saw it closed. */
  readonly since: number;
  /** Null: never seen reopened. */
  readonly until: number | null;
}

export interface Moment {
  readonly symbol: string;
  readonly atMs: number;
  readonly windowMs: number;
  /** Between a start and the stop or last row of a process. */
  readonly running: boolean;
  /** What had ended or not begun. */
  readonly notRunning: string | null;
  /** Unix ms of the newest row if none is after the moment; else null. */
  readonly journalEnds: number | null;
  /** The journal had traded the symbol or known its grid. */
  readonly known: boolean;
  readonly killed: string | null;
  /** Strategies that were paused then → reason. */
  readonly pauses: Readonly<Record<string, string>>;
  /** Strategies on trial then. */
  readonly trials: readonly Trial[];
  readonly gates: readonly ClosedGate[];
  readonly denials: readonly DeniedThen[];
  /** Decisions and changed quotes in the window. */
  readonly decisions: readonly Happened[];
  readonly lastDecision: Happened | null;
  /** Intents and SENDING rows in the window. */
  readonly sent: readonly Happened[];
  /** Own orders in the symbol: working, in flight or of unknown outcome. */
  readonly standing: readonly OrderUpdate[];
  readonly alarms: readonly Happened[];
}

export function momentOf(rows: Iterable<JournalRow>, symbol: string, atMs: number, windowMs: number): Moment {
  const reader = new MomentReader(symbol, atMs, windowMs);
  for (const row of rows) reader.row(row);
  return reader.moment();
}

class MomentReader {
  readonly #symbol: string;
  readonly #atMs: number;
  readonly #windowMs: number;
  readonly #replay = new Replay();
  readonly #gates = new Map<string, Mutable<ClosedGate>>();
  readonly #closedThen = new Map<string, Mutable<ClosedGate>>();
  readonly #denials: DeniedThen[] = [];
  readonly #decisions: Happened[] = [];
  readonly #sent: Happened[] = [];
  readonly #alarms: Happened[] = [];
  readonly #intents = new Set<string>();
  #lastDecision: Happened | null = null;
  #started: number | null = null;
  #stopped: number | null = null;
  #standing: readonly OrderUpdate[] = [];
  #killed: string | null = null;
  #pauses: Readonly<Record<string, string>> = {};
  #trials: readonly Trial[] = [];
  #known = false;
  #passed = false;
  /** Last row's time of the process then running. */
  #lastTs = 0;
  #diedAfter = false;

  constructor(symbol: string, atMs: number, windowMs: number) {
    this.#symbol = symbol;
    this.#atMs = atMs;
    this.#windowMs = windowMs;
  }

  row(row: JournalRow): void {
    if (!this.#passed && row.ts > this.#atMs) this.#stand();
    if (!this.#passed) this.#before(row);
    else this.#after(row);
    if (Math.abs(row.ts - this.#atMs) <= this.#windowMs) this.#near(row);
  }

  moment(): Moment {
    const journalEnds = this.#passed ? null : this.#lastTs;
    if (!this.#passed) this.#stand();
    return {
      symbol: this.#symbol,
      atMs: this.#atMs,
      windowMs: this.#windowMs,
      running: this.#notRunning() === null,
      notRunning: this.#notRunning(),
      journalEnds,
      known: this.#known,
      killed: this.#killed,
      pauses: this.#pauses,
      trials: this.#trials,
      gates: [...this.#closedThen.values()],
      denials: this.#denials,
      decisions: this.#decisions,
      lastDecision: this.#lastDecision,
      sent: this.#sent,
      standing: this.#standing,
      alarms: this.#alarms,
    };
  }

  #before(row: JournalRow): void {
    const { entry, ts } = row;
    this.#replay.row(row);
    this.#lastTs = ts;
    if (entry.kind === 'session') {
      // Gates of the previous process are void.
      this.#gates.clear();
      if (entry.event === 'start') [this.#started, this.#stopped] = [ts, null];
      else this.#stopped = ts;
    }
    if (entry.kind === 'gate') noteGate(this.#gates, entry, ts);
    if (entry.kind === 'instrument' && entry.spec.symbol === this.#symbol) this.#known = true;
    if (this.#isDecision(row)) this.#lastDecision = happened(row);
  }

  #stand(): void {
    this.#passed = true;
    const { state } = this.#replay;
    this.#standing = state.orders
      .live(this.#symbol)
      .filter(({ progress }) => !isClosed(progress))
      .map((order) => orderUpdate(order, this.#atMs));
    this.#killed = state.killReason ?? null;
    this.#pauses = Object.fromEntries(state.pauses);
    this.#trials = state.trials.open();
    for (const [key, gate] of this.#gates)
      if (gate.symbol === '' || gate.symbol === this.#symbol) this.#closedThen.set(key, gate);
  }

  #after({ entry, ts }: JournalRow): void {
    if (entry.kind === 'session' && entry.event === 'start') this.#diedAfter ||= this.#lastTs <= this.#atMs;
    // Only later rows show that the process ran then.
    if (entry.kind !== 'session' || entry.event === 'stop')
      this.#lastTs = Math.max(this.#lastTs, this.#diedAfter ? 0 : ts);
    if (entry.kind !== 'gate' || entry.state !== 'open') return;
    const gate = this.#closedThen.get(`${entry.gate} ${entry.symbol}`);
    if (gate !== undefined) gate.until ??= ts;
  }

  #near(row: JournalRow): void {
    const { entry } = row;
    if (entry.kind === 'denial' && (entry.symbol === undefined || entry.symbol === this.#symbol))
      this.#denials.push({
        ...happened(row),
        reason: entry.reason,
        ...(entry.risk === undefined ? {} : { risk: entry.risk }),
      });
    if (entry.kind === 'alarm') this.#alarms.push(happened(row));
    if (this.#isDecision(row)) this.#decisions.push(happened(row));
    if (entry.kind === 'intent' && entry.command === 'create' && entry.order.symbol === this.#symbol) {
      this.#intents.add(entry.intentId);
      this.#sent.push(happened(row));
    }
    if (entry.kind === 'sending' && this.#intents.has(entry.intentId)) this.#sent.push(happened(row));
    if (entry.kind === 'outcome' && entry.outcome.kind === 'denied' && this.#intents.has(entry.intentId))
      this.#denials.push({ ...happened(row), reason: entry.outcome.denied.reason });
    if (entry.kind === 'closed' && entry.state === 'denied' && this.#intents.has(entry.intentId))
      this.#denials.push({ ...happened(row), reason: entry.reason as DenyReason });
  }

  #isDecision({ entry }: JournalRow): boolean {
    if (entry.kind === 'quote-set') return entry.symbol === this.#symbol;
    if (entry.kind !== 'decision') return false;
    const action = entry.action;
    if (action === null || typeof action !== 'object' || Array.isArray(action)) return false;
    const symbol: unknown = Reflect.get(action, 'symbol');
    return symbol === undefined || symbol === this.#symbol;
  }

  #notRunning(): string | null {
    if (this.#started === null) return 'no process had started on this journal yet';
    if (this.#stopped !== null) return `the process had stopped in good order at ${iso(this.#stopped)}`;
    if (this.#diedAfter)
      return `the process had died: its last row is of ${iso(this.#lastTs)}, and another start followed later`;
    return null;
  }
}

function noteGate(gates: Map<string, Mutable<ClosedGate>>, entry: GateEntry, ts: number): void {
  const { gate, symbol, reason, message } = entry;
  const key = `${gate} ${symbol}`;
  if (entry.state === 'open' || reason === null) gates.delete(key);
  else gates.set(key, { gate, symbol, reason, message, since: ts, until: null });
}

function happened({ seq, ts, entry }: JournalRow): Happened {
  return { seq, ts, text: entryText(entry) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
