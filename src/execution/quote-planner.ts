/**
 * `quote`: brings the standing orders to the desired set with the fewest requests (`quoting.ts`). A leg that needs a
 * cancel or flatten first waits for it, until a newer set comes. Filled quantity returns only with the next quote.
 */
import type { QuoteAction, QuoteLeg } from '../model/action.ts';
import { denied, type Denied, type DenyReason } from '../model/deny-reason.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Side } from '../model/order.ts';
import type { Core, Worker } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { isDenied, minLotsAt, priceTicks, quantityLots, sizeDenial } from '../risk/normalise.ts';
import { isClosed } from '../spine/orders/order-machine.ts';
import type { OrderSpec } from './placement.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import type { Placement } from './placement.ts';
import { planSide, type DesiredLeg, type SidePlan } from './quoting.ts';
import { addLeg, legColumns, QuoteScope, type LegColumns, type StandingOrder, type WaitingLeg } from './quote-scope.ts';

const LIFTED_BY_CANCEL: ReadonlySet<DenyReason> = new Set<DenyReason>([
  'max_position',
  'max_open_orders',
  'max_open_notional',
  'max_gross',
  'max_net',
  'insufficient_balance',
  'strategy_budget',
]);

const NOTHING_TO_DO: SidePlan<StandingOrder> = Object.freeze({ cancel: [], create: [] });

export class QuotePlanner implements Worker {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #placement: Placement;
  /** By strategy, then symbol; one a tag. */
  readonly #scopes = new Map<string, Map<string, QuoteScope[]>>();
  readonly #waiting = new Set<QuoteScope>();
  #bids = legColumns();
  #asks = legColumns();

  constructor(core: Core, dispatcher: Dispatcher, placement: Placement) {
    this.#core = core;
    this.#dispatcher = dispatcher;
    this.#placement = placement;
  }

  quote(slot: StrategySlot, action: QuoteAction): void {
    const instrument = this.#core.deps.instruments.find(action.symbol);
    if (instrument === undefined) {
      this.#core.deny(
        slot.tag,
        'quote',
        denied('unknown_symbol', `${action.symbol} is not an instrument of this venue`, 'symbol'),
        action.symbol,
      );
      return;
    }
    const scope = this.#scope(slot, instrument, action.tag ?? slot.tag);
    const wholeBids = this.#read(scope, action.bids, this.#bids);
    const whole = this.#read(scope, action.asks, this.#asks) && wholeBids;
    const priceSlack = action.tolerance?.priceTicks ?? 0;
    const quantitySlack = action.tolerance?.quantityFraction ?? 0;
    if (whole && scope.unchanged(this.#bids, this.#asks, priceSlack, quantitySlack)) return;
    const { bids, asks } = scope;
    scope.bids = this.#bids;
    scope.asks = this.#asks;
    this.#bids = bids;
    this.#asks = asks;
    scope.tolerance = { priceTicks: priceSlack, quantityFraction: quantitySlack };
    scope.dirty = !whole;
    this.#compare(scope);
  }

  /** Forgets the desired set without cancelling. */
  clear(strategy: string, symbol?: string, tag?: string): void {
    for (const scopes of this.#scopes.get(strategy)?.values() ?? []) {
      for (const scope of scopes) {
        if ((symbol !== undefined && scope.instrument.symbol !== symbol) || (tag !== undefined && scope.tag !== tag))
          continue;
        scope.waiting = [];
        scope.bids.count = 0;
        scope.asks.count = 0;
        scope.dirty = true;
        this.#waiting.delete(scope);
      }
    }
  }

  work(): void {
    if (this.#waiting.size === 0) return;
    for (const scope of this.#waiting) {
      const legs = scope.waiting;
      scope.waiting = [];
      for (const leg of legs) this.#create(scope, leg);
      scope.settle();
      if (scope.waiting.length === 0) this.#waiting.delete(scope);
    }
  }

  #compare(scope: QuoteScope): void {
    scope.waiting = [];
    this.#waiting.delete(scope);
    const bids = this.#plan(scope, 'buy', scope.bids);
    const asks = this.#plan(scope, 'sell', scope.asks);
    if (bids.cancel.length + bids.create.length + asks.cancel.length + asks.create.length > 0) {
      this.#journal(scope);
      const canceled: OwnOrder[] = [];
      for (const { order } of bids.cancel) canceled.push(order);
      for (const { order } of asks.cancel) canceled.push(order);
      this.#dispatcher.cancel(canceled, false);
      const now = this.#core.now();
      for (const leg of bids.create) this.#create(scope, waitingLeg('buy', leg, scope.bids, now));
      for (const leg of asks.create) this.#create(scope, waitingLeg('sell', leg, scope.asks, now));
      if (scope.waiting.length > 0) this.#waiting.add(scope);
    }
    scope.settle();
  }

  #plan(scope: QuoteScope, side: Side, legs: LegColumns): SidePlan<StandingOrder> {
    if (scope.stands(side, legs)) return NOTHING_TO_DO;
    const grid = this.#core.grid(scope.instrument);
    const desired: DesiredLeg[] = [];
    for (let index = 0; index < legs.count; index++)
      desired.push({ ticks: legs.ticks[index] ?? 0, lots: legs.lots[index] ?? 0 });
    return planSide(scope.standing(side), desired, scope.tolerance, (ticks) => minLotsAt(grid, ticks));
  }

