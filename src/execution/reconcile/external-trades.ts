/**
 * Trades of the account that are not ours, such as a human's: each is booked once and exactly, as a labelled adjustment of
 * what it moved, so that balances and positions stay explained to the last unit while somebody else trades beside us. A
 * trade that could still turn out to be ours waits until that is settled: one in a perpetual until it is known that its
 * order is no liquidation, one that an order of unknown fate which is sought could have made, and one of whose side nothing is known, until its order is known, whatever time it bears,
 * and after a restore from a backup each until it is known that its order is not one that was lost. A list shows that order, or
 * the history, which may lag behind the trades, cannot miss it any more. A history that misses it
 * contradicts the trade, so that a second one is asked: an empty answer may be a wrong one. Used by the reconciler.
 */
import type { VenueFill } from '../../model/fill.ts';
import { decimalText, type Decimal } from '../../model/money.ts';
import type { OrderReport, Side } from '../../model/order.ts';
import { externalOrderKey, externalTradeKey, liquidationKey } from '../external-keys.ts';
import { AheadDated } from './ahead-dated.ts';
import { itemsOf, type CompareRules, type Readings } from './compare.ts';
import { isUnproved, type LocalOrder } from './local-order.ts';
import { movesOf, positionNameOf } from './external-moves.ts';
import { couldBe, couldHaveTraded, earliestOf, fenceOf, type MatchRules } from './match.ts';
import type { ReconcilerPort } from './port.ts';

const NAMED_MAX = 1_000;
/** Trades of liquidations that are remembered. */
const LIQUIDATED_MAX = 1_000;
/** As far as readings of the history overlap: an order that is shown later than that is not read any more. */
const LOOK_BACK_MS = 120_000;

export interface ExternalTradesDeps {
  readonly port: ReconcilerPort;
  /** Called with what a trade moved, and when, as it is booked. Unix ms. */
  readonly booked: (subject: 'balance' | 'position', name: string, ts: number) => void;
  /** Of an order that was shown before. */
  readonly sideOf: (orderId: string) => Side | undefined;
}

export class ExternalTrades {
  /** Unix ms of the oldest trade that waits; readings must go on to reach back to it. */
  waitingFrom = Number.POSITIVE_INFINITY;
  /** A trade waits for the orders that ended. */
  wantsHistory = false;
  readonly #port: ReconcilerPort;
  readonly #booked: ExternalTradesDeps['booked'];
  readonly #sideOf: ExternalTradesDeps['sideOf'];
  /** The next run should read the orders that ended, to learn who traded. */
  asksWho = false;
  /** Orders of others that traded and that a list has shown. */
  readonly #named = new Set<string>();
  /** Orders of trades in perpetuals that were booked although no list has shown them → Unix ms until which they are looked for. */
  readonly #unseen = new Map<string, number>();
  /** Orders of waiting trades that the newest complete history should have shown and did not. */
  #missed: ReadonlySet<string> = new Set();
  readonly #ahead = new AheadDated();
  /** Trades of the newest reading that bear a time to come and wait for nothing, with what they are of. */
  #aheadNow: { readonly fill: VenueFill; readonly cause: 'trade of others' | 'liquidation of others' }[] = [];
  /** Trades of liquidations of the reading that is being taken. */
  #liquidatedNow: VenueFill[] = [];
  /** Balance or position → Unix ms of the newest trade of others that moved it. */
  readonly #movedAt = new Map<string, number>();
  /** Trades of liquidations that have been seen. */
  readonly #liquidated = new Set<string>();

  constructor({ port, booked, sideOf }: ExternalTradesDeps) {
    this.#port = port;
    this.#booked = booked;
    this.#sideOf = sideOf;
  }

  get isWaiting(): boolean {
    return this.waitingFrom < Number.POSITIVE_INFINITY;
  }

