/**
 * Liquidations: the exchange closes a position by an order of its own. The order is external. Its fills are booked to the strategy
 * that held the position, where one alone could have held it and no others had to do with it; the alarm says so, and the symbol
 * takes no new risk until the next start: a strategy that goes on as if nothing had happened would open again what was just taken
 * (reliability O39). Anything else is booked to the account, and the symbol takes no new risk until a human has said whose it was
 * (`undivided.ts`). Comes from the stream and from the reconciler's readings, in any order and again and again; unique by trade id.
 * A fill of more than is known to have been held then is left to the polls: the list of trades shows what came before it, and the
 * first that is whole decides, once no order of ours in the symbol is unresolved.
 */
import type { VenueFill } from '../model/fill.ts';
import type { Instrument } from '../model/instrument.ts';
import { dec, type Decimal, decimalText, greater, ONE, smaller, ZERO } from '../model/money.ts';
import type { Source } from '../model/journal.ts';
import type { OrderReport } from '../model/order.ts';
import type { Gate, GateClosure } from '../model/ports.ts';
import type { Core } from './core.ts';
import { partsOf, PRO_RATA, quantitiesOf } from './division.ts';
import { liquidationKey, liquidationOrderKey } from '../spine/external-keys.ts';
import { bookRest, bookShare, liquidatedName, restId } from './liquidated-share.ts';
import { isUnresolved } from '../spine/orders/order-machine.ts';
import { heldBefore, positionName, type HeldPosition } from '../spine/positions.ts';

/** Orders that are remembered as liquidations, and fills that are left. */
const ORDERS_MAX = 1_000;

/** Who could have held what was closed. */
interface Holder {
  readonly held: HeldPosition;
  /** By the dates of the exchange, or where that is nothing now; above zero, base units. */
  readonly quantity: Decimal;
  /** The smaller and the larger of the two. */
  readonly least: Decimal;
  readonly most: Decimal;
}

type Terms = Pick<OrderReport, 'market' | 'symbol' | 'side' | 'quantity'>;

/** Its side may be told as that of the taker; the rest cannot be another than that of its order. */
function contradicts({ market, symbol, quantity }: Terms, told: VenueFill): boolean {
  return told.market !== market || told.symbol !== symbol || dec(told.quantity).gt(dec(quantity));
}

export class Liquidations implements Gate {
  readonly name = 'liquidation';
  readonly #core: Core;
  readonly #orders = new Map<string, Terms>();
  readonly #closed = new Map<string, string>();
  /** Fills that are left to the polls, by trade id. Beyond the bound a poll shows them again. */
  readonly #left = new Map<string, VenueFill>();

  constructor(core: Core) {
    this.#core = core;
  }

