/**
 * Liquidations: the exchange closes a position by an order of its own. The order is external, its fills are booked to the
 * strategies that held the position (the largest first), the alarm says so, and the symbol takes no new risk until the
 * next start: a strategy that goes on as if nothing had happened would open again what was just taken (reliability O39).
 * Comes from the stream and from the reconciler's readings, in any order and again and again; unique by trade id. A fill of
 * more than is known to be held waits: fills of ours, or trades of others, that opened the rest are still to come. One that was
 * taken for a trade of others is booked anew when its order is shown.
 */
import type { VenueFill } from '../model/fill.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Source } from '../model/journal.ts';
import { dec, type Decimal, decimalText, ZERO, smaller } from '../model/money.ts';
import type { OrderReport, Side } from '../model/order.ts';
import type { Gate, GateClosure } from '../model/ports.ts';
import type { HeldThen } from './closes-of-others.ts';
import type { Core, Desk } from './core.ts';
import { externalTradeKey } from './external-keys.ts';
import { positionTold } from './holdings.ts';
import { heldBefore, positionName, type FillTimes, type HeldPosition } from './positions.ts';
import { liquidationKey, liquidationOrderKey } from './trading-state.ts';

/** Decimal places at which the parts of a fee are cut; the last part takes the rest. */
const FEE_PLACES = 18;
/** Orders that are remembered as liquidations. */
const ORDERS_MAX = 1_000;
/** What is pushed was done at most so long before; what came by the same channel before it was done before it. */
const PUSH_LATE_MS = 5_000;

/**
 * The order by which the exchange closes a position. Its reason on the wire is assumed: the wire profile has the field, not
 * its values. An order that a liquidation cancelled bears the same reason and may be one of ours, without our id.
 */
export function isLiquidation({ market, reason, status }: OrderReport): boolean {
  return market === 'derivative' && status !== 'canceled' && reason === 'liquidation';
}

/**
 * A fill that nobody of ours made, and what each strategy held when it was first seen: that, and not what is held when its order is
 * shown, says whose it was. Above zero: long.
 */
interface Sighting {
  readonly fill: VenueFill;
  readonly held: Map<HeldPosition, Decimal>;
  /** Of these, what was opened well after the fill, if the exchange dates both right. */
  readonly late: Set<HeldPosition>;
  /** Unix ms: what was booked before this was done before it, whatever both bear. */
  readonly since: number;
  /** Unix ms, of receipt. */
  readonly at: number;
}

export class Liquidations implements Gate, Desk {
  readonly name = 'liquidation';
  readonly #core: Core;
  /** With their sides. */
  readonly #orders = new Map<string, Side>();
  readonly #closed = new Map<string, string>();
  /** By trade id; at most as many as there are orders remembered. */
  readonly #waiting = new Map<string, Sighting>();
  /** By trade id: what may be of a liquidation and is not booked yet. Beyond the bound the oldest are forgotten. */
  readonly #seen = new Map<string, Sighting>();
  /** Unix ms: what lists of trades that were read whole have shown, `from` the oldest. */
  #shown: { readonly from: number; readonly to: number } | undefined;

  constructor(core: Core) {
    this.#core = core;
  }

