/**
 * Input of the checks of one order. Numbers are estimates in lots or reporting currency. All live orders count as
 * filled in the worse direction. The objects are reused.
 */
import type { Instrument, Instruments } from '../model/market/instrument.ts';
import type { OrderOrigin } from '../model/entries/journal.ts';
import type { Decimal } from '../model/numbers/money.ts';
import type { PositionSide, Side } from '../model/trading/order.ts';
import type { MarketReader } from '../model/ports.ts';
import type { Balances } from '../spine/balances.ts';
import { isClosed, reservedLots } from '../spine/orders/order-machine.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import { positionName } from '../spine/positions.ts';
import type { StateView } from '../spine/trading-state.ts';
import type { Activities, Activity, Refusals } from './counters.ts';
import type { OrderLimits } from './limits.ts';
import type { Losses } from './losses/losses.ts';
import type { Valuation } from './losses/valuation.ts';

/** Lots from exact quantities may differ in the last bits. */
export const EPSILON = 1e-9;

export interface Candidate {
  readonly strategy: string;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly isMarket: boolean;
  /** 0 for market orders. */
  readonly ticks: number;
  readonly lots: number;
  readonly positionSide: PositionSide;
  readonly reduceOnly: boolean;
  /** It also reduces the account (`exits.ts`). */
  readonly exits: boolean;
  readonly origin: OrderOrigin;
}

/** What external orders could fill (lots by symbol) and lock (amount by currency). */
export interface ExternalOrders {
  readonly buyLots: ReadonlyMap<string, number>;
  readonly sellLots: ReadonlyMap<string, number>;
  readonly locks: ReadonlyMap<string, Decimal>;
}

export interface JudgeOptions {
  /** Orders with a cancel in flight count as gone. */
  readonly ignoreCanceling: boolean;
  /** The order that is the candidate itself. */
  readonly except?: OwnOrder;
}

export type Scope = 'strategy' | 'symbol' | 'account';

/** One strategy's or the account's, on the candidate's symbol and position side. */
interface Exposure {
  /** Signed lots. */
  lots: number;
  /** Lots of buys that are working, in flight, unknown or not booked. */
  buyLots: number;
  sellLots: number;
}

export interface Portfolio {
  readonly openNotional: number;
  readonly gross: number;
  readonly net: number;
  readonly grossAfter: number;
  readonly netAfter: number;
  /** A symbol that never had a price; then the sums are NaN. */
  readonly unpriced: string | null;
}

export interface RiskSources {
  readonly state: StateView;
  readonly instruments: Instruments;
  readonly market: MarketReader;
  readonly balances: Balances;
  readonly valuation: Valuation;
  readonly activities: Activities;
  readonly refusals: Refusals;
  readonly losses: Losses;
  external: ExternalOrders;
}

export class RiskFacts {
  readonly from: RiskSources;
  now = 0;
  limits!: OrderLimits;
  options: JudgeOptions = { ignoreCanceling: false };
  /** The limit price; of a market order the mean one that it would pay in the visible book. */
  referenceTicks = Number.NaN;
  /** The limit price, or the worst one that a market order would reach there. */
  worstTicks = Number.NaN;
  /** With a fraction; NaN without a market. */
  midTicks = Number.NaN;
  /** Reporting value of one tick × one lot; NaN when unknown. */
  unitValue = Number.NaN;
  /** Reporting value of the order. */
  value = Number.NaN;
  /** NaN while unknown. */
  equity = Number.NaN;
  /** Profit of a strategy with a loss limit; NaN while an asset waits for its first price. */
  profit = Number.NaN;
  readonly strategy: Exposure = { lots: 0, buyLots: 0, sellLots: 0 };
  readonly account: Exposure = { lots: 0, buyLots: 0, sellLots: 0 };
  /** Lots that other strategies hold against the position that this order reduces. */
  againstLots = 0;
  /** Per strategy and account over all symbols; per symbol on both position sides. */
  readonly openOrders: Record<Scope, number> = { strategy: 0, symbol: 0, account: 0 };
  /** Null: not computed yet. */
  readonly portfolios: Record<Scope, Portfolio | null> = { strategy: null, symbol: null, account: null };
  activity: Activity;

  constructor(from: RiskSources) {
    this.from = from;
    this.activity = from.activities.account;
  }

  fill(order: Candidate, limits: OrderLimits, now: number, options: JudgeOptions): this {
    const { instrument, strategy } = order;
    const { market, valuation, losses, activities } = this.from;
    this.now = now;
    this.limits = limits;
    this.options = options;
    const mid = market.mid(instrument.symbol);
    this.midTicks = mid === undefined ? Number.NaN : mid / instrument.tick;
    this.unitValue = valuation.unit(instrument);
    this.#price(order);
    this.equity = losses.equity.at(now);
    this.profit = limits.limitsLoss ? losses.profit(strategy, now) : Number.NaN;
    this.activity = activities.of(strategy);
    this.portfolios.strategy = this.portfolios.symbol = this.portfolios.account = null;
    this.#expose(order);
    return this;
  }

