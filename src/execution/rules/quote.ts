/**
 * `quote`: brings the standing orders to the desired set with the fewest requests (`quoting.ts`). A leg that needs a
 * cancel or flatten first waits for it, until a newer set arrives. Filled quantity returns only with the next quote.
 */
import type { QuoteAction, QuoteLeg } from '../../model/trading/action.ts';
import type { Denied, DenyReason } from '../../model/trading/deny-reason.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { shorten } from '../../model/shorten.ts';
import type { Side } from '../../model/trading/order.ts';
import { covers, type Core } from '../core.ts';
import type { Dispatcher } from '../dispatcher.ts';
import type { StrategySlot } from '../../risk/strategy-slot.ts';
import { isDenied, minLotsAt, priceTicks, quantityLots, sizeDenial } from '../../risk/normalise.ts';
import { filledLots, isClosed } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import { orderSpec, type OrderSpec, type Placement } from './placement.ts';
import { planSide, type DesiredLeg, type SidePlan, type Standing, type Tolerance } from './quoting.ts';

const LIFTED_BY_CANCEL: ReadonlySet<DenyReason> = new Set<DenyReason>([
  'max_position',
  'max_open_orders',
  'max_open_notional',
  'max_gross',
  'max_net',
  'insufficient_balance',
  'strategy_budget',
]);

interface StandingOrder extends Standing {
  readonly order: OwnOrder;
}

const NOTHING_TO_DO: SidePlan<StandingOrder> = Object.freeze({ cancel: [], create: [] });

interface LegColumns {
  count: number;
  readonly ticks: number[];
  readonly lots: number[];
  readonly postOnly: boolean[];
}

/** A leg to create, now or once the orders in its way are gone. */
interface Leg {
  readonly scope: Scope;
  readonly asked: OrderSpec;
}

/** Quotes of one strategy × symbol × tag. Comparing an unchanged set allocates nothing. */
class Scope {
  readonly slot: StrategySlot;
  readonly instrument: Instrument;
  readonly tag: string;
  bids = legColumns();
  asks = legColumns();
  tolerance: Tolerance = { priceTicks: 0, quantityFraction: 0 };
  /** The next comparison must not be skipped. */
  dirty = true;
  readonly #orders: OwnOrder[];
  readonly #filledAt: number[] = [];

  /** `orders`: from before a restart. */
  constructor(slot: StrategySlot, instrument: Instrument, tag: string, orders: OwnOrder[]) {
    this.slot = slot;
    this.instrument = instrument;
    this.tag = tag;
    this.#orders = orders;
  }