  #create(scope: QuoteScope, leg: WaitingLeg): void {
    const asked = specOf(scope, leg);
    const denial = this.#placement.judge(asked);
    if (denial !== null && this.#isPassing(asked, denial)) {
      scope.waiting.push(leg);
      return;
    }
    const spec = denial === null ? asked : this.#placement.shrunk(asked, denial);
    if (denial !== null && spec === null) this.#deny(scope, denial);
    if (spec === null) return;
    const blockers = this.#placement.blockers(spec);
    if (blockers.length > 0) {
      this.#dispatcher.cancel(blockers, false);
      scope.waiting.push(leg);
      return;
    }
    scope.add(this.#placement.create(spec, blockers));
  }

  /** A flatten or cancel under way will lift it. */
  #isPassing(spec: OrderSpec, denial: Denied): boolean {
    if (denial.reason === 'flattening') return true;
    if (!LIFTED_BY_CANCEL.has(denial.reason)) return false;
    let canceling = false;
    for (const order of this.#core.state.orders.allLive()) {
      if (order.cancelWanted && !isClosed(order.progress)) canceling = true;
    }
    return canceling && this.#placement.judge(spec, { ignoreCanceling: true }) === null;
  }

  #deny(scope: QuoteScope, denial: Denied): void {
    scope.dirty = true;
    this.#core.deny(scope.slot.tag, 'quote', denial, scope.instrument.symbol);
  }

  /** False when a leg was denied. */
  #read(scope: QuoteScope, legs: readonly QuoteLeg[], into: LegColumns): boolean {
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

  #readLeg(scope: QuoteScope, leg: QuoteLeg, into: LegColumns): Denied | null {
    const { instrument } = scope;
    const ticks = priceTicks(instrument, leg.price);
    if (isDenied(ticks)) return ticks;
    const lots = quantityLots(instrument, leg.quantity);
    if (isDenied(lots)) return lots;
    const size = sizeDenial(instrument, this.#core.grid(instrument), ticks, lots);
    if (size === null) addLeg(into, ticks, lots, leg.postOnly ?? true);
    return size;
  }

  #scope(slot: StrategySlot, instrument: Instrument, tag: string): QuoteScope {
    let bySymbol = this.#scopes.get(slot.tag);
    if (bySymbol === undefined) this.#scopes.set(slot.tag, (bySymbol = new Map()));
    let scopes = bySymbol.get(instrument.symbol);
    if (scopes === undefined) bySymbol.set(instrument.symbol, (scopes = []));
    for (const scope of scopes) if (scope.tag === tag) return scope;
    const scope = new QuoteScope(slot, instrument, tag, this.#standingOrders(slot.tag, instrument.symbol, tag));
    scopes.push(scope);
    return scope;
  }

  /** From before a restart. */
  #standingOrders(strategy: string, symbol: string, tag: string): readonly OwnOrder[] {
    return this.#core.state.orders
      .live(symbol)
      .filter((order) => order.strategy === strategy && order.tag === tag && order.origin === 'quote');
  }

  #journal(scope: QuoteScope): void {
    if (!this.#core.writer.keeps) return;
    const { instrument } = scope;
    const textsOf = (legs: LegColumns): [string, string][] => {
      const texts: [string, string][] = [];
      for (let index = 0; index < legs.count; index++) {
        texts.push([instrument.priceText(legs.ticks[index] ?? 0), instrument.quantityText(legs.lots[index] ?? 0)]);
      }
      return texts;
    };
    this.#core.put({
      kind: 'quote-set',
      strategy: scope.slot.tag,
      symbol: instrument.symbol,
      tag: scope.tag,
      bids: textsOf(scope.bids),
      asks: textsOf(scope.asks),
    });
  }
}

function waitingLeg(side: Side, { ticks, lots }: DesiredLeg, legs: LegColumns, decidedAt: number): WaitingLeg {
  return { side, ticks, lots, postOnly: legs.postOnly[legs.ticks.indexOf(ticks)] ?? true, decidedAt };
}

function specOf(scope: QuoteScope, leg: WaitingLeg): OrderSpec {
  return {
    slot: scope.slot,
    instrument: scope.instrument,
    side: leg.side,
    isMarket: false,
    timeInForce: 'gtc',
    ticks: leg.ticks,
    lots: leg.lots,
    positionSide: 'both',
    reduceOnly: false,
    postOnly: leg.postOnly,
    tag: scope.tag,
    origin: 'quote',
    decidedAt: leg.decidedAt,
  };
}