  closedBecause(symbol: string): GateClosure | null {
    let message = this.#closed.get(symbol);
    if (this.#waiting.size === 0 && message === undefined) return null;
    for (const { fill } of this.#waiting.values()) {
      if (fill.symbol === symbol)
        message ??= `${symbol}: of ${fill.quantity} liquidated it is not known whose they were`;
    }
    return message === undefined ? null : { reason: 'liquidated', message };
  }

  /** What waited is booked as soon as it is known who held it, the oldest first. `to`: trades up to then, Unix ms. */
  work(to = Number.POSITIVE_INFINITY): void {
    if (this.#waiting.size === 0) return;
    const due = [...this.#waiting.values()].filter(({ fill }) => fill.ts <= to);
    for (const sighting of due.toSorted((left, right) => left.fill.ts - right.fill.ts)) this.#bookOf(sighting);
  }

  get waits(): boolean {
    return this.#waiting.size > 0;
  }

  /** A list of the trades since `from` was read whole as of then, Unix ms, and all that it showed was told. */
  shown(from: number, asOf: number): void {
    this.#shown = { from: Math.min(from, this.#shown?.from ?? from), to: asOf };
  }

  /** A fill of ours, or a part of a liquidation, is booked: what was seen before it and is no older found it done. */
  booked(held: HeldPosition, { side, quantity, ts }: VenueFill): void {
    if (this.#seen.size === 0) return;
    const name = positionName(held.instrument.symbol, held.positionSide);
    for (const { fill, held: then, late } of this.#seen.values()) {
      if (nameOf(fill) !== name || ts > fill.ts) continue;
      late.delete(held);
      then.set(held, (then.get(held) ?? ZERO).plus(side === 'buy' ? quantity : dec(quantity).neg()));
    }
  }

  /** Whether events of this order are to be kept: it may turn out to be a liquidation. */
  concerns(symbol: string): boolean {
    return this.#holders(symbol).length > 0;
  }

  /** A report that is not of an order of ours and says that it is a liquidation. Tells it once. */
  report({ orderId, symbol, side, quantity, positionSide, updatedAt }: OrderReport): void {
    if (this.#orders.has(orderId)) return;
    this.#orders.set(orderId, side);
    if (this.#orders.size > ORDERS_MAX) this.#forgetOldest();
    if (this.#isHeldByOpening(positionName(symbol, positionSide ?? 'both'), updatedAt)) return;
    // Booked before a restart: known, and whoever started again has seen it.
    if (this.#core.state.isBooked(liquidationOrderKey(symbol, orderId))) return;
    const what = `${side} ${quantity} ${symbol}${positionSide === undefined || positionSide === 'both' ? '' : ` ${positionSide}`}`;
    this.#core.alarm('liquidated', `the exchange liquidates: ${what} (order ${orderId})`);
  }

  /** True when the fill is of a liquidation: booked before, now, or when it is known who held it. */
  fill(told: VenueFill, source: Source): boolean {
    const { state } = this.#core;
    if (state.isBooked(liquidationKey(told))) return true;
    const side = this.#orders.get(told.orderId);
    const isKnown = side !== undefined;
    const fill = !isKnown || side === told.side ? told : { ...told, side };
    if (state.isBooked(restId(fill))) {
      if (isKnown) this.#bookAnew(fill);
      return true;
    }
    const sighting = { ...this.#sighted(fill, source), fill };
    if (!isKnown) return false;
    if (this.#isHeldByOpening(nameOf(fill), fill.ts)) return true;
    // Beyond the bound the readings bring it again.
    if (!this.#bookOf(sighting) && this.#waiting.size < ORDERS_MAX) this.#waiting.set(fill.tradeId, sighting);
    return true;
  }

  #sighted(fill: VenueFill, source: Source): Sighting {
    let sighting = this.#seen.get(fill.tradeId);
    if (sighting !== undefined) return sighting;
    if (fill.market !== 'derivative') return { fill, held: new Map(), late: new Set(), since: 0, at: 0 };
    const since = this.#wasNotBefore(fill, source);
    const held = this.#heldNow(fill);
    const late = new Set([...held.keys()].filter((one) => this.#isOpenedLater(one, fill, since)));
    for (const one of this.#goneSince(fill, since)) {
      held.set(one, ZERO);
      late.add(one);
    }
    sighting = { fill, held, late, since, at: this.#core.now() };
    this.#seen.set(fill.tradeId, sighting);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > ORDERS_MAX && oldest !== undefined) this.#seen.delete(oldest);
    return sighting;
  }

  /** A difference in this position is about to be taken over, as of then: what waits is part of it, and is booked by its name. */
  settle(name: string, asOf: number): void {
    for (const { fill, held } of this.#waiting.values()) {
      if (nameOf(fill) !== name || fill.ts > asOf) continue;
      this.#book(fill, held, true);
      this.#forget(fill);
    }
  }

  /**
   * To those who held it when it was seen and could have held it then, and to those who had held it and have opened another
   * position since, where these and others make up the whole, whose trades may still be read; else to all who held it when it was
   * seen; else, where a fill that opened it bears a later time, to those who hold it now.
   */
  #bookOf({ fill, held, late, since, at }: Sighting): boolean {
    const early = new Map([...held].map(([one, now]) => [one, late.has(one) ? this.#heldThen(one, fill, since) : now]));
    const isDated = late.size > 0 && this.#core.now() - at < this.#core.deps.options.reconcile.historyLagMs;
    const isBooked =
      this.#book(fill, early) || (!isDated && (this.#book(fill, held) || this.#book(fill, this.#heldNow(fill))));
    if (isBooked) this.#forget(fill);
    return isBooked;
  }

  #forget({ tradeId }: VenueFill): void {
    this.#waiting.delete(tradeId);
    this.#seen.delete(tradeId);
  }

  /** False, and nothing is booked, when more was closed than is known to be held, unless `isSettled`: the rest was of others. */
  #book(fill: VenueFill, then: ReadonlyMap<HeldPosition, Decimal>, isSettled = false): boolean {
    const sells = fill.side === 'sell';
    const holders = [...then]
      .filter(([, quantity]) => !quantity.isZero() && quantity.isPositive() === sells)
      .map(([held, quantity]): HeldThen => ({ held, quantity: quantity.abs() }))
      .toSorted((left, right) => right.quantity.cmp(left.quantity));
    const whole = dec(fill.quantity);
    const ours = holders.reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
    const isKnown = !this.#isCounted(fill) || this.#ofOthers(fill).gte(whole.minus(ours));
    if (ours.lt(whole) && !isKnown && !isSettled) return false;
    const left = this.#divide(fill, holders);
    if (!left.isZero()) this.#rest(fill, left);
    return true;
  }

  /**
   * It was booked as a trade of others, since the history was silent about its order for longer than it may lag: those who held
   * the position then bear it after all, and it leaves what is counted as of others. What they have sold since, they sold short.
   */
  #bookAnew(fill: VenueFill): void {
    const { closes } = this.#core.state;
    const whole = dec(fill.quantity);
    const ours = whole.minus(this.#divide(fill, closes.heldBeside(restId(fill))));
    if (!ours.isZero())
      this.#adjust(fill, `liquidated/${restId(fill)}`, fill.side === 'buy' ? ours.neg() : ours, 'liquidation of ours');
  }

  /** Books its parts to those who held so much. Answers what is left. */
  #divide(fill: VenueFill, holders: readonly HeldThen[]): Decimal {
    const whole = dec(fill.quantity);
    let left = whole;
    let feeLeft = dec(fill.fee);
    for (const { held, quantity: most } of holders) {
      if (left.isZero()) break;
      const quantity = smaller(left, most);
      left = left.minus(quantity);
      const fee = left.isZero() ? feeLeft : dec(fill.fee).times(quantity).div(whole).toDecimalPlaces(FEE_PLACES);
      feeLeft = feeLeft.minus(fee);
      this.#take(held, { ...fill, quantity: decimalText(quantity), fee: decimalText(fee) });
    }
    return left;
  }

  /** It was before what was taken over as the opening, which was still for `historyLagMs`: whose ever it was, it is in it. */
  #isHeldByOpening(name: string, ts: number): boolean {
    const { state, deps } = this.#core;
    const openedAt = state.openedAt('position', name);
    return openedAt !== undefined && ts < openedAt - deps.options.reconcile.historyLagMs / 2;
  }

  /** What was taken over as the opening does not hold it already. */
  #isCounted(fill: VenueFill): boolean {
    return this.#isOpened(fill) && !this.#isHeldByOpening(nameOf(fill), fill.ts);
  }

  /** What others are known to hold that this fill could have closed. */
  #ofOthers(fill: VenueFill): Decimal {
    const held = this.#core.state.adjustments.get(`position/${nameOf(fill)}`) ?? ZERO;
    return fill.side === 'sell' ? held : held.neg();
  }

  /** What is not ours of the fill was held by others: it leaves what is counted as theirs. */
  #rest(fill: VenueFill, quantity: Decimal): void {
    const id = restId(fill);
    if (!this.#isCounted(fill) || this.#core.state.isBooked(id)) return;
    this.#adjust(fill, id, fill.side === 'buy' ? quantity : quantity.neg(), 'liquidation of others');
  }

  #adjust(fill: VenueFill, id: string, quantity: Decimal, cause: string): void {
    this.#core.adjust({ id, subject: 'position', name: nameOf(fill), quantity: decimalText(quantity), cause });
  }

  #take(held: HeldPosition, part: VenueFill): void {
    const core = this.#core;
    const { strategy, instrument } = held;
    // What the venue realised is of the whole fill; each strategy's own profit follows from its own cost.
    const { realizedPnl: _whole, ...fill } = part;
    core.putInstrument(instrument);
    core.state.liquidate(strategy, instrument, fill, core.now());
    this.booked(held, fill);
    core.put({ kind: 'liquidation', strategy, fill });
    this.#close(instrument, strategy, fill);
    const mid = core.deps.market.mid(fill.symbol) ?? null;
    const told = Object.freeze({ ...fill, ref: `liquidation-${fill.tradeId}`, tag: strategy });
    core.turn.emit(Object.freeze({ kind: 'fill', strategy, fill: told, mid, arrivalMid: null }));
    core.turn.emit(positionTold(core, held));
    core.moved.add(fill.symbol);
    core.workWanted = true;
  }

  #close({ symbol }: Instrument, strategy: string, { quantity, price }: VenueFill): void {
    this.#closed.set(
      symbol,
      `${symbol}: the exchange liquidated ${quantity} of ${strategy} at ${price}; no new risk until the next start`,
    );
  }

  /**
   * Where no opening says what was there before, what was opened well after the fill had not been closed by it. Elsewhere the
   * dates of an exchange whose clock went back are not taken at their word.
   */
  #heldNow(fill: VenueFill): Map<HeldPosition, Decimal> {
    const isOpened = this.#isOpened(fill);
    const holders = this.#positionsOf(fill).filter(
      (one) => one.lots !== 0 && (isOpened || !this.#isOpenedLater(one, fill, 0)),
    );
    return new Map(holders.map((held) => [held, held.position.quantity]));
  }

  /** Flat now, held then by the dates of the exchange: closed by own fills after it, for all that was known. */
  #goneSince(fill: VenueFill, since: number): readonly HeldPosition[] {
    if (!this.#isOpened(fill)) return [];
    return this.#positionsOf(fill).filter((one) => {
      if (one.lots !== 0 || !this.#isOpenedLater(one, fill, since)) return false;
      const then = this.#heldThen(one, fill, since);
      return fill.side === 'sell' ? then.gt(0) : then.lt(0);
    });
  }

  /** Of all strategies, flat ones too. */
  #positionsOf(fill: VenueFill): readonly HeldPosition[] {
    const name = nameOf(fill);
    return this.#core.state.positions
      .all()
      .filter(({ instrument, positionSide }) => positionName(instrument.symbol, positionSide) === name);
  }

  /** What was there before this began is known. */
  #isOpened(fill: VenueFill): boolean {
    return this.#core.state.openedAt('position', nameOf(fill)) !== undefined;
  }

  /**
   * By the dates of the exchange it was not there to be closed. One that is still to come says nothing: what an older journal reads
   * anew is booked late.
   */
  #isOpenedLater({ opened }: HeldPosition, fill: VenueFill, since: number): boolean {
    const slackMs = this.#core.deps.options.reconcile.historyLagMs / 2;
    return opened.ts <= this.#core.now() + slackMs && this.#isLater(opened, fill, since, slackMs);
  }