  /** True when this set was compared before and its orders are unchanged. */
  unchanged(bids: LegColumns, asks: LegColumns, ticks: number, fraction: number): boolean {
    if (this.dirty || !sameLegs(this.bids, bids) || !sameLegs(this.asks, asks)) return false;
    if (this.tolerance.priceTicks !== ticks || this.tolerance.quantityFraction !== fraction) return false;
    for (let index = 0; index < this.#orders.length; index++) {
      const order = this.#orders[index]!;
      if (!isStanding(order) || filledLots(order.progress) !== this.#filledAt[index]) return false;
    }
    return true;
  }

  add(order: OwnOrder): void {
    this.#orders.push(order);
  }

  /** Oldest first. */
  standing(side: Side): StandingOrder[] {
    const standing: StandingOrder[] = [];
    for (const order of this.#orders)
      if (order.side === side && isStanding(order))
        standing.push({ order, ticks: order.ticks, lots: standingLots(order) });
    return standing;
  }

  /** Fast path: at most one leg, and the side's only order satisfies it within the tolerance. */
  stands(side: Side, legs: LegColumns): boolean {
    if (legs.count > 1) return false;
    let only: OwnOrder | undefined;
    for (const order of this.#orders) {
      if (order.side !== side || !isStanding(order)) continue;
      if (only !== undefined) return false;
      only = order;
    }
    if (only === undefined || legs.count === 0) return only === undefined && legs.count === 0;
    const { priceTicks: slack, quantityFraction } = this.tolerance;
    const [ticks = 0] = legs.ticks;
    const [lots = 0] = legs.lots;
    const difference = Math.abs(standingLots(only) - lots);
    return Math.abs(only.ticks - ticks) <= slack && difference <= quantityFraction * lots;
  }

  /** Drops closed orders and records the fills of the rest. */
  settle(): void {
    let kept = 0;
    for (const order of this.#orders) {
      if (!isStanding(order)) continue;
      this.#orders[kept] = order;
      this.#filledAt[kept++] = filledLots(order.progress);
    }
    shorten(this.#orders, kept);
    shorten(this.#filledAt, kept);
  }
}

export class Quotes {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #placement: Placement;
  readonly #bySymbol = new Map<string, Scope[]>();
  #waiting: Leg[] = [];
  /** Buffers for the legs of an action. They are swapped with the scope's. */
  #bids = legColumns();
  #asks = legColumns();

  constructor(core: Core, dispatcher: Dispatcher, placement: Placement) {
    this.#core = core;
    this.#dispatcher = dispatcher;
    this.#placement = placement;
  }

  quote(slot: StrategySlot, action: QuoteAction): void {
    const { symbol, tag = slot.tag, tolerance } = action;
    const instrument = this.#core.instrument(symbol);
    if ('reason' in instrument) {
      this.#core.deny(slot.tag, 'quote', instrument, symbol);
      return;
    }
    const scope = this.#scope(slot, instrument, tag);
    const wholeBids = this.#read(scope, action.bids, this.#bids);
    const isWhole = this.#read(scope, action.asks, this.#asks) && wholeBids;
    const ticks = tolerance?.priceTicks ?? 0;
    const fraction = tolerance?.quantityFraction ?? 0;
    if (isWhole && scope.unchanged(this.#bids, this.#asks, ticks, fraction)) return;
    const { bids, asks } = scope;
    scope.bids = this.#bids;
    scope.asks = this.#asks;
    this.#bids = bids;
    this.#asks = asks;
    scope.tolerance = { priceTicks: ticks, quantityFraction: fraction };
    scope.dirty = !isWhole;
    this.#compare(scope);
  }

  /** Forgets the desired set without cancelling. */
  clear(strategy: string, symbol?: string, tag?: string): void {
    for (const scopes of this.#bySymbol.values()) {
      for (const scope of scopes) {
        if (!covers(scope, strategy, symbol, tag)) continue;
        scope.bids.count = 0;
        scope.asks.count = 0;
        scope.dirty = true;
        this.#forget(scope);
      }
    }
  }

  work(): void {
    if (this.#waiting.length === 0) return;
    const legs = this.#waiting;
    this.#waiting = [];
    for (const leg of legs) {
      this.#create(leg);
      leg.scope.settle();
    }
  }

  #forget(scope: Scope): void {
    if (this.#waiting.length > 0) this.#waiting = this.#waiting.filter((leg) => leg.scope !== scope);
  }

  #compare(scope: Scope): void {
    this.#forget(scope);
    const bids = this.#plan(scope, 'buy', scope.bids);
    const asks = this.#plan(scope, 'sell', scope.asks);
    if (bids.cancel.length + bids.create.length + asks.cancel.length + asks.create.length > 0) {
      this.#journal(scope);
      const canceled: OwnOrder[] = [];
      for (const { order } of bids.cancel) canceled.push(order);
      for (const { order } of asks.cancel) canceled.push(order);
      this.#dispatcher.cancel(canceled, false);
      const now = this.#core.now();
      for (const leg of bids.create) this.#create(legOf(scope, 'buy', leg, scope.bids, now));
      for (const leg of asks.create) this.#create(legOf(scope, 'sell', leg, scope.asks, now));
    }
    scope.settle();
  }

  #plan(scope: Scope, side: Side, legs: LegColumns): SidePlan<StandingOrder> {
    if (scope.stands(side, legs)) return NOTHING_TO_DO;
    const grid = scope.instrument.limits;
    const desired: DesiredLeg[] = [];
    for (let index = 0; index < legs.count; index++)
      desired.push({ ticks: legs.ticks[index] ?? 0, lots: legs.lots[index] ?? 0 });
    return planSide(scope.standing(side), desired, scope.tolerance, (ticks) => minLotsAt(grid, ticks));
  }

  #create(leg: Leg): void {
    const { asked } = leg;
    const denial = this.#placement.judge(asked);
    if (denial !== null && this.#isPassing(asked, denial)) {
      this.#waiting.push(leg);
      return;
    }
    const spec = denial === null ? asked : this.#placement.shrunk(asked, denial);
    if (denial !== null && spec === null) this.#deny(leg.scope, denial);
    if (spec === null) return;
    const blockers = this.#placement.blockers(spec);
    if (blockers.length > 0) {
      this.#dispatcher.cancel(blockers, false);
      this.#waiting.push(leg);
      return;
    }
    leg.scope.add(this.#placement.create(spec, blockers));
  }

  /** A running flatten or cancel will end this denial. */
  #isPassing(spec: OrderSpec, denial: Denied): boolean {
    if (denial.reason === 'flattening') return true;
    if (!LIFTED_BY_CANCEL.has(denial.reason)) return false;
    const { orders } = this.#core.state;
    const isCanceling = orders.allLive().some((order) => order.cancelWanted && !isClosed(order.progress));
    return isCanceling && this.#placement.judge(spec, { ignoreCanceling: true }) === null;
  }

  #deny(scope: Scope, denial: Denied): void {
    scope.dirty = true;
    this.#core.deny(scope.slot.tag, 'quote', denial, scope.instrument.symbol);
  }

  /** False when a leg was denied. */
  #read(scope: Scope, legs: readonly QuoteLeg[], into: LegColumns): boolean {
    into.count = 0;
    let whole = true;
    for (const leg of legs) {
      const denial = this.#readLeg(scope, leg, into);
      if (denial === null) continue;
      this.#deny(scope, denial);
      whole = false;
    }
    return whole;
  }

  #readLeg({ instrument }: Scope, leg: QuoteLeg, into: LegColumns): Denied | null {
    const ticks = priceTicks(instrument, leg.price);
    if (isDenied(ticks)) return ticks;
    const lots = quantityLots(instrument, leg.quantity);
    if (isDenied(lots)) return lots;
    const size = sizeDenial(instrument, instrument.limits, ticks, lots);
    if (size === null) addLeg(into, ticks, lots, leg.postOnly ?? true);
    return size;
  }

  #scope(slot: StrategySlot, instrument: Instrument, tag: string): Scope {
    const { symbol } = instrument;
    let scopes = this.#bySymbol.get(symbol);
    if (scopes === undefined) this.#bySymbol.set(symbol, (scopes = []));
    for (const scope of scopes) if (scope.slot === slot && scope.tag === tag) return scope;
    const standing = this.#core.state.orders
      .live(symbol)
      .filter((order) => order.strategy === slot.tag && order.tag === tag && order.origin === 'quote');
    const scope = new Scope(slot, instrument, tag, standing);
    scopes.push(scope);
    return scope;
  }

