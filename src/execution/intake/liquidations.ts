/**
 * Liquidations: orders by which the exchange closes a position.
 *
 * - If exactly one strategy could have held it, the fills are that strategy's, and the symbol takes no new risk until
 *   the next start (reliability O39).
 * - Anything else is booked to the account until a human attributes it (`spine/undivided.ts`).
 * - A fill of more than was held waits until a poll is complete and no own order is unresolved.
 * - Reports may repeat, in any order.
 */
import type { VenueFill } from '../../model/trading/fill.ts';
import { dec, type Decimal, decimalText, greater, ONE, smaller, ZERO } from '../../model/numbers/money.ts';
import type { Source } from '../../model/entries/journal.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { Gate, GateClosure } from '../../model/ports.ts';
import type { Core } from '../core.ts';
import { partsOf, PRO_RATA, quantitiesOf } from './division.ts';
import { EXTERNAL_LIQUIDATION, liquidationKey, liquidationOrderKey } from '../../spine/external-keys.ts';
import { bookRest, bookShare, restId } from './bookings.ts';
import { isUnresolved } from '../../spine/orders/order-machine.ts';
import { heldBefore, positionName, positionNameOf, type HeldPosition } from '../../spine/positions.ts';

/** Bound of remembered orders and of waiting fills. */
const ORDERS_MAX = 1_000;

interface Holder {
  readonly held: HeldPosition;
  /** Base units at the fill's exchange time, else now; above zero. */
  readonly quantity: Decimal;
  /** Bounds of the quantities around that time and now. */
  readonly least: Decimal;
  readonly most: Decimal;
}

type Terms = Pick<OrderReport, 'market' | 'symbol' | 'side' | 'quantity'>;

/** The side may be the taker's. All other terms must fit the order. */
function contradicts({ market, symbol, quantity }: Terms, told: VenueFill): boolean {
  return told.market !== market || told.symbol !== symbol || dec(told.quantity).gt(dec(quantity));
}

export class Liquidations implements Gate {
  readonly name = 'liquidation';
  readonly #core: Core;
  /** Unix ms. */
  readonly #startedAt: number;
  readonly #orders = new Map<string, Terms>();
  readonly #closed = new Map<string, string>();
  /** By trade id. Beyond the bound a poll shows them again. `since`: Unix ms; 0 once a list has shown it. */
  readonly #left = new Map<string, { readonly fill: VenueFill; readonly since: number }>();

  constructor(core: Core) {
    this.#core = core;
    this.#startedAt = core.now();
  }

