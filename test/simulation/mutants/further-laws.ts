/**
 * Laws beside those of the world, from the border alone (requests, frames, journal), for bugs that a gate or a counter of
 * the process itself would hide:
 *
 *   C1  no new risk between the return of the private stream, or a gap in it, and a comparison that was asked for since
 *   F6  what could not be read is not taken for nothing: a balance that is known does not become zero
 *   K2  a kill begins to cancel every order that the process knows of
 *   K3  no new risk after a kill, whatever is written down, until a human clears it
 *   L4  what was to be cancelled does not rest for ever
 *   L5  connections and requests stay within their budgets: a 429 is obeyed, a socket is not made anew without end
 *   Q1  quotes do not pile up
 *   R2  messages of a second, and the size of an order, are limited
 *   W1  an order that was withdrawn while it waited does not leave
 */
import type { JournalEntry } from '../../../src/model/journal.ts';
import type { OrderReport } from '../../../src/model/order.ts';
import type { Watch, WatchedWorld } from '../world/simulate.ts';

const CREATE = /^> POST \S+\/order\/spot /;
const ACTIVE = /^= 200 \[\{"orderId":/;
const ORDER_ID = /"orderId":"(\d+)"/g;
const READS_ACTIVE = /^> GET \S+\/order\/active/;
const READS_TRADES = /^> GET \S+\/trade\/spot\/list\/my/;
const LOGGED_IN = /^ws< \{.*"method":"auth".*"success":true/;
const PRIVATE_PUSH = /^ws< \{"channel":"([^"]*@(?:my|order)[^"]*|[^"]*my-balances)","seq":(\d+)/;

const CONNECTS_MAX = 42;
const CONNECTS_WINDOW_US = 300_000_000;
/** `Retry-After: 1`, less what the way of the answer takes. */
const OBEY_US = 950_000;
/** `messagesPerSecond` of the world, and what was held until own orders in its way were gone. */
const ORDERS_PER_SECOND_MAX = 15;
const QUEUED_MS_MAX = 30_000;
const QUANTITY_MAX = 100;
/** One a side, and what may stand beside it for a moment. */
const QUOTES_MAX = 8;
/** So often, over so long, the process has seen that an order rests which it was to cancel. */
const OVERDUE_SIGHTINGS = 4;
const OVERDUE_US = 20_000_000;

interface Intent {
  readonly strategy: string;
  readonly reduceOnly: boolean;
  readonly ts: number;
  withdrawn: boolean;
}

/** Of one order; what was seen since it was last asked for. */
interface WantedCancel {
  sightings: number;
  /** True time, µs. */
  firstUs: number;
}

type Compared = 'not' | 'orders' | 'whole';

class FurtherLaws implements Watch {
  readonly #world: WatchedWorld;
  readonly #intents = new Map<string, Intent>();
  readonly #cancels = new Map<string, WantedCancel>();
  readonly #seqs = new Map<string, number>();
  readonly #orderIds = new Map<string, string>();
  #connects: number[] = [];
  #decidedAt: readonly number[] = [];
  #rowsSeen = 0;
  #lastSending: Intent | undefined;
  #compared: Compared = 'not';
  #limitedUntilUs = 0;
  #isKilled = false;
  #wasKilled = false;
  readonly #quoted = new Set<string>();
  /** More than are counted. */
  #quotes = 0;
  /** The process that has been told its balance. */
  #knows: WatchedWorld['machine']['process'] = null;

  constructor(world: WatchedWorld) {
    this.#world = world;
  }

  line(us: number, what: string): void {
    if (what.startsWith('boot ')) this.#boot();
    else if (what.startsWith('> ')) this.#request(us, what);
    else if (ACTIVE.test(what)) this.#activeOrders(us, what);
    else if (what.startsWith('= 429 ')) this.#limitedUntilUs = us + OBEY_US;
    else if (what.startsWith('ws< ')) this.#frame(what);
    else if (what.startsWith('ws ')) this.#connect(us);
  }

  look(): void {
    this.#readRows();
    if (this.#wasKilled) this.#allCancelled();
    if (this.#quotes > QUOTES_MAX) this.#countQuotes();
    this.#balance();
  }

  end(): void {
    this.#readRows();
  }

  #violated(law: string, what: string): void {
    this.#world.laws.violated(law, what);
  }

  #boot(): void {
    this.#connects = [];
    this.#seqs.clear();
    this.#compared = 'not';
    this.#limitedUntilUs = 0;
  }

  #request(us: number, what: string): void {
    if (us < this.#limitedUntilUs && !this.#isKilled)
      this.#violated(
        'L5',
        `a request leaves ${this.#limitedUntilUs - us} µs before the exchange takes one again: ${what}`,
      );
    if (READS_ACTIVE.test(what)) {
      if (this.#compared === 'not') this.#compared = 'orders';
    } else if (READS_TRADES.test(what) && this.#compared === 'orders') this.#compared = 'whole';
    else if (CREATE.test(what)) this.#create();
  }

  #create(): void {
    this.#readRows();
    const intent = this.#lastSending;
    if (intent === undefined) return;
    if (intent.withdrawn) this.#violated('W1', `an order of ${intent.strategy} leaves after it was withdrawn`);
    if (intent.reduceOnly) return;
    if (this.#isKilled) this.#violated('K3', `an order of ${intent.strategy} leaves after the kill`);
    if (this.#compared === 'whole' || this.#world.plan.rates.has('frame-after-end')) return;
    this.#violated(
      'C1',
      `an order of ${intent.strategy} leaves before anything was compared since the stream was lost`,
    );
  }

  /** Where frames of an ended connection still come, the trace does not tell whose a frame is. */
  #frame(what: string): void {
    if (this.#world.plan.rates.has('frame-after-end')) return;
    if (LOGGED_IN.test(what)) {
      this.#compared = 'not';
      this.#seqs.clear();
      return;
    }
    const push = PRIVATE_PUSH.exec(what);
    if (push === null) return;
    const [, channel = '', text = ''] = push;
    const seq = Number(text);
    const last = this.#seqs.get(channel);
    this.#seqs.set(channel, Math.max(last ?? seq, seq));
    if (last !== undefined && seq > last + 1) this.#compared = 'not';
  }

  #connect(us: number): void {
    this.#connects = [...this.#connects.filter((at) => at > us - CONNECTS_WINDOW_US), us];
    const count = this.#connects.length;
    if (count > CONNECTS_MAX) this.#violated('L5', `${count} connections in five minutes`);
    if (this.#world.plan.rates.size === 0 && count > 2)
      this.#violated('L5', 'a connection is lost although nothing fails');
  }

  /** Neither the process nor the human ever spends all of it. A list that is truly told as empty says so, rightly or not. */
  #balance(): void {
    const { process } = this.#world.machine;
    if (this.#world.plan.rates.has('list-empty')) return;
    const total = process?.engine?.executor.account('quoter').balance('USDT').total;
    if (total === undefined) return;
    if (total !== '0') this.#knows = process;
    else if (this.#knows === process) this.#violated('F6', 'the balance is taken for zero');
  }

  #readRows(): void {
    const { rows } = this.#world.machine.disk;
    this.#rowsSeen = Math.min(this.#rowsSeen, rows.length);
    for (; this.#rowsSeen < rows.length; this.#rowsSeen++) {
      const row = rows[this.#rowsSeen];
      if (row !== undefined) this.#row(row.entry, row.ts);
    }
  }

  #row(entry: JournalEntry, nowMs: number): void {
    if (entry.kind === 'intent' && entry.command === 'create') {
      const { intentId, strategy, reduceOnly } = entry;
      this.#intents.set(intentId, { strategy, reduceOnly, ts: nowMs, withdrawn: false });
      if (entry.origin === 'quote') {
        this.#quoted.add(intentId);
        this.#quotes++;
      }
      if (Number(entry.order.quantity) >= QUANTITY_MAX) this.#violated('R2', `an order of ${entry.order.quantity}`);
    } else if (entry.kind === 'intent') this.#cancel(entry.targets);
    else if (entry.kind === 'sending') this.#sending(this.#intents.get(entry.intentId));
    else if (entry.kind === 'order') this.#orderIds.set(entry.report.orderId, entry.intentId);
    else if (entry.kind === 'outcome' && entry.outcome.kind === 'accepted')
      this.#accepted(entry.intentId, entry.outcome.order);
    else if (entry.kind === 'decision') this.#decision(entry.strategy, JSON.stringify(entry.action));
    else if (entry.kind === 'alarm' && entry.code === 'killed') this.#isKilled = true;
    else if (entry.kind === 'kill') {
      this.#isKilled = entry.on;
      this.#wasKilled = entry.on;
    } else if (entry.kind === 'session' && entry.event === 'start') this.#intents.clear();
  }

  #accepted(intentId: string, order: OrderReport | undefined): void {
    if (order !== undefined && this.#intents.has(intentId)) this.#orderIds.set(order.orderId, intentId);
  }

  /** In the instant of the kill. */
  #allCancelled(): void {
    this.#wasKilled = false;
    for (const orderId of this.#world.venue.truth.active.keys()) {
      const intentId = this.#orderIds.get(orderId);
      if (intentId !== undefined && !this.#cancels.has(intentId))
        this.#violated('K2', `${orderId} rests at the kill, and no cancel of it is begun`);
    }
  }

  /** Of one strategy that quotes one price a side. */
  #countQuotes(): void {
    let count = 0;
    for (const orderId of this.#world.venue.truth.active.keys()) {
      const intentId = this.#orderIds.get(orderId) ?? '';
      if (this.#quoted.has(intentId) && !this.#cancels.has(intentId)) count++;
    }
    this.#quotes = count;
    if (count > QUOTES_MAX) this.#violated('Q1', `${count} quotes rest, and none of them is to go`);
  }

  #cancel(targets: readonly string[]): void {
    for (const target of targets) this.#cancels.set(target, { sightings: 0, firstUs: 0 });
  }

  /** The process is told which orders rest. Those that were to go are asked for again, also after a start. */
  #activeOrders(us: number, what: string): void {
    this.#readRows();
    for (const [, orderId = ''] of what.matchAll(ORDER_ID)) {
      const cancel = this.#cancels.get(this.#orderIds.get(orderId) ?? '');
      // A list that lags may show one that is gone.
      if (cancel === undefined || !this.#world.venue.truth.active.has(orderId)) continue;
      if (cancel.sightings === 0) cancel.firstUs = us;
      cancel.sightings++;
      if (cancel.sightings < OVERDUE_SIGHTINGS || us - cancel.firstUs < OVERDUE_US) continue;
      this.#violated('L4', `${orderId} was to be cancelled and rests, as was seen ${cancel.sightings} times`);
      cancel.sightings = 0;
    }
  }

  /** Everything of the strategy that has not left yet stays here. */
  #decision(strategy: string, action: string): void {
    if (!action.includes('"kind":"cancelAll"')) return;
    for (const intent of this.#intents.values()) if (intent.strategy === strategy) intent.withdrawn = true;
  }

  /** By the time of the decision: what waited in a queue was counted in that second. */
  #sending(intent: Intent | undefined): void {
    this.#lastSending = intent;
    if (intent === undefined || intent.reduceOnly) return;
    this.#decidedAt = [...this.#decidedAt.filter((at) => at > intent.ts - QUEUED_MS_MAX), intent.ts];
    const count = this.#decidedAt.filter((at) => at > intent.ts - 1000 && at <= intent.ts).length;
    if (count > ORDERS_PER_SECOND_MAX) this.#violated('R2', `${count} orders of one second leave`);
  }
}

export function furtherLaws(world: WatchedWorld): Watch {
  const laws = new FurtherLaws(world);
  return {
    line: (us, what) => laws.line(us, what),
    look: () => laws.look(),
    end: () => laws.end(),
  };
}