  #journal({ slot, instrument, tag, bids, asks }: Scope): void {
    if (!this.#core.writer.keeps) return;
    const textsOf = ({ count, ticks, lots }: LegColumns): [string, string][] =>
      Array.from({ length: count }, (_, index) => [
        instrument.priceText(ticks[index] ?? 0),
        instrument.quantityText(lots[index] ?? 0),
      ]);
    const { symbol } = instrument;
    this.#core.put({ kind: 'quote-set', strategy: slot.tag, symbol, tag, bids: textsOf(bids), asks: textsOf(asks) });
  }
}

function legColumns(): LegColumns {
  return { count: 0, ticks: [], lots: [], postOnly: [] };
}

/** Legs at one price are merged. The result is post-only if one of them is. */
function addLeg(legs: LegColumns, ticks: number, lots: number, postOnly: boolean): void {
  for (let index = 0; index < legs.count; index++) {
    if (legs.ticks[index] !== ticks) continue;
    legs.lots[index] = (legs.lots[index] ?? 0) + lots;
    if (postOnly) legs.postOnly[index] = true;
    return;
  }
  legs.ticks[legs.count] = ticks;
  legs.lots[legs.count] = lots;
  legs.postOnly[legs.count] = postOnly;
  legs.count++;
}

function sameLegs(a: LegColumns, b: LegColumns): boolean {
  if (a.count !== b.count) return false;
  for (let index = 0; index < a.count; index++) {
    if (a.ticks[index] !== b.ticks[index] || a.lots[index] !== b.lots[index] || a.postOnly[index] !== b.postOnly[index])
      return false;
  }
  return true;
}

function isStanding(order: OwnOrder): boolean {
  return !order.cancelWanted && !isClosed(order.progress);
}

function standingLots({ progress, shrunk }: OwnOrder): number {
  return progress.lots + (shrunk ? 1 : 0) - filledLots(progress);
}

function legOf(scope: Scope, side: Side, { ticks, lots }: DesiredLeg, legs: LegColumns, decidedAt: number): Leg {
  const { slot, instrument, tag } = scope;
  const postOnly = legs.postOnly[legs.ticks.indexOf(ticks)] ?? true;
  const asked = orderSpec({ slot, instrument, side, ticks, lots, postOnly, tag, origin: 'quote', decidedAt });
  return { scope, asked };
}