  closedBecause(symbol: string): GateClosure | null {
    let message = this.#closed.get(symbol);
    message ??= this.#core.state.undivided.shuts(symbol);
    for (const { fill } of this.#left.values())
      if (fill.symbol === symbol) message ??= `it is unknown whose position of ${fill.quantity} was liquidated`;
    return message === undefined ? null : { reason: 'liquidated', message };
  }

  /** Whether an order of the symbol may turn out to be a liquidation. */
  concerns(symbol: string): boolean {
    const { positions } = this.#core.state;
    return positions
      .all()
      .some(({ instrument, lots }) => instrument.market === 'derivative' && instrument.symbol === symbol && lots !== 0);
  }

  /** Registers an external order marked as a liquidation, with one alarm. */
  report({ orderId, market, symbol, side, quantity, positionSide, updatedAt }: OrderReport): void {
    if (this.#orders.has(orderId)) return;
    this.#orders.set(orderId, { market, symbol, side, quantity });
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > ORDERS_MAX && oldest !== undefined) this.#orders.delete(oldest);
    if (this.#isHeldByOpening(positionName(symbol, positionSide ?? 'both'), updatedAt)) return;
    // Known before the restart.
    if (this.#core.state.isBooked(liquidationOrderKey(symbol, orderId))) return;
    // Of a time before this session, which has never traded the symbol.
    const { bornAt, positions } = this.#core.state;
    const isOlder = updatedAt < (bornAt === 0 ? this.#startedAt : bornAt);
    if (isOlder && !positions.all().some(({ instrument }) => instrument.symbol === symbol)) return;
    const what = `${side} ${quantity} ${symbol}${positionSide === undefined || positionSide === 'both' ? '' : ` ${positionSide}`}`;
    this.#core.alarm('liquidated', `the exchange liquidates: ${what} (order ${orderId})`);
  }

  /** True when it is part of a liquidation, booked or waiting. */
  fill(told: VenueFill, source: Source): boolean {
    const verdict = this.#take(told, source, false);
    if (verdict === 'left') {
      const since = source === 'stream' ? this.#core.now() : 0;
      if (this.#left.size < ORDERS_MAX) this.#left.set(told.tradeId, { fill: told, since });
      if (source === 'stream') this.#core.doubt(`whose liquidation ${told.tradeId} is`);
    } else this.#left.delete(told.tradeId);
    return verdict !== 'external';
  }

  /**
   * Call after a complete list: judges the waiting fills again. `until`: the list would show events up to this time.
   */
  settle(until: number): void {
    for (const [tradeId, { fill, since }] of this.#left) {
      if (since > until) continue;
      if (this.#take(fill, 'reconcile', !this.#isUnresolved(fill.symbol)) !== 'left') this.#left.delete(tradeId);
    }
  }

  /** `isLast`: no later information can explain it. */
  #take(told: VenueFill, source: Source, isLast: boolean): 'over' | 'left' | 'external' {
    const { state } = this.#core;
    if (state.isBooked(liquidationKey(told))) return 'over';
    const order = this.#orders.get(told.orderId);
    if (order === undefined) return state.isBooked(restId(told)) ? 'over' : 'external';
    // For a contradiction from the stream alone, the list of own trades decides (reliability M13).
    if (source === 'stream' && contradicts(order, told)) {
      const message = `trade ${told.tradeId} contradicts liquidation ${told.orderId}`;
      this.#core.alarm('fill_contradiction', message);
      this.#core.halt(order.symbol, message);
      this.#core.doubt(message);
      return 'over';
    }
    // A partial fill may be reported wrongly too. The list shows the order's fills.
    const isPart = !dec(order.quantity).eq(told.quantity);
    if (isPart && source === 'stream' && this.#core.deps.asksNobody !== true) return 'left';
    const { side } = order;
    const fill = side === told.side ? told : { ...told, side };
    if (this.#isHeldByOpening(positionNameOf(fill), fill.ts)) return 'over';
    return this.#judge(fill, isLast || this.#core.deps.asksNobody === true) ? 'over' : 'left';
  }

  /** Own trades there may not be booked yet. */
  #isUnresolved(symbol: string): boolean {
    return this.#core.state.orders
      .live(symbol)
      .some(({ progress }) => isUnresolved(progress) || progress.fillLots < progress.reportedLots);
  }

  /** False: it waits. `isLast`: see `#take`. */
  #judge(fill: VenueFill, isLast: boolean): boolean {
    const { state } = this.#core;
    const whole = dec(fill.quantity);
    const holders = this.#holdersOf(fill);
    const [first] = holders;
    // Its order was not listed within the lag, so the account carries it already.
    const isBookedAsOthers = state.isBooked(restId(fill));
    const isDoubt =
      holders.length > 1 ||
      state.undivided.of(fill.orderId) !== undefined ||
      (first !== undefined && (isBookedAsOthers || this.#isBesideOthers(fill)));
    // External holdings explain it, or there is no opening yet.
    const isOfOthers = isBookedAsOthers || !this.#isCounted(fill) || this.#ofOthers(fill).gte(whole);
    if (isDoubt) this.#share(fill, holders);
    else if (first !== undefined && (isLast ? first.most : first.least).gte(whole)) this.#attribute(first.held, fill);
    else if (first === undefined && isOfOthers) this.#rest(fill, whole);
    else if (isLast) this.#share(fill, first === undefined ? this.#positionsOf(fill) : holders);
    else return false;
    return true;
  }

  /** At the fill's time or now, the largest first. */
  #holdersOf(fill: VenueFill): readonly Holder[] {
    const isOpened = this.#core.state.openedAt('position', positionNameOf(fill)) !== undefined;
    const slackMs = this.#core.deps.options.reconcile.historyLagMs / 2;
    const closable = (quantity: Decimal): Decimal => greater(closableBy(fill, quantity), ZERO);
    return this.#positionsOf(fill)
      .map(({ held }): Holder => {
        const at = closable(heldBefore(held, fill.ts) ?? ZERO);
        const around = greater(at, closable(heldBefore(held, fill.ts + slackMs) ?? ZERO));
        // The position before the opening is unknown, so what was opened later is no evidence.
        const now = isOpened || !around.isZero() ? closable(held.position.quantity) : ZERO;
        // Opened about then and closed since: no side of a hedged position goes through zero.
        const isClosed = held.positionSide !== 'both' && at.isZero() && now.isZero();
        const [quantity = ZERO] = isClosed ? [] : [at, around, now].filter((one) => !one.isZero());
        return { held, quantity, least: smaller(now, around), most: greater(now, around) };
      })
      .filter(({ quantity }) => !quantity.isZero())
      .toSorted((left, right) => right.quantity.cmp(left.quantity));
  }

  /** All strategies, flat ones included, with quantity 0. */
  #positionsOf(fill: VenueFill): readonly Holder[] {
    const name = positionNameOf(fill);
    const { positions } = this.#core.state;
    return positions
      .all()
      .filter(({ instrument, positionSide }) => positionName(instrument.symbol, positionSide) === name)
      .map((held) => ({ held, quantity: ZERO, least: ZERO, most: ZERO }));
  }

  /** External trades hold part of it, or moved it so recently that the order of events is unknown. */
  #isBesideOthers(fill: VenueFill): boolean {
    const { state, deps } = this.#core;
    const name = positionNameOf(fill);
    const isHeld = state.adjustments.get(`position/${name}`)?.isZero() === false;
    const movedAt = state.movedByOthers.get(name) ?? 0;
    return isHeld || movedAt >= fill.ts - 2 * deps.options.reconcile.historyLagMs;
  }

  /** Base units of external holdings that it could have closed. */
  #ofOthers(fill: VenueFill): Decimal {
    return closableBy(fill, this.#core.state.adjustments.get(`position/${positionNameOf(fill)}`) ?? ZERO);
  }

  /** The account carries it until a human decides. In a simulation, or without holders, it is divided at once. */
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
      ...(others === undefined ? [] : [`external ${others}`]),
    ];
    const what = `the exchange liquidated ${positionNameOf(fill)}, which could be of ${who.join(', ')}`;
    core.alarm('undivided', `${what}: it is booked to the account, and \`tidewire plan\` shows the choices`);
    core.shut(fill.symbol);
  }

  /** Pro rata. The external part takes the rest. */
  #divide(fill: VenueFill, holders: readonly Holder[]): void {
    const held = holders.map((one) => ({ strategy: one.held.strategy, quantity: decimalText(one.quantity) }));
    const lot = holders[0]?.held.instrument.exactQuantity(1) ?? ONE;
    const quantities = quantitiesOf({ fills: [fill], holders: held }, PRO_RATA, lot);
    const parts = holders.map((one) => [one.held, quantities?.get(one.held.strategy) ?? ZERO] as const);
    for (const [one, part] of partsOf(fill, parts)) this.#attribute(one, part);
    const left = parts.reduce((rest, [, quantity]) => rest.minus(quantity), dec(fill.quantity));
    if (!left.isZero()) this.#rest(fill, left);
  }

  /** True when it is older than the opening position, which then contains it. */
  #isHeldByOpening(name: string, ts: number): boolean {
    const { state, deps } = this.#core;
    const openedAt = state.openedAt('position', name);
    return openedAt !== undefined && ts < openedAt - deps.options.reconcile.historyLagMs / 2;
  }

