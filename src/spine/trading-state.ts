/** Everything that the journal can rebuild. The live executor and a replay change it by the same methods. */
import type { FundingEntry } from '../model/trading/account.ts';
import type { VenueFill } from '../model/trading/fill.ts';
import type { LimitOverrideEntry } from '../model/entries/human-entries.ts';
import type { Instrument } from '../model/market/instrument.ts';
import type {
  Adjustment,
  ContradictedEntry,
  CreateIntentEntry,
  DayEntry,
  ReadToEntry,
  RestoredEntry,
  SessionEntry,
  UndividedEntry,
  UnprotectedAbout,
} from '../model/entries/journal.ts';
import type { StopPolicy } from '../model/trading/action.ts';
import type { FlattenEntry } from '../model/entries/order-entries.ts';
import { bareKey, type WithheldEntry } from '../model/entries/risk-entries.ts';
import { dec, decimalText, ZERO, type Decimal } from '../model/numbers/money.ts';
import type { OrderReport } from '../model/trading/order.ts';
import type { Outcome } from '../model/result.ts';
import {
  applyFill,
  applyReport,
  applyVerdict,
  CONTRADICTION,
  isClosed,
  markSending,
  reopen,
  verdicts,
  type Verdict,
} from './orders/order-machine.ts';
import {
  EXTERNAL_TRADE,
  fundingKey,
  isOfLiquidation,
  liquidationKey,
  liquidationKeyOf,
  liquidationOrderKey,
  orderKeyOf,
} from './external-keys.ts';
import { boundFill } from './orders/fill-check.ts';
import { termsText } from './orders/trade-ids.ts';
import { Heard, type HeardView } from './heard.ts';
import { HeardIntents } from './intent-id.ts';
import { OwnOrders } from './orders/own-orders.ts';
import { OwnOrder, lotsOf, reported } from './orders/own-order.ts';
import { amountsOf, positionName, Positions, type FillAmounts } from './positions.ts';
import { Refs } from './orders/refs.ts';
import { StrategyTrades } from './strategy-trades.ts';
import { Trials } from './trials.ts';
import { MoneyState, type MoneyView } from './money/state.ts';
import { LatchCounts } from './latch-counts.ts';
import { eachEffect } from './effects.ts';
import { Programs, type ProgramsView } from './programs/programs.ts';
import { Undivided } from './undivided.ts';

/** The order has another id, or the id belongs to another order. Nothing changed. */
export const MISBOUND = -1;

export class TradingState {
  readonly orders = new OwnOrders();
  readonly positions = new Positions();
  readonly refs = new Refs();
  /** Liquidations that a human has to attribute. */
  readonly undivided = new Undivided();
  /** By `contradictedId`: booked trades that the list of own trades contradicts, until a human decides. */
  readonly contradicted = new Map<string, ContradictedEntry>();
  readonly money = new MoneyState();
  readonly programs = new Programs();
  /** Not journalled. */
  readonly #heard = new Heard();
  readonly values = new Map<string, string>();
  /** Unix ms. */
  readonly valuesAt = new Map<string, number>();
  /** Hashes, oldest first (`command-keys.ts`). */
  readonly commandKeys = new Set<string>();
  /** `balance/<currency>`, `position/<symbol>` or `position/<symbol>/<side>` → Σ adjustments. */
  readonly adjustments = new Map<string, Decimal>();
  /** Currency → Σ effects of own fills and funding. */
  readonly effects = new Map<string, Decimal>();
  /** Order ids that a human declared external. */
  readonly disowned = new Set<string>();
  killReason: string | undefined;
  /** Facts of the first process that named the account. */
  owner: SessionEntry['facts'];
  /** Sessions with a start in the journal. */
  readonly sessions = new Set<string>();
  readonly intents = new HeardIntents();
  /** Rows after `since` (Unix ms; 0: all) may be missing, and nobody has acknowledged it. */
  restored: { readonly since: number; readonly reason: string } | undefined;
  /** Ids of orders that revealed lost rows. Each raises one alarm. */
  readonly toldLost = new Set<string>();
  /** Unix ms of the last acknowledgement; 0: never. */
  acknowledgedAt = 0;
  /** Unix ms of the last row before the last start; 0: a new journal. */
  resumedFrom = 0;
  day: DayEntry | undefined;
  /** How far the account's history was polled and booked. */
  readTo: ReadToEntry | undefined;
  /** Strategy → reason. */
  readonly latches = new Map<string, string>();
  readonly latchCounts = new LatchCounts();
  /** The newest limits and strategies, as canonical JSON. */
  controls: string | undefined;
  readonly trials = new Trials();
  readonly trades = new StrategyTrades();
  /** Strategy → reason of a human's pause. */
  readonly pauses = new Map<string, string>();
  /** `withheldKey` → what protections hold back; it may be over. */
  readonly withheld = new Map<string, WithheldEntry>();
  /** `bareKey` → position that an alarm named as without an exit, until it has one or is closed. */
  readonly unprotected = new Map<string, UnprotectedAbout>();
  /** Symbol → reason. */
  readonly halts = new Map<string, string>();
  /** `flattenKey` → running flatten. */
  readonly flattening = new Map<string, FlattenEntry>();
  readonly stopping = new Map<string, StopPolicy>();
  /** Limit → newest override. */
  readonly overrides = new Map<string, LimitOverrideEntry>();
  /** Peaks, and profits at the start of the day. */
  readonly marks = new Map<string, string>();
  boot = 0;
  cleanStop = true;
  intentCount = 0;
  lastTs = 0;
  /** Unix ms of the first row; 0: a new journal. */
  bornAt = 0;
  /** Subject → Unix ms of its opening. */
  readonly opened = new Map<string, number>();
  /** Position → Unix ms of the last booking of an external trade. */
  readonly movedByOthers = new Map<string, number>();
  /** Keys of booked adjustments, liquidations, cash flows and funding. */
  readonly booked = new Set<string>();