  closedBecause(symbol: string): GateClosure | null {
    let message = this.#closed.get(symbol);
    message ??= this.#core.state.undivided.shuts(symbol);
    for (const fill of this.#left.values())
      if (fill.symbol === symbol)
        message ??= `${symbol}: of ${fill.quantity} liquidated it is not known whose they were`;
    return message === undefined ? null : { reason: 'liquidated', message };
  }

  /** Whether events of this order are to be kept: it may turn out to be a liquidation. */
  concerns(symbol: string): boolean {
    const { positions } = this.#core.state;
    return positions
      .all()
      .some(({ instrument, lots }) => instrument.market === 'derivative' && instrument.symbol === symbol && lots !== 0);
  }

  /** A report that is not of an order of ours and says that it is a liquidation. Tells it once. */
  report({ orderId, market, symbol, side, quantity, positionSide, updatedAt }: OrderReport): void {
    if (this.#orders.has(orderId)) return;
    this.#orders.set(orderId, { market, symbol, side, quantity });
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > ORDERS_MAX && oldest !== undefined) this.#orders.delete(oldest);
    if (this.#isHeldByOpening(positionName(symbol, positionSide ?? 'both'), updatedAt)) return;
    // Booked before a restart: known, and whoever started again has seen it.
    if (this.#core.state.isBooked(liquidationOrderKey(symbol, orderId))) return;
    const what = `${side} ${quantity} ${symbol}${positionSide === undefined || positionSide === 'both' ? '' : ` ${positionSide}`}`;
    this.#core.alarm('liquidated', `the exchange liquidates: ${what} (order ${orderId})`);
  }

  /** True when the fill is of a liquidation: booked before, now, or once it is known who held it. */
  fill(told: VenueFill, source: Source): boolean {
    const verdict = this.#take(told, source, false);
    if (verdict === 'left') {
      if (this.#left.size < ORDERS_MAX) this.#left.set(told.tradeId, told);
      if (source === 'stream') this.#core.onDoubt(`whose liquidation ${told.tradeId} is`);
    } else this.#left.delete(told.tradeId);
    return verdict !== 'external';
  }

  /** All that others have traded is booked, by a list that was read whole: what was left is judged by what is known now. */
  settle(): void {
    for (const [tradeId, fill] of this.#left)
      if (this.#take(fill, 'reconcile', !this.#isUnresolved(fill.symbol)) !== 'left') this.#left.delete(tradeId);
  }

  /** `isLast`: nothing more of what could explain it is to come. */
  #take(told: VenueFill, source: Source, isLast: boolean): 'over' | 'left' | 'external' {
    const { state } = this.#core;
    if (state.isBooked(liquidationKey(told))) return 'over';
    const order = this.#orders.get(told.orderId);
    // Of others alone.
    if (order === undefined) return state.isBooked(restId(told)) ? 'over' : 'external';
    // What the stream alone says is left to the list of own trades (reliability M13).
    if (source === 'stream' && contradicts(order, told)) {
      const message = `trade ${told.tradeId} contradicts liquidation ${told.orderId}`;
      this.#core.alarm('fill_contradiction', message);
      this.#core.halt(order.symbol, message);
      this.#core.onDoubt(message);
      return 'over';
    }
    const { side } = order;
    const fill = side === told.side ? told : { ...told, side };
    if (this.#isHeldByOpening(liquidatedName(fill), fill.ts)) return 'over';
    return this.#judge(fill, isLast || this.#core.deps.asksNobody === true) ? 'over' : 'left';
  }

  /** An order of ours there may have traded what is not booked yet. */
  #isUnresolved(symbol: string): boolean {
    return this.#core.state.orders
      .live(symbol)
      .some(({ progress }) => isUnresolved(progress) || progress.fillLots < progress.reportedLots);
  }

  /** False when it is left to a later poll. `isLast`: nothing more of what could explain it is to come. */
  #judge(fill: VenueFill, isLast: boolean): boolean {
    const { state } = this.#core;
    const whole = dec(fill.quantity);
    const holders = this.#holdersOf(fill);
    const [first] = holders;
    // The history was silent about its order for longer than it may lag.
    const isBookedAsOthers = state.isBooked(restId(fill));
    const isDoubt =
      holders.length > 1 ||
      state.undivided.of(fill.orderId) !== undefined ||
      (first !== undefined && (isBookedAsOthers || this.#isBesideOthers(fill)));
    if (isDoubt) this.#share(fill, holders);
    else if (first !== undefined && (isLast ? first.most : first.least).gte(whole)) this.#attribute(first.held, fill);
    else if (first === undefined && (isBookedAsOthers || this.#isOfOthers(fill))) this.#rest(fill, whole);
    else if (isLast) this.#share(fill, first === undefined ? this.#positionsOf(fill) : holders);
    else return false;
    return true;
  }

  /** By what is known now, and by the dates of the exchange, the largest first. */
  #holdersOf(fill: VenueFill): readonly Holder[] {
    const isOpened = this.#core.state.openedAt('position', liquidatedName(fill)) !== undefined;
    const slackMs = this.#core.deps.options.reconcile.historyLagMs / 2;
    const closable = (quantity: Decimal): Decimal => greater(closableBy(fill, quantity), ZERO);
    return this.#positionsOf(fill)
      .map(({ held }): Holder => {
        const at = closable(heldBefore(held, fill.ts) ?? ZERO);
        const around = greater(at, closable(heldBefore(held, fill.ts + slackMs) ?? ZERO));
        // What was there before this began is not known: what was opened after it says nothing.
        const now = isOpened || !around.isZero() ? closable(held.position.quantity) : ZERO;
        const [quantity = ZERO] = [at, around, now].filter((one) => !one.isZero());
        return { held, quantity, least: smaller(now, around), most: greater(now, around) };
      })
      .filter(({ quantity }) => !quantity.isZero())
      .toSorted((left, right) => right.quantity.cmp(left.quantity));
  }

  /** Of all strategies, flat ones too. */
  #positionsOf(fill: VenueFill): readonly Holder[] {
    const name = liquidatedName(fill);
    const { positions } = this.#core.state;
    return positions
      .all()
      .filter(({ instrument, positionSide }) => positionName(instrument.symbol, positionSide) === name)
      .map((held) => ({ held, quantity: ZERO, least: ZERO, most: ZERO }));
  }

  /** Others hold of the position, or have traded it so shortly before that nobody knows in which order. */
  #isBesideOthers(fill: VenueFill): boolean {
    const { state, deps } = this.#core;
    const name = liquidatedName(fill);
    const isHeld = state.adjustments.get(`position/${name}`)?.isZero() === false;
    const movedAt = state.movedByOthers.get(name) ?? 0;
    return isHeld || movedAt >= fill.ts - 2 * deps.options.reconcile.historyLagMs;
  }

  /** What others are known to hold makes it up, or what was there before has not been taken over yet. */
  #isOfOthers(fill: VenueFill): boolean {
    if (!this.#isCounted(fill)) return true;
    return this.#ofOthers(fill).gte(fill.quantity);
  }

  /** What others are known to hold that it could have closed. */
  #ofOthers(fill: VenueFill): Decimal {
    return closableBy(fill, this.#core.state.adjustments.get(`position/${liquidatedName(fill)}`) ?? ZERO);
  }

  /** The account bears it, and a human says whose it was; in a simulation, where nobody is asked, each bears its part. */
  #share(fill: VenueFill, holders: readonly Holder[]): void {
    const core = this.#core;
    const isTold = core.state.undivided.of(fill.orderId) !== undefined;
    if (core.deps.asksNobody === true || (holders.length === 0 && !isTold)) {
      this.#divide(fill, holders);
      return;
    }
    const others = !isTold && this.#isBesideOthers(fill) ? decimalText(greater(this.#ofOthers(fill), ZERO)) : undefined;
    this.#rest(fill, dec(fill.quantity), 'liquidation of several');
    const held = holders.map((one) => ({ strategy: one.held.strategy, quantity: decimalText(one.quantity) }));
    core.spine.commit({ kind: 'undivided', fill, holders: held, ...(others === undefined ? {} : { others }) });
    if (isTold) return;
    const who = [
      ...held.map(({ strategy, quantity }) => `${strategy} ${quantity}`),
      ...(others === undefined ? [] : [`others ${others}`]),
    ];
    const what = `the exchange liquidated ${liquidatedName(fill)}, which could be of ${who.join(', ')}`;
    core.alarm('undivided', `${what}: it is booked to the account, and \`tidewire plan\` shows the choices`);
    core.onHalted(fill.symbol);
  }

  /** Each bears its part, others the rest. */
  #divide(fill: VenueFill, holders: readonly Holder[]): void {
    const held = holders.map((one) => ({ strategy: one.held.strategy, quantity: decimalText(one.quantity) }));
    const lot = holders[0]?.held.instrument.exactQuantity(1) ?? ONE;
    const quantities = quantitiesOf({ fills: [fill], holders: held }, PRO_RATA, lot);
    const parts = holders.map((one) => [one.held, quantities?.get(one.held.strategy) ?? ZERO] as const);
    for (const [one, part] of partsOf(fill, parts)) this.#attribute(one, part);
    const left = parts.reduce((rest, [, quantity]) => rest.minus(quantity), dec(fill.quantity));
    if (!left.isZero()) this.#rest(fill, left);
  }

  /** It was before what was taken over as the opening, which was still for `historyLagMs`: whose ever it was, it is in it. */
  #isHeldByOpening(name: string, ts: number): boolean {
    const { state, deps } = this.#core;
    const openedAt = state.openedAt('position', name);
    return openedAt !== undefined && ts < openedAt - deps.options.reconcile.historyLagMs / 2;
  }

  /** What was taken over as the opening is known, and does not hold it already. */
  #isCounted(fill: VenueFill): boolean {
    const name = liquidatedName(fill);
    return this.#core.state.openedAt('position', name) !== undefined && !this.#isHeldByOpening(name, fill.ts);
  }

  /** What is not ours of the fill was held by others: it leaves what is counted as theirs. */
  #rest(fill: VenueFill, quantity: Decimal, cause = 'liquidation of others'): void {
    const id = restId(fill);
    if (!this.#isCounted(fill) || this.#core.state.isBooked(id)) return;
    bookRest(this.#core, id, fill, quantity, cause);
  }

  #attribute(held: HeldPosition, told: VenueFill): void {
    const { strategy, instrument } = held;
    // What the venue realised is by its own cost; the strategy's profit follows from the strategy's.
    const { realizedPnl: _own, ...fill } = told;
    bookShare(this.#core, strategy, instrument, fill);
    this.#close(instrument, strategy, fill);
  }

  #close({ symbol }: Instrument, strategy: string, { quantity, price }: VenueFill): void {
    this.#closed.set(
      symbol,
      `${symbol}: the exchange liquidated ${quantity} of ${strategy} at ${price}; no new risk until the next start`,
    );
  }
}

/** Above zero: what a fill of this side could have closed. */
function closableBy({ side }: VenueFill, quantity: Decimal): Decimal {
  return side === 'sell' ? quantity : quantity.neg();
}