  /** By the dates of the exchange. */
  #heldThen(held: HeldPosition, fill: VenueFill, since: number): Decimal {
    return heldBefore(held, (times) => this.#isLater(times, fill, since)) ?? ZERO;
  }

  /** A fill of ours was done by when it was booked: where it bears a later time, that is of a clock that was ahead. */
  #isLater({ ts, at }: FillTimes, fill: VenueFill, since: number, slackMs = 0): boolean {
    const isAhead = ts > at + this.#core.deps.options.reconcile.historyLagMs / 2;
    return at > since && (isAhead ? at : ts) > fill.ts + slackMs;
  }

  /**
   * Unix ms, for a fill that is seen for the first time: a list that was read whole would have shown one of before, and one that is
   * pushed now was done now. If it bears an earlier time, that is of a clock of the exchange that was behind.
   */
  #wasNotBefore({ ts }: VenueFill, source: Source): number {
    const now = this.#core.now();
    const { historyLagMs } = this.#core.deps.options.reconcile;
    if (source === 'stream') return ts < now - historyLagMs ? now - PUSH_LATE_MS : 0;
    return this.#shown === undefined || ts < this.#shown.from ? 0 : this.#shown.to - historyLagMs;
  }

  #holders(symbol: string): readonly HeldPosition[] {
    return [...this.#core.state.positions.all()].filter(
      (held) => held.instrument.market === 'derivative' && held.instrument.symbol === symbol && held.lots !== 0,
    );
  }

  #forgetOldest(): void {
    for (const oldest of this.#orders.keys()) {
      this.#orders.delete(oldest);
      return;
    }
  }
}

function nameOf({ symbol, positionSide }: VenueFill): string {
  return positionName(symbol, positionSide ?? 'both');
}

/** Of the part that others held; as their trades are named. */
function restId(fill: VenueFill): string {
  return externalTradeKey(fill, nameOf(fill));
}
