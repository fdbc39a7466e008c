/**
 * Laws of orders that are read from the journal's rows and what rests at the exchange (reliability §3.1, §3.2):
 *
 *   F6  what could not be read is not taken for nothing: no order is called over that rests
 *   K2  a kill begins to cancel every order that the process knows of
 *   K3  no new risk after a kill, whatever is written down, until a human clears it
 *   L4  what was to be cancelled does not rest for ever
 *   Q1  quotes do not pile up
 *   R2  messages of a second, and the size of an order, are limited
 *   W1  an order that was withdrawn while it waited does not leave
 */
import type { Action } from '../../../src/model/trading/action.ts';
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import type { OrderReport } from '../../../src/model/trading/order.ts';

/**
 * `messagesPerSecond` of the world, and as many of the same second that were held until own orders in its way were gone: those are
 * judged and counted in the second in which they are let go (seed 31509).
 */
const ORDERS_PER_SECOND_MAX = 20;
const QUEUED_MS_MAX = 30_000;
const QUANTITY_MAX = 100;
/** One a side, and what may stand beside it for a moment. */
const QUOTES_MAX = 8;
/** So often, over so long, the process has seen that an order rests which it was to cancel. */
const OVERDUE_SIGHTINGS = 4;
const OVERDUE_US = 20_000_000;
const ENDED: ReadonlySet<string> = new Set(['filled', 'canceled', 'rejected', 'expired']);

interface Intent {
  readonly strategy: string;
  readonly ref: string;
  readonly symbol: string;
  readonly reduceOnly: boolean;
  readonly ts: number;
  withdrawn: boolean;
  /** It had left long before: its row is what a restored journal says of it. */
  readonly isTakenOver: boolean;
}

/** Of one order; what was seen since it was last asked for. */
interface WantedCancel {
  /** The request that asks for it; null while nothing was asked. */
  readonly intentId: string | null;
  sightings: number;
  /** True time, µs. */
  firstUs: number;
}

export interface OrderLawsDeps {
  /** Whether the order rests at the exchange. */
  readonly rests: (orderId: string) => boolean;
  /** What rests there. */
  readonly resting: () => Iterable<string>;
  readonly violated: (law: string, what: string) => void;
}

export class OrderLaws {
  readonly #deps: OrderLawsDeps;
  readonly #intents = new Map<string, Intent>();
  readonly #cancels = new Map<string, WantedCancel>();
  /** By what a strategy decided, whether or not anything came of it. */
  readonly #wanted = new Map<string, WantedCancel>();
  readonly #orderIds = new Map<string, string>();
  readonly #quoted = new Set<string>();
  /** More than are counted. */
  #quotes = 0;
  #decidedAt: readonly number[] = [];
  #lastSending: Intent | undefined;
  #isKilled = false;
  #wasKilled = false;