  /** The opening is known and does not contain the fill. */
  #isCounted(fill: VenueFill): boolean {
    const name = positionNameOf(fill);
    return this.#core.state.openedAt('position', name) !== undefined && !this.#isHeldByOpening(name, fill.ts);
  }

  /** Subtracts from external holdings the part that no strategy carries. */
  #rest(fill: VenueFill, quantity: Decimal, cause: string = EXTERNAL_LIQUIDATION): void {
    const id = restId(fill);
    if (!this.#isCounted(fill) || this.#core.state.isBooked(id)) return;
    bookRest(this.#core, id, fill, quantity, cause);
  }

  #attribute(held: HeldPosition, told: VenueFill): void {
    const { strategy, instrument } = held;
    // The reported profit uses the account's cost. The strategy's profit follows from its own cost.
    const { realizedPnl: _own, ...fill } = told;
    bookShare(this.#core, strategy, instrument, fill);
    const what = `the exchange liquidated ${fill.quantity} of ${strategy} at ${fill.price}`;
    this.#closed.set(instrument.symbol, `${what}; no new risk until the next start`);
  }
}

/** Positive: what a fill of this side could have closed. */
function closableBy({ side }: VenueFill, quantity: Decimal): Decimal {
  return side === 'sell' ? quantity : quantity.neg();
}