  get heard(): Heard {
    return this.#heard;
  }

  openOrder(
    entry: CreateIntentEntry,
    instrument: Instrument,
    ticks: number,
    lots: number,
    ts: number,
    mid: number | null,
  ): OwnOrder {
    const order = new OwnOrder(entry, instrument, ticks, lots, ts, mid);
    // No own order may rest during a kill, even if it is found later.
    if (entry.adoptedFrom !== undefined && this.killReason !== undefined) order.cancelWanted = true;
    this.orders.add(order);
    if (order.parent !== undefined) this.programs.opened(order);
    this.intentCount++;
    if (entry.adoptedFrom === undefined) this.intents.heard(entry.intentId);
    return order;
  }

  /** `offsetMs`: clock skew at signing (venue clock minus this machine's), ms; null: unknown. */
  sending(order: OwnOrder, ts: number, offsetMs: number | null = 0): number {
    if (order.sentAt === 0) order.sentAt = ts;
    order.offsetMs = offsetMs;
    order.handed = true;
    return this.#filed(order, markSending(order.progress));
  }

  outcome(order: OwnOrder, outcome: Outcome, ts: number): number {
    switch (outcome.kind) {
      case 'accepted': {
        if (outcome.order !== undefined) return this.report(order, outcome.order, ts);
        const flags = applyVerdict(order.progress, verdicts.exists);
        if (flags > 0) this.#seen(order, ts);
        return this.#filed(order, flags);
      }
      case 'refused':
        return this.#conclude(order, verdicts.refused, outcome.code, outcome.message);
      case 'unknown':
        return this.#conclude(order, verdicts.unknown, 'unknown', outcome.reason);
      case 'not-sent':
        return this.#conclude(order, verdicts.denied, 'not_sent', outcome.reason);
      case 'denied':
        return this.#conclude(order, verdicts.denied, outcome.denied.reason, outcome.denied.message);
    }
  }

  close(order: OwnOrder, state: 'denied' | 'never_arrived', reason: string, message: string): number {
    return this.#conclude(order, state === 'denied' ? verdicts.denied : verdicts.neverArrived, reason, message);
  }

  report(order: OwnOrder, report: OrderReport, ts: number): number {
    if (!this.orders.bind(order, report.orderId)) return MISBOUND;
    const flags = applyReport(order.progress, reported(order, report));
    if (flags > 0) this.#seen(order, ts);
    if (flags > 0 && report.reason !== undefined) order.reason = report.reason;
    return this.#filed(order, flags);
  }