  /** `readings`: those that showed the trades; their history reaches as far back. */
  bookAll(fills: readonly VenueFill[], rules: Omit<CompareRules, 'others'>, readings: Readings): void {
    this.waitingFrom = Number.POSITIVE_INFINITY;
    this.wantsHistory = false;
    this.asksWho = false;
    const { active, history } = readings;
    const reports = [...itemsOf(active), ...itemsOf(history)];
    const shown = new Map(reports.map((report) => [report.orderId, report]));
    // After a restore an order that shows no id may be one that was lost, whose id the exchange has forgotten for now.
    const mayShowIds = rules.adopts !== false && rules.ids === 'kept';
    const nameless = new Set(
      reports.flatMap((one) => (mayShowIds && one.clientOrderId === undefined ? [one.orderId] : [])),
    );
    const wholeTo = history?.kind === 'complete' ? history.asOf - rules.historyLagMs - rules.skewMs : 0;
    this.#aheadNow = [];
    const settled: VenueFill[] = [];
    const missed = new Set<string>();
    const redated = this.#ahead.redated([...fills, ...this.#liquidatedNow], readings.trades, rules.skewMs);
    this.#liquidatedNow = [];
    const unproved = this.#port.liveOrders().filter(isUnproved);
    for (const fill of redated.slice(fills.length))
      if (this.#ahead.has(fill)) this.#aheadNow.push({ fill, cause: 'liquidation of others' });
    for (const fill of redated.slice(0, fills.length)) {
      // It was read and booked when it was young, as what it was.
      if (fill.ts <= this.#port.forgottenTo()) continue;
      this.#moved(fill);
      // Whatever time the trade bears.
      const sought = unproved.filter((order) => couldHaveTraded(order, fill, rules));
      const isPlain = fill.market !== 'derivative' && rules.adopts === false && sought.length === 0;
      const isAnybodys = isPlain && rules.believesSide(fill);
      const isNameless = !isAnybodys && !shown.has(fill.orderId) && this.#isOpen(fill);
      const isMissed = isNameless && fill.ts <= wholeTo;
      if (isMissed) missed.add(fill.orderId);
      const needsHistory = isNameless && !(isMissed && this.#missed.has(fill.orderId));
      this.wantsHistory ||= needsHistory;
      // Twice as long as the history may lag: it is read with every other run.
      if (rules.ids === 'kept' && fill.ts > readings.trades.asOf - 2 * rules.historyLagMs)
        this.#askWho(fill.orderId, shown.has(fill.orderId));
      if (needsHistory || nameless.has(fill.orderId) || couldBeOurs(sought, fill, shown.get(fill.orderId), rules))
        this.waitingFrom = Math.min(this.waitingFrom, fill.ts);
      else {
        if (fill.market === 'derivative' && !shown.has(fill.orderId) && this.#isOpen(fill))
          this.#unseen.set(fill.orderId, readings.trades.asOf + LOOK_BACK_MS);
        const side = shown.get(fill.orderId)?.side ?? this.#sideOf(fill.orderId) ?? this.#port.likelySide(fill);
        settled.push(sided(fill, side));
        if (this.#ahead.has(fill)) this.#aheadNow.push({ fill, cause: 'trade of others' });
      }
    }
    if (history?.kind === 'complete') this.#missed = missed;
    for (const fill of settled) this.#book(fill);
    this.#lookBack(shown, readings.trades.asOf);
  }

  /** The history, late, may say of what was booked that the exchange liquidated. */
  #lookBack(shown: ReadonlyMap<string, unknown>, asOf: number): void {
    for (const [orderId, until] of this.#unseen) if (shown.has(orderId) || asOf >= until) this.#unseen.delete(orderId);
    this.asksWho ||= this.#unseen.size > 0;
  }

  /**
   * What an opening holds of trades that bear a time to come is told to later processes, which see them for the first time; with the
   * opening itself, since the process may die right after it.
   */
  noteHeld(): void {
    for (const { fill, cause } of this.#aheadNow) {
      if (this.#port.isBooked(liquidationKey(fill))) continue;
      const subject = fill.market === 'derivative' ? 'position' : 'balance';
      for (const name of this.#movedBy(fill)) {
        const key = externalTradeKey(fill, name);
        if (!this.#isHeldByOpening(fill, subject, name) || this.#port.isBooked(key)) continue;
        this.#port.adjust({ id: key, subject, name, quantity: '0', cause: `${cause}, held by the opening` });
      }
    }
  }

  /** Ids of the orders, of these, of which a trade is booked. */
  booked(orders: readonly { readonly symbol: string; readonly orderId: string }[]): ReadonlySet<string> {
    const booked = orders.filter(({ symbol, orderId }) => this.#port.isBooked(externalOrderKey(symbol, orderId)));
    return new Set(booked.map(({ orderId }) => orderId));
  }

  /** Whose a young trade is the history alone tells when its order never rested: another instance may have sent it. */
  #askWho(orderId: string, isShown: boolean): void {
    if (this.#named.has(orderId)) return;
    this.asksWho ||= !isShown;
    if (!isShown) return;
    this.#named.add(orderId);
    const [oldest] = this.#named;
    if (this.#named.size > NAMED_MAX && oldest !== undefined) this.#named.delete(oldest);
  }

  /** A trade of a liquidation is seen. When it was seen first counts: one dated ahead would move its position in every reading. */
  liquidated(fill: VenueFill): void {
    this.#liquidatedNow.push(fill);
    const key = `${fill.symbol}/${fill.tradeId}`;
    if (this.#liquidated.has(key)) return;
    this.#liquidated.add(key);
    const [oldest] = this.#liquidated;
    if (this.#liquidated.size > LIQUIDATED_MAX && oldest !== undefined) this.#liquidated.delete(oldest);
    this.#moved(fill);
  }

  /** Somebody else's trade, or one of a liquidation, has moved what it moves: by now, whatever time it bears. */
  #moved(fill: VenueFill): void {
    const ts = Math.min(fill.ts, this.#port.deps.clock.now());
    for (const name of this.#movedBy(fill)) this.#movedAt.set(name, Math.max(ts, this.movedAt(name)));
  }

  /** When others last moved it, as far as their trades were seen; Unix ms, 0: never. */
  movedAt(name: string): number {
    return this.#movedAt.get(name) ?? 0;
  }

  #movedBy(fill: VenueFill): readonly string[] {
    const instrument = this.#port.deps.instruments.find(fill.symbol);
    if (instrument === undefined) return [];
    return instrument.market === 'derivative' ? [positionNameOf(fill)] : [instrument.base, instrument.quote];
  }

  /** A trade that is still to be booked. */
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
    // When one that was dated ahead was made nobody knows.
    this.#booked(subject, name, this.#ahead.has(fill) ? 0 : fill.ts);
  }

  /**
   * Under which it is to be booked; undefined when it is booked. What an opening holds already is not booked again: it was
   * still for `historyLagMs` before it was taken over.
   */
  #idOf(fill: VenueFill, subject: 'balance' | 'position', name: string): string | undefined {
    const port = this.#port;
    if (port.openedAt(subject, name) === undefined || this.#isHeldByOpening(fill, subject, name)) return undefined;
    const id = externalTradeKey(fill, name);
    return port.isBooked(id) ? undefined : id;
  }

  #isHeldByOpening({ ts }: VenueFill, subject: 'balance' | 'position', name: string): boolean {
    const openedAt = this.#port.openedAt(subject, name);
    return openedAt !== undefined && ts < openedAt;
  }
}

/**
 * One of the orders that are sought, of unknown fate or on their way, is the one that traded, unless it left later. By the widest clock, as where its absence is in
 * doubt: what is known of the clock now may be better than what was known when it was sent. A trade that bears an earlier time may have
 * it of a clock that has gone back since: its order says then. `report`: of that order, where a list shows it.
 */
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