  constructor(deps: OrderLawsDeps) {
    this.#deps = deps;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** The order that leaves may open something. */
  get takesRisk(): boolean {
    return this.#lastSending?.reduceOnly === false;
  }

  row(entry: JournalEntry, nowMs: number): void {
    if (entry.kind === 'intent' && entry.command === 'create') {
      const { intentId, strategy, ref, reduceOnly } = entry;
      const { symbol } = entry.order;
      const isTakenOver = entry.adoptedFrom !== undefined;
      this.#intents.set(intentId, { strategy, ref, symbol, reduceOnly, ts: nowMs, withdrawn: false, isTakenOver });
      if (entry.origin === 'quote') {
        this.#quoted.add(intentId);
        this.#quotes++;
      }
      if (Number(entry.order.quantity) >= QUANTITY_MAX)
        this.#deps.violated('R2', `an order of ${entry.order.quantity}`);
    } else if (entry.kind === 'intent') this.#cancel(entry.intentId, entry.targets);
    else if (entry.kind === 'sending') this.#sending(this.#intents.get(entry.intentId));
    else if (entry.kind === 'order') this.#reported(entry.intentId, entry.report);
    else if (entry.kind === 'outcome' && entry.outcome.kind === 'accepted')
      this.#accepted(entry.intentId, entry.outcome.order);
    else if (entry.kind === 'outcome') this.#answered(entry.intentId);
    else if (entry.kind === 'decision') this.#decision(entry.strategy, entry.action as unknown as Action);
    else if (entry.kind === 'alarm' && entry.code === 'killed') this.#isKilled = true;
    else if (entry.kind === 'kill') {
      this.#isKilled = entry.on;
      this.#wasKilled = entry.on;
    } else if (entry.kind === 'session' && entry.event === 'start') this.#intents.clear();
  }

  /** A create leaves; `isCompared`: something was compared since the private stream was lost. */
  create(isCompared: boolean): void {
    const intent = this.#lastSending;
    if (intent === undefined) return;
    const { violated } = this.#deps;
    const { strategy, withdrawn, reduceOnly } = intent;
    if (withdrawn) violated('W1', `an order of ${strategy} leaves after it was withdrawn`);
    if (reduceOnly) return;
    if (this.#isKilled) violated('K3', `an order of ${strategy} leaves after the kill`);
    if (!isCompared)
      violated('C1', `an order of ${strategy} leaves before anything was compared since the stream was lost`);
  }

  /** When an instant is over. */
  look(): void {
    if (this.#wasKilled) this.#allCancelled();
    if (this.#quotes > QUOTES_MAX) this.#countQuotes();
  }

  /** The process is told that these rest. Those that were to go are asked for again, also after a start. */
  told(us: number, orderIds: Iterable<string>): void {
    for (const orderId of orderIds) {
      const intentId = this.#orderIds.get(orderId) ?? '';
      const cancel = this.#cancels.get(intentId) ?? this.#wanted.get(intentId);
      // A list that lags may show one that is gone.
      if (cancel === undefined || !this.#deps.rests(orderId)) continue;
      if (cancel.sightings === 0) cancel.firstUs = us;
      cancel.sightings++;
      if (cancel.sightings < OVERDUE_SIGHTINGS || us - cancel.firstUs < OVERDUE_US) continue;
      this.#deps.violated('L4', `${orderId} was to be cancelled and rests, as was seen ${cancel.sightings} times`);
      cancel.sightings = 0;
    }
  }

  /** A process that dies in the instant of the kill begins nothing any more; the next one does (K2 at the end). */
  died(): void {
    this.#wasKilled = false;
  }

  /** What an earlier process saw says nothing of this one, which begins to ask after its first comparison. */
  boot(): void {
    for (const all of [this.#cancels, this.#wanted]) for (const cancel of all.values()) cancel.sightings = 0;
  }

  #reported(intentId: string, { orderId, status }: OrderReport): void {
    this.#orderIds.set(orderId, intentId);
    if (ENDED.has(status) && this.#deps.rests(orderId))
      this.#deps.violated('F6', `${orderId} is called ${status} and rests at the exchange`);
  }

  #accepted(intentId: string, order: OrderReport | undefined): void {
    if (order !== undefined && this.#intents.has(intentId)) this.#orderIds.set(order.orderId, intentId);
  }

  /** In the instant of the kill. */
  #allCancelled(): void {
    this.#wasKilled = false;
    for (const orderId of this.#deps.resting()) {
      const intentId = this.#orderIds.get(orderId);
      if (intentId !== undefined && !this.#cancels.has(intentId))
        this.#deps.violated('K2', `${orderId} rests at the kill, and no cancel of it is begun`);
    }
  }

  /** Of one strategy that quotes one price a side. */
  #countQuotes(): void {
    let count = 0;
    for (const orderId of this.#deps.resting()) {
      const intentId = this.#orderIds.get(orderId) ?? '';
      if (this.#quoted.has(intentId) && !this.#cancels.has(intentId)) count++;
    }
    this.#quotes = count;
    if (count > QUOTES_MAX) this.#deps.violated('Q1', `${count} quotes rest, and none of them is to go`);
  }

  #cancel(intentId: string, targets: readonly string[]): void {
    for (const target of targets) this.#cancels.set(target, { intentId, sightings: 0, firstUs: 0 });
  }

  /** A request did not cancel, or nobody knows. What was seen while it was on its way was no reason for another. */
  #answered(intentId: string): void {
    for (const cancel of this.#cancels.values()) if (cancel.intentId === intentId) cancel.sightings = 0;
  }

  /** What has not left yet stays here, and what has is to go, also where a process died before it asked. */
  #decision(strategy: string, action: Action): void {
    if (action.kind !== 'cancelAll' && action.kind !== 'cancel') return;
    for (const [intentId, intent] of this.#intents) {
      const isMeant =
        action.kind === 'cancel' ? intent.ref === action.ref : (action.symbol ?? intent.symbol) === intent.symbol;
      if (intent.strategy !== strategy || !isMeant) continue;
      intent.withdrawn ||= action.kind === 'cancelAll';
      if (!this.#wanted.has(intentId)) this.#wanted.set(intentId, { intentId: null, sightings: 0, firstUs: 0 });
    }
  }

  /** By the time of the decision: what waited in a queue was counted in that second. */
  #sending(intent: Intent | undefined): void {
    this.#lastSending = intent;
    if (intent === undefined || intent.reduceOnly || intent.isTakenOver) return;
    this.#decidedAt = [...this.#decidedAt.filter((at) => at > intent.ts - QUEUED_MS_MAX), intent.ts];
    const count = this.#decidedAt.filter((at) => at > intent.ts - 1000 && at <= intent.ts).length;
    if (count > ORDERS_PER_SECOND_MAX) this.#deps.violated('R2', `${count} orders of one second leave`);
  }
}
