/**
 * Books each external trade once, as an adjustment. A trade waits while it may be own, a liquidation, lost in a
 * restore, or of unknown side. Two histories must miss its order, because one may be wrong.
 */
import type { VenueFill } from '../model/fill.ts';
import { decimalText, type Decimal } from '../model/money.ts';
import type { OrderReport, Side } from '../model/order.ts';
import { externalOrderKey, externalTradeKey, liquidationKey } from '../spine/external-keys.ts';
import { itemsOf, type CompareRules, type Readings } from './compare.ts';
import { isUnproved, type LocalOrder } from './local-order.ts';
import { movesOf, positionNameOf } from './external-moves.ts';
import { couldBe, couldHaveTraded, earliestOf, fenceOf, type MatchRules } from './match.ts';
import { liveOrders } from './own-orders-in.ts';
import type { ReconcilerPort } from './port.ts';

const NAMED_MAX = 1_000;
/** Overlap of history reads, ms. */
const LOOK_BACK_MS = 120_000;

export interface ExternalTradesDeps {
  readonly port: ReconcilerPort;
  /** `ts`: Unix ms. */
  readonly booked: (subject: 'balance' | 'position', name: string, ts: number) => void;
  readonly sideOf: (orderId: string) => Side | undefined;
}

export class ExternalTrades {
  /** Unix ms of the oldest waiting trade. */
  waitingFrom = Number.POSITIVE_INFINITY;
  wantsHistory = false;
  readonly #port: ReconcilerPort;
  readonly #booked: ExternalTradesDeps['booked'];
  readonly #sideOf: ExternalTradesDeps['sideOf'];
  /** Read ended orders in the next pass. */
  asksWho = false;
  readonly #named = new Set<string>();
  /** Orders of booked perpetual trades → Unix ms until which lists are searched for them. */
  readonly #unseen = new Map<string, number>();
  #missed: ReadonlySet<string> = new Set();
  /** Future-dated trades that do not wait. */
  readonly #ahead = new Map<VenueFill, 'trade of others' | 'liquidation of others'>();
  /** Unix ms of the newest list. */
  #asOf = 0;
  #liquidatedNow: VenueFill[] = [];
  /** Name → Unix ms of its newest external trade; 0: none. */
  readonly #movedAt = new Map<string, number>();

  constructor({ port, booked, sideOf }: ExternalTradesDeps) {
    this.#port = port;
    this.#booked = booked;
    this.#sideOf = sideOf;
  }

  get isWaiting(): boolean {
    return this.waitingFrom < Number.POSITIVE_INFINITY;
  }