  /** A closed order is active again. No position counts on it, so it is cancelled. */
  reopen(order: OwnOrder, report: OrderReport): number {
    const flags = reopen(order.progress, reported(order, report));
    order.endedAt = 0;
    order.cancelWanted = true;
    if (order.cancel !== 'sent') order.cancel = 'none';
    return this.#filed(order, flags);
  }

  /** Books a fill once, on the terms of its order; 0: booked before. `corrects`: the correction keeps its own side. */
  fill(order: OwnOrder, stated: VenueFill, ts: number, corrects = false): number {
    if (!this.orders.bind(order, stated.orderId)) return MISBOUND;
    const { instrument } = order;
    const fill = corrects ? stated : boundFill(order, stated);
    const takesBack = fill.side !== order.side;
    const amounts = amountsOf(fill);
    const { price, quantity } = amounts;
    const fillLots = lotsOf(instrument, fill.quantity) * (takesBack ? -1 : 1);
    const moved = takesBack ? quantity.neg() : quantity;
    const isFirst = order.progress.fillLots === 0 && !corrects;
    const flags = applyFill(order.progress, {
      tradeId: fill.tradeId,
      terms: termsText(fill),
      lots: fillLots,
      price,
      quantity: moved,
      lotsOf: (sum) => lotsOf(instrument, decimalText(sum)),
    });
    if (flags === 0) return 0;
    this.#seen(order, ts);
    order.filledTo = Math.max(order.filledTo, fill.ts);
    if (isFirst && !order.exits) this.trades.entered(order.strategy, fill.ts);
    this.#book(order.strategy, instrument, fill, amounts);
    this.heard.spend(instrument, fill.side, amounts);
    if (!corrects) {
      this.trials.filled(order.strategy);
      this.latchCounts.filled(order.strategy, ts);
    }
    if (order.parent !== undefined)
      this.programs.filled(
        order,
        fillLots,
        { price, quantity: moved },
        fill.feeCurrency === instrument.base ? amounts.fee : ZERO,
        // The exchange's clock may be wrong, but nothing fills before it is sent or after it is known.
        Math.min(ts, Math.max(fill.ts, order.sentAt)),
      );
    // The withdrawn quantity may be what closed it.
    if (corrects && !isClosed(order.progress)) order.endedAt = 0;
    return this.#filed(order, flags);
  }

  /** `id` is unique for ever; the first adjustment of a name is its opening. */
  adjust({ id, subject, name, quantity: moved, cause, asOf }: Adjustment, ts: number): void {
    const key = `${subject}/${name}`;
    const quantity = dec(moved);
    this.booked.add(id);
    const orderKey = orderKeyOf(id);
    if (orderKey !== undefined) {
      this.booked.add(orderKey);
      if (subject === 'position' && cause === EXTERNAL_TRADE) this.movedByOthers.set(name, ts);
      if (isOfLiquidation(cause)) this.booked.add(liquidationKeyOf(id));
    }
    if (!this.opened.has(key)) this.opened.set(key, asOf ?? ts);
    this.adjustments.set(key, (this.adjustments.get(key) ?? ZERO).plus(quantity));
  }

  /** Unix ms; undefined without an opening. */
  openedAt(subject: 'balance' | 'position', name: string): number | undefined {
    return this.opened.get(`${subject}/${name}`);
  }

  /** Adjustments, own fills, funding and own transfers. */
  explainedBalance(currency: string): Decimal {
    return (this.adjustments.get(`balance/${currency}`) ?? ZERO)
      .plus(this.effects.get(currency) ?? ZERO)
      .plus(this.money.tradingEffect(currency));
  }

  /** Whether any currency's explained balance is above `least`. */
  explainsMoney(least: Decimal): boolean {
    const opened = [...this.adjustments.keys()].filter((key) => key.startsWith('balance/'));
    const currencies = [...opened.map((key) => key.slice('balance/'.length)), ...this.effects.keys()];
    return currencies.some((currency) => this.explainedBalance(currency).gt(least));
  }

  /** Adjustments and the positions of all strategies. `name`: as `positionName`. */
  explainedPosition(name: string): Decimal {
    let sum = this.adjustments.get(`position/${name}`) ?? ZERO;
    for (const held of this.positions.all())
      if (positionName(held.instrument.symbol, held.positionSide) === name) sum = sum.plus(held.position.quantity);
    return sum;
  }

