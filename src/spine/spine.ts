/** The one way to change the living state: each entry is applied (`apply.ts`) and journalled. */
import type { Balance } from '../model/account.ts';
import type { Instrument, Instruments } from '../model/instrument.ts';
import type { CancelIntentEntry, CorrectionEntry, CreateIntentEntry, JournalEntry } from '../model/journal.ts';
import type { MoneySendingEntry } from '../model/money-entries.ts';
import type { SendingEntry } from '../model/order-entries.ts';
import type { Mutable } from '../model/mutable.ts';
import type { OrderReport } from '../model/order.ts';
import type { Clock } from '../model/ports.ts';
import { apply, applyCancel, applyCreate, applyToOrder, type FactEntry, type OrderLifeEntry } from './apply.ts';
import type { HeardEntry } from './heard.ts';
import type { OwnOrder } from './orders/own-order.ts';
import { TradingState, type StateView } from './trading-state.ts';

export interface EntryLog {
  put(entry: JournalEntry): void;
  /** True when this entry and all earlier ones are durable. */
  commit(entry: JournalEntry): boolean;
}

export class Spine {
  readonly #log: EntryLog;
  readonly #clock: Clock;
  readonly #instruments: Instruments;
  #state = new TradingState();

  constructor(log: EntryLog, clock: Clock, instruments: Instruments) {
    this.#log = log;
    this.#clock = clock;
    this.#instruments = instruments;
  }

  get state(): StateView {
    return this.#state;
  }

  adopt(state: TradingState): void {
    this.#state = state;
  }

  commit(entry: FactEntry): void {
    this.#apply(entry);
    this.#log.put(entry);
  }

  /** False: it could not be journalled, and nothing changed. */
  commitDurably(entry: FactEntry): boolean {
    if (!this.#log.commit(entry)) return false;
    this.#apply(entry);
    return true;
  }

  /** Journals an entry that changes anything. Flags of the order machine, or `MISBOUND`. */
  commitTo(order: OwnOrder, entry: OrderLifeEntry): number {
    const flags = applyToOrder(this.#state, order, entry, this.#clock.now());
    if (flags > 0) this.#log.put(entry);
    return flags;
  }

  create(entry: CreateIntentEntry, instrument: Instrument, ticks: number, lots: number, mid: number | null): OwnOrder {
    this.#log.put(entry);
    return this.#state.openOrder(entry, instrument, ticks, lots, this.#clock.now(), mid);
  }

  /** Journals intent and SENDING of an order whose process lost its rows. */
  takeOver(entry: CreateIntentEntry, instrument: Instrument): OwnOrder {
    this.#log.put(entry);
    const order = applyCreate(this.#state, entry, instrument, this.#clock.now());
    this.commitTo(order, { kind: 'sending', intentId: entry.intentId });
    return order;
  }

  /** The entry is durable already; the bytes are about to leave. */
  leave(order: OwnOrder, entry: SendingEntry): void {
    applyToOrder(this.#state, order, entry, this.#clock.now());
  }

  leaveMoney(entry: MoneySendingEntry): void {
    this.#apply(entry);
  }

  /** A closed order is active at the exchange. Flags of the order machine. */
  reopen(order: OwnOrder, report: OrderReport, cause: string): number {
    const { intentId, progress } = order;
    const from = progress.state;
    const entry: Mutable<CorrectionEntry> = { kind: 'correction', intentId, from, to: from, cause, report };
    const flags = applyToOrder(this.#state, order, entry, this.#clock.now());
    entry.to = progress.state;
    this.#log.put(entry);
    return flags;
  }

  cancel(entry: CancelIntentEntry): void {
    applyCancel(this.#state, entry);
    this.#log.put(entry);
  }

  /** The balances that changed. */
  hear(entry: HeardEntry): readonly Balance[] {
    return this.#state.heard.apply(entry);
  }

  #apply(entry: FactEntry): void {
    apply(this.#state, entry, this.#clock.now(), (symbol) => this.#instrumentOf(symbol));
  }

  /** Also one that is held and that the exchange no longer lists. */
  #instrumentOf(symbol: string): Instrument | undefined {
    const held = (): Instrument | undefined =>
      this.#state.positions.all().find(({ instrument }) => instrument.symbol === symbol)?.instrument;
    return this.#instruments.find(symbol) ?? held();
  }
}