  bookAll(fills: readonly VenueFill[], rules: Omit<CompareRules, 'others'>, readings: Readings): void {
    this.waitingFrom = Number.POSITIVE_INFINITY;
    this.wantsHistory = false;
    this.asksWho = false;
    const { active, history } = readings;
    const reports = [...itemsOf(active), ...itemsOf(history)];
    const shown = new Map(reports.map((report) => [report.orderId, report]));
    // After a restore an order without id may be a lost own one.
    const mayShowIds = rules.adopts !== false && rules.ids === 'kept';
    const nameless = new Set(
      reports.flatMap((one) => (mayShowIds && one.clientOrderId === undefined ? [one.orderId] : [])),
    );
    const wholeTo = history?.kind === 'complete' ? history.asOf - rules.historyLagMs - rules.skewMs : 0;
    this.#asOf = readings.trades.asOf;
    this.#ahead.clear();
    const settled: VenueFill[] = [];
    const missed = new Set<string>();
    const unproved = liveOrders(this.#port.state).filter(isUnproved);
    // Its real time is unknown, so no opening waits for it.
    const isAhead = ({ ts }: VenueFill): boolean => ts > readings.trades.asOf + rules.skewMs;
    for (const fill of this.#liquidatedNow)
      if (isAhead(fill)) this.#ahead.set(fill, 'liquidation of others');
      else this.#moved(fill);
    this.#liquidatedNow = [];
    for (const fill of fills) {
      if (fill.ts <= this.#port.state.orders.forgottenTo) continue;
      if (!isAhead(fill)) this.#moved(fill);
      const sought = unproved.filter((order) => couldHaveTraded(order, fill, rules));
      const isPlain = fill.market !== 'derivative' && rules.adopts === false && sought.length === 0;
      const isAnybodys = isPlain && rules.believesSide(fill);
      const isNameless = !isAnybodys && !shown.has(fill.orderId) && this.#isOpen(fill);
      const isMissed = isNameless && (fill.ts <= wholeTo || isAhead(fill));
      if (isMissed) missed.add(fill.orderId);
      const needsHistory = isNameless && !(isMissed && this.#missed.has(fill.orderId));
      this.wantsHistory ||= needsHistory;
      // History is read every other pass.
      if (rules.ids === 'kept' && fill.ts > readings.trades.asOf - 2 * rules.historyLagMs)
        this.#askWho(fill.orderId, shown.has(fill.orderId));
      if (needsHistory || nameless.has(fill.orderId) || couldBeOurs(sought, fill, shown.get(fill.orderId), rules))
        this.waitingFrom = Math.min(this.waitingFrom, fill.ts);
      else {
        if (fill.market === 'derivative' && !shown.has(fill.orderId) && this.#isOpen(fill))
          this.#unseen.set(fill.orderId, readings.trades.asOf + LOOK_BACK_MS);
        const side =
          shown.get(fill.orderId)?.side ??
          this.#sideOf(fill.orderId) ??
          this.#port.toldSides.likely(fill, this.#port.deps.instruments.find(fill.symbol));
        settled.push(sided(fill, side));
        if (isAhead(fill)) this.#ahead.set(fill, 'trade of others');
      }
    }
    if (history?.kind === 'complete') this.#missed = missed;
    for (const fill of settled) this.#book(fill);
    this.#lookBack(shown, readings.trades.asOf);
  }

  /** History may show late that it was a liquidation. */
  #lookBack(shown: ReadonlyMap<string, unknown>, asOf: number): void {
    for (const [orderId, until] of this.#unseen) if (shown.has(orderId) || asOf >= until) this.#unseen.delete(orderId);
    this.asksWho ||= this.#unseen.size > 0;
  }

  /** The opening contains future-dated trades; by date they would be booked again. */
  noteHeld(): void {
    for (const [fill, cause] of this.#ahead) {
      if (this.#port.state.isBooked(liquidationKey(fill))) continue;
      const subject = fill.market === 'derivative' ? 'position' : 'balance';
      for (const name of this.#movedBy(fill)) {
        const key = externalTradeKey(fill, name);
        const isOpenedNow = (this.#port.state.openedAt(subject, name) ?? 0) >= this.#asOf;
        if (!isOpenedNow || this.#port.state.isBooked(key)) continue;
        this.#port.adjust({ id: key, subject, name, quantity: '0', cause: `${cause}, held by the opening` });
      }
    }
  }

  booked(orders: readonly { readonly symbol: string; readonly orderId: string }[]): ReadonlySet<string> {
    const booked = orders.filter(({ symbol, orderId }) => this.#port.state.isBooked(externalOrderKey(symbol, orderId)));
    return new Set(booked.map(({ orderId }) => orderId));
  }

  /** Only history shows the sender of an order that never rested. */
  #askWho(orderId: string, isShown: boolean): void {
    if (this.#named.has(orderId)) return;
    this.asksWho ||= !isShown;
    if (!isShown) return;
    this.#named.add(orderId);
    const [oldest] = this.#named;
    if (this.#named.size > NAMED_MAX && oldest !== undefined) this.#named.delete(oldest);
  }

  liquidated(fill: VenueFill): void {
    this.#liquidatedNow.push(fill);
  }

  /** A future-dated trade counts as of now. */
  #moved(fill: VenueFill): void {
    const ts = Math.min(fill.ts, this.#port.deps.clock.now());
    for (const name of this.#movedBy(fill)) this.#movedAt.set(name, Math.max(ts, this.movedAt(name)));
  }

  movedAt(name: string): number {
    return this.#movedAt.get(name) ?? 0;
  }

  #movedBy(fill: VenueFill): readonly string[] {
    const instrument = this.#port.deps.instruments.find(fill.symbol);
    if (instrument === undefined) return [];
    return instrument.market === 'derivative' ? [positionNameOf(fill)] : [instrument.base, instrument.quote];
  }

  #isOpen(fill: VenueFill): boolean {
    const subject = fill.market === 'derivative' ? 'position' : 'balance';
    return this.#movedBy(fill).some((name) => this.#idOf(fill, subject, name) !== undefined);
  }

  #book(fill: VenueFill): void {
    const instrument = this.#port.deps.instruments.find(fill.symbol);
    if (instrument === undefined) return;
    const subject = instrument.market === 'derivative' ? 'position' : 'balance';
    for (const [name, amount] of movesOf(fill, this.#port.deps.instruments)) this.#adjust(fill, subject, name, amount);
  }

  #adjust(fill: VenueFill, subject: 'balance' | 'position', name: string, amount: Decimal): void {
    const id = amount.isZero() ? undefined : this.#idOf(fill, subject, name);
    if (id === undefined) return;
    this.#port.adjust({ id, subject, name, quantity: decimalText(amount), cause: 'trade of others' });
    // Its real time is unknown.
    this.#booked(subject, name, fill.ts > this.#asOf ? 0 : fill.ts);
  }

  /** Undefined when booked, or contained in the opening. */
  #idOf(fill: VenueFill, subject: 'balance' | 'position', name: string): string | undefined {
    const port = this.#port;
    if (port.state.openedAt(subject, name) === undefined || this.#isHeldByOpening(fill, subject, name))
      return undefined;
    const id = externalTradeKey(fill, name);
    return port.state.isBooked(id) ? undefined : id;
  }

  #isHeldByOpening({ ts }: VenueFill, subject: 'balance' | 'position', name: string): boolean {
    const openedAt = this.#port.state.openedAt(subject, name);
    return openedAt !== undefined && ts < openedAt;
  }
}

/** By the widest clock doubt. `report`: the trade's order, if listed; it decides after a clock step back. */
function couldBeOurs(
  sought: readonly LocalOrder[],
  fill: VenueFill,
  report: OrderReport | undefined,
  rules: MatchRules,
): boolean {
  return sought.some(
    (order) =>
      fill.ts >= earliestOf(order) - fenceOf(order, rules) || (report !== undefined && couldBe(order, report, rules)),
  );
}

function sided(fill: VenueFill, side: Side): VenueFill {
  return fill.side === side ? fill : { ...fill, side };
}