  isBooked(key: string): boolean {
    return this.booked.has(key);
  }

  leaveUndivided(entry: UndividedEntry): void {
    this.booked.add(liquidationKey(entry.fill));
    this.booked.add(liquidationOrderKey(entry.fill.symbol, entry.fill.orderId));
    this.undivided.seen(entry);
  }

  /** Counts like an own fill of the strategy. */
  liquidate(strategy: string, instrument: Instrument, fill: VenueFill): void {
    this.booked.add(liquidationKey(fill));
    this.booked.add(liquidationOrderKey(fill.symbol, fill.orderId));
    const amounts = amountsOf(fill);
    this.#book(strategy, instrument, fill, amounts);
  }

  /** `instrument`: undefined without an own position. */
  fund(entry: FundingEntry, instrument: Instrument | undefined): void {
    const amount = dec(entry.amount);
    this.booked.add(fundingKey(entry.id));
    this.#add(entry.currency, amount);
    if (entry.strategy !== null && instrument !== undefined)
      this.positions.fund(entry.strategy, instrument, entry.positionSide, amount);
  }

  /** Undefined resumes. All live orders are marked here, because a dying process cannot journal each cancel. */
  kill(reason: string | undefined): void {
    this.killReason = reason;
    if (reason === undefined) return;
    for (const order of this.orders.allLive()) if (!isClosed(order.progress)) order.cancelWanted = true;
  }

  rewind({ event, reason, orderId }: RestoredEntry, ts: number): void {
    if (orderId !== undefined) this.toldLost.add(orderId);
    if (event === 'acknowledged') this.acknowledgedAt = ts;
    const since = event === 'rewound' ? this.resumedFrom : ts;
    this.restored = event === 'acknowledged' ? undefined : { since, reason };
  }

  #book(strategy: string, instrument: Instrument, fill: VenueFill, amounts: FillAmounts): void {
    const isClosed = this.trades.book(this.positions, strategy, instrument, fill, amounts);
    // In hedge mode the other side may be the one that was named.
    if (isClosed && (fill.positionSide ?? 'both') === 'both')
      this.unprotected.delete(bareKey({ strategy, symbol: instrument.symbol }));
    eachEffect(instrument, fill, amounts, this.#add);
  }

  readonly #add = (currency: string, amount: Decimal): void => {
    if (!amount.isZero()) this.effects.set(currency, (this.effects.get(currency) ?? ZERO).plus(amount));
  };

  #seen(order: OwnOrder, ts: number): void {
    if (order.ackedAt === 0) order.ackedAt = ts;
    if (order.endedAt === 0 && isClosed(order.progress)) order.endedAt = ts;
    if (order.sentAt === 0) order.sentAt = ts;
    order.absentSince = 0;
    order.reason = undefined;
    order.message = undefined;
  }

  #conclude(order: OwnOrder, verdict: Verdict, reason: string, message: string): number {
    const flags = applyVerdict(order.progress, verdict);
    if (flags > 0) {
      order.reason = reason;
      order.message = message;
    }
    return this.#filed(order, flags);
  }

  #filed(order: OwnOrder, flags: number): number {
    // No position counts on an order that was concluded not to exist, so it is cancelled.
    if (flags > 0 && (flags & CONTRADICTION) !== 0) order.cancelWanted = true;
    if (flags > 0) this.orders.refile(order);
    return flags;
  }
}

type Seen<Value> =
  Value extends Map<infer Key, infer Held>
    ? ReadonlyMap<Key, Held>
    : Value extends Set<infer Held>
      ? ReadonlySet<Held>
      : Value;

type Query = 'explainedBalance' | 'explainedPosition' | 'explainsMoney' | 'isBooked' | 'openedAt';
type Field = {
  [Name in keyof TradingState]: TradingState[Name] extends (...args: never[]) => unknown ? never : Name;
}[keyof TradingState];

/** The state as everybody but `apply` sees it. */
export type StateView = {
  readonly [Name in Exclude<Field, 'heard' | 'money' | 'programs'> | Query]: Seen<TradingState[Name]>;
} & { readonly heard: HeardView; readonly money: MoneyView; readonly programs: ProgramsView };
