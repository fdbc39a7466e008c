/**
 * Laws that the journal must keep by itself (INV-J1, J4, F2, F3, F5): rows only of intents that are there, an order that ended
 * never opens again without a correction, what was filled never shrinks and never exceeds what was ordered, and money that
 * left is never taken over as if it had come.
 */
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import { dec, ZERO, type Decimal } from '../../../src/model/numbers/money.ts';
import type { OrderReport, Side } from '../../../src/model/trading/order.ts';

interface Order {
  readonly quantity: Decimal;
  readonly side: Side;
  filled: Decimal;
  /** By a push that the list of own trades contradicts. */
  tooMuch: Decimal;
  /** Why it is over; null while it is not. */
  ended: string | null;
  isSent: boolean;
}

type Violated = (law: string, what: string) => void;

const ENDED: ReadonlySet<string> = new Set(['filled', 'canceled', 'rejected', 'expired']);

export class JournalLaws {
  readonly #orders = new Map<string, Order>();
  readonly #cancels = new Set<string>();
  /** Intents of rows that are gone, and of those that are there: none is used again. */
  readonly #used: ReadonlySet<string>;
  /** They left by rows that are gone: that they did not is what the rows say. */
  readonly #misjudged: ReadonlySet<string>;
  /** Orders that were said to be over while they rested; intents that were refused and carried out. */
  readonly #calledOver: ReadonlySet<string>;
  #violated: Violated;
  #boot = 0;
  /** The last fill is of an order that a push had said too much of. */
  #isOverByPush = false;

  constructor(
    violated: Violated,
    calledOver: ReadonlySet<string>,
    used: ReadonlySet<string> = new Set(),
    misjudged: ReadonlySet<string> = new Set(),
  ) {
    this.#violated = violated;
    this.#calledOver = calledOver;
    this.#used = used;
    this.#misjudged = misjudged;
  }

  /** For an older journal of these rows. */
  rewound(entries: readonly JournalEntry[], misjudged: ReadonlySet<string>): JournalLaws {
    const used = new Set([...this.#used, ...this.#orders.keys(), ...this.#cancels]);
    const laws = new JournalLaws(() => {}, this.#calledOver, used, new Set(misjudged));
    for (const entry of entries) laws.entry(entry);
    laws.#violated = this.#violated;
    return laws;
  }

  entry(entry: JournalEntry): void {
    if (entry.kind === 'session' && entry.event === 'start') this.#start(entry.boot);
    else if (entry.kind === 'intent') this.#intent(entry);
    else if (entry.kind === 'adjustment' && entry.cause === 'credit' && entry.quantity.startsWith('-'))
      this.#violated('F3', `${entry.quantity} ${entry.name} that left is booked like money that came`);
    else if (entry.kind === 'alarm' && entry.code === 'overfill') {
      if (!this.#isOverByPush) this.#violated('F2', entry.message);
    } else if ('intentId' in entry && !entry.kind.startsWith('money')) this.#ofOrder(entry);
  }

  #start(boot: number): void {
    if (boot !== this.#boot + 1) this.#violated('J2', `boot ${boot} follows ${this.#boot}`);
    this.#boot = boot;
  }

  #intent(entry: Extract<JournalEntry, { kind: 'intent' }>): void {
    const { intentId } = entry;
    const isTakenOver = entry.command === 'create' && entry.adoptedFrom !== undefined;
    const isUsed = this.#used.has(intentId) && !isTakenOver;
    if (isUsed || this.#orders.has(intentId) || this.#cancels.has(intentId))
      this.#violated('S2', `${intentId} is used twice`);
    if (entry.command === 'cancel') this.#cancels.add(intentId);
    else {
      const { quantity, side } = entry.order;
      this.#orders.set(intentId, {
        quantity: dec(quantity),
        side,
        filled: ZERO,
        tooMuch: ZERO,
        ended: null,
        isSent: false,
      });
    }
  }

  #ofOrder(entry: Extract<JournalEntry, { readonly intentId: string }>): void {
    const order = this.#orders.get(entry.intentId);
    if (order === undefined) {
      if (!this.#cancels.has(entry.intentId))
        this.#violated('J1', `${entry.kind} of ${entry.intentId} without an intent`);
      return;
    }
    if (entry.kind === 'sending') {
      if (order.isSent) this.#violated('S1', `${entry.intentId} has two rows that let it leave`);
      if (order.ended !== null) this.#violated('F5', `${entry.intentId} leaves after it was ${order.ended}`);
      order.isSent = true;
    } else if (entry.kind === 'fill') this.#fill(entry.intentId, order, entry);
    else if (entry.kind === 'contradicted') this.#contradicted(order, entry);
    else if (entry.kind === 'order') this.#report(entry.intentId, order, entry.report);
    else if (entry.kind === 'closed') this.#end(entry.intentId, order, entry.state);
    else if (entry.kind === 'correction') this.#correction(entry, order);
    else if (entry.kind === 'outcome' && entry.outcome.kind === 'refused') this.#end(entry.intentId, order, 'rejected');
  }

  /** Nothing in this world contradicts itself: a conclusion that has to be taken back was no proof. */
  #correction({ intentId, cause, report }: Extract<JournalEntry, { kind: 'correction' }>, order: Order): void {
    order.ended = null;
    const wasFalse = this.#calledOver.has(report?.orderId ?? intentId);
    if (!wasFalse && !this.#misjudged.has(intentId)) this.#violated('J4', `${intentId}: ${cause}`);
  }

  #fill(intentId: string, order: Order, { fill, corrects }: Extract<JournalEntry, { kind: 'fill' }>): void {
    const takesBack = corrects === true && fill.side !== order.side;
    order.filled = order.filled.plus(takesBack ? dec(fill.quantity).neg() : fill.quantity);
    this.#isOverByPush = order.filled.gt(order.quantity) && order.tooMuch.gt(0);
    if (order.filled.gt(order.quantity.plus(order.tooMuch)))
      this.#violated('F2', `${intentId} is filled by ${order.filled.toFixed()} of ${order.quantity.toFixed()}`);
  }

  /** What a push had said too much stays booked until a human has said which is right. */
  #contradicted(order: Order, { fill, booked }: Extract<JournalEntry, { kind: 'contradicted' }>): void {
    const more = dec(booked.quantity).minus(fill.quantity);
    if (more.gt(0)) order.tooMuch = order.tooMuch.plus(more);
  }

  #report(intentId: string, order: Order, { orderId, status }: OrderReport): void {
    if (ENDED.has(status)) order.ended = status;
    else if (order.ended === 'never_arrived' || order.ended === 'denied') return;
    else if (order.ended !== null && !this.#calledOver.has(orderId))
      this.#violated('F5', `${intentId} was ${order.ended} and is ${status}`);
  }

  #end(intentId: string, order: Order, state: string): void {
    if (order.ended !== null) this.#violated('F5', `${intentId} was ${order.ended} and is ${state}`);
    order.ended = state;
  }
}