  #price({ isMarket, ticks, instrument, side, lots }: Candidate): void {
    const { market } = this.from;
    const best = isMarket || side === 'sell' ? market.best(instrument.symbol) : undefined;
    // Most fit into the best level, whose price is known without the book.
    const isMore = isMarket && best !== undefined && lots > (side === 'buy' ? best.askLots : best.bidLots);
    const swept = isMore ? market.sweep(instrument.symbol, side, lots) : undefined;
    this.referenceTicks = swept?.meanTicks ?? (isMarket ? marketTicks(instrument, side, market) : ticks);
    this.worstTicks = swept?.worstTicks ?? this.referenceTicks;
    // A sale below the best bid is paid the bid.
    const paidTicks = isMarket || best === undefined ? this.referenceTicks : Math.max(ticks, best.bidTicks);
    this.value = paidTicks * lots * this.unitValue;
  }

  #expose(order: Candidate): void {
    const { symbol } = order.instrument;
    const { strategy, account, openOrders, options } = this;
    const { state, external } = this.from;
    strategy.lots = strategy.buyLots = strategy.sellLots = 0;
    account.buyLots = external.buyLots.get(symbol) ?? 0;
    account.sellLots = external.sellLots.get(symbol) ?? 0;
    account.lots = externalLots(order, state);
    this.againstLots = 0;
    for (const held of state.positions.all()) {
      if (held.instrument.symbol !== symbol || held.positionSide !== order.positionSide) continue;
      account.lots += held.lots;
      if (held.strategy === order.strategy) strategy.lots += held.lots;
      else this.againstLots += Math.max(0, order.side === 'sell' ? -held.lots : held.lots);
    }
    openOrders.strategy = openOrders.symbol = openOrders.account = 0;
    for (const own of state.orders.allLive()) {
      if (isGone(own, options)) continue;
      const isOwn = own.strategy === order.strategy;
      const isOfSymbol = own.instrument.symbol === symbol;
      if (!isClosed(own.progress)) {
        openOrders.account++;
        if (isOwn) openOrders.strategy++;
        if (isOfSymbol) openOrders.symbol++;
      }
      if (!isOfSymbol || own.positionSide !== order.positionSide) continue;
      count(account, own);
      if (isOwn) count(strategy, own);
    }
  }
}

function count(exposure: Exposure, own: OwnOrder): void {
  const reserved = reservedLots(own.progress);
  if (own.sign > 0) exposure.buyLots += reserved;
  else exposure.sellLots += reserved;
}

export function isGone(own: OwnOrder, options: JudgeOptions): boolean {
  return own === options.except || (options.ignoreCanceling && own.cancelWanted);
}

/** Lots of the position that no strategy holds. On spot those are balance. */
export function externalLots(
  { instrument, positionSide }: Pick<Candidate, 'instrument' | 'positionSide'>,
  state: StateView,
): number {
  if (state.adjustments.size === 0) return 0;
  const adjusted = state.adjustments.get(`position/${positionName(instrument.symbol, positionSide)}`);
  return adjusted === undefined ? 0 : adjusted.toNumber() / instrument.lot;
}

export interface ExternalPosition {
  readonly symbol: string;
  readonly positionSide: PositionSide;
  /** Signed. */
  readonly quantity: Decimal;
}

/** Positions of perpetuals that no strategy holds: counted by the checks, `limits show` and `plan`. */
export function externalPositions({ adjustments }: Pick<StateView, 'adjustments'>): readonly ExternalPosition[] {
  return [...adjustments].flatMap(([key, quantity]): readonly ExternalPosition[] => {
    const [subject, symbol = '', side] = key.split('/');
    if (subject !== 'position' || quantity.isZero()) return [];
    return [{ symbol, positionSide: side === 'long' || side === 'short' ? side : 'both', quantity }];
  });
}

/** Price of a market order: the best opposite one, else the mid, with a fraction; NaN without a market. */
function marketTicks({ symbol, tick }: Instrument, side: Side, market: MarketReader): number {
  const best = market.best(symbol);
  const opposite = side === 'buy' ? best?.askTicks : best?.bidTicks;
  return opposite !== undefined && opposite > 0 ? opposite : (market.mid(symbol) ?? Number.NaN) / tick;
}

/** For a market order the mid at its decision; after a restart, a current price. */
export function ticksOf({ isMarket, ticks, arrivalMid, instrument, side }: OwnOrder, market: MarketReader): number {
  if (!isMarket) return ticks;
  return Math.ceil(arrivalMid === null ? marketTicks(instrument, side, market) : arrivalMid / instrument.tick);
}
