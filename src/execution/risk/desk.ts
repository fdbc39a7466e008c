/**
 * The checks before every send, in one order, cheapest first, and the little state that some of them need. Judges with
 * everything that works, is in flight or unknown counted as filled in the worse direction; `ignoreCanceling` asks how
 * it will be once the cancels on their way are proved.
 */
import type { Denied } from '../../model/deny-reason.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Decimal } from '../../model/money.ts';
import type { MarketReader } from '../../model/ports.ts';
import type { Balances } from '../balances.ts';
import type { StrategySlot } from '../executor-types.ts';
import type { RiskOptions } from '../options.ts';
import { isClosed, reservedLots } from '../order-machine.ts';
import type { OwnOrder } from '../own-order.ts';
import { positionName } from '../positions.ts';
import type { TradingState } from '../trading-state.ts';
import { lockCurrency, marginDenial, spotBalanceDenial } from './balance.ts';
import { budgetDenial } from './budget.ts';
import { dailyLossDenial, utcDay } from './daily-loss.ts';
import { duplicateDenial } from './duplicate.ts';
import type { Candidate, Exposure, RiskFacts } from './facts.ts';
import { limitPair, type LimitPair } from './limits.ts';
import { MessageRate } from './message-rate.ts';
import { openOrdersDenial } from './open-orders.ts';
import { orderSizeDenial } from './order-size.ts';
import { positionDenial } from './position-limit.ts';
import { collarDenial } from './price-collar.ts';
import { reduceOnlyDenial } from './reduce-only.ts';
import { RepeatedRejects } from './repeated-rejects.ts';
import type { Valuation } from './valuation.ts';

/** What external orders on the account could do; told by the reconciler, counted, never touched. */
export interface ExternalOrders {
  readonly buyLots: ReadonlyMap<string, number>;
  readonly sellLots: ReadonlyMap<string, number>;
  readonly locks: ReadonlyMap<string, Decimal>;
}

export interface RiskDeps {
  readonly options: RiskOptions;
  readonly strategies: ReadonlyMap<string, StrategySlot>;
  readonly state: TradingState;
  readonly balances: Balances;
  readonly valuation: Valuation;
  readonly market: MarketReader;
  /** A new UTC day begins with this equity. */
  readonly onDay: (day: string, equity: number) => void;
}

export interface JudgeOptions {
  /** Count orders whose cancel is on its way as gone. */
  readonly ignoreCanceling: boolean;
  /** An order of ours that is the candidate itself. */
  readonly except?: OwnOrder;
}

/** Equity moves with every quote; a limit on it does not need to. */
const EQUITY_FRESH_MS = 1_000;
const DAY_MS = 86_400_000;
/** Lots as computed from exact quantities may be off in the last bits. */
const LOTS_EPSILON = 1e-9;

export class RiskDesk {
  external: ExternalOrders = { buyLots: new Map(), sellLots: new Map(), locks: new Map() };
  readonly #deps: RiskDeps;
  readonly #rate: MessageRate;
  readonly #strategyRates = new Map<string, MessageRate>();
  readonly #rejects: RepeatedRejects;
  readonly #limits = new Map<string, LimitPair>();
  readonly #facts: RiskFacts;
  readonly #strategyDay = new Map<string, { day: number; pnl: number }>();
  #equity = Number.NaN;
  #equityAt = Number.NEGATIVE_INFINITY;
  #equityVersion = -1;
  #day = -1;
  #dayEquity = Number.NaN;

  constructor(deps: RiskDeps) {
    this.#deps = deps;
    this.#rate = new MessageRate(deps.options.messagesPerSecond);
    this.#rejects = new RepeatedRejects(deps.options.repeatedRejects, deps.options.rejectCooldownMs);
    for (const [tag, { limits }] of deps.strategies) {
      if (limits.messagesPerSecond !== undefined)
        this.#strategyRates.set(tag, new MessageRate(limits.messagesPerSecond));
    }
    this.#facts = {
      now: 0,
      referenceTicks: 0,
      midTicks: Number.NaN,
      unitValue: Number.NaN,
      equity: Number.NaN,
      strategy: { lots: 0, buyLots: 0, sellLots: 0, openOrders: 0 },
      account: { lots: 0, buyLots: 0, sellLots: 0, openOrders: 0 },
      strategyOpenOrders: 0,
      accountOpenOrders: 0,
      strategyValue: 0,
    };
  }

  /** Takes over the day of a restored journal. */
  restoreDay(): void {
    const day = this.#deps.state.day;
    if (day === undefined) return;
    this.#day = Math.floor(Date.parse(day.day) / DAY_MS);
    this.#dayEquity = Number(day.equity);
  }

  judge(order: Candidate, now: number, options: JudgeOptions): Denied | null {
    const facts = this.#fill(order, now, options);
    const { options: risk, state } = this.#deps;
    const limits = this.#limitsOf(order);
    return (
      collarDenial(order, facts, risk.priceCollar) ??
      orderSizeDenial(order, facts, limits.strategy, risk.maxOrderEquityFraction) ??
      orderSizeDenial(order, facts, limits.account, risk.maxOrderEquityFraction) ??
      reduceOnlyDenial(order, facts.strategy) ??
      positionDenial(order, facts, facts.strategy, limits.strategy, order.strategy) ??
      positionDenial(order, facts, facts.account, limits.account, 'the account') ??
      openOrdersDenial(order, facts.strategyOpenOrders, limits.strategy.maxOpenOrders, order.strategy) ??
      openOrdersDenial(order, facts.account.openOrders, limits.symbolOpenOrders, order.instrument.symbol) ??
      openOrdersDenial(order, facts.accountOpenOrders, limits.account.maxOpenOrders, 'the account') ??
      this.#rateDenial(order, now) ??
      this.#lossDenial(order, facts) ??
      this.#budget(order, facts, options) ??
      duplicateDenial(order, options.except === undefined ? state.orders.live(order.instrument.symbol) : []) ??
      this.#rejects.denial(rejectKey(order), now) ??
      this.#balanceDenial(order, facts, options)
    );
  }

  /** To be called for every message handed to the venue. */
  countMessage(strategy: string, now: number): void {
    this.#rate.count(now);
    this.#strategyRates.get(strategy)?.count(now);
  }

  rejected(order: OwnOrder, code: string, now: number): void {
    this.#rejects.rejected(rejectKey(order), code, now);
  }

  accepted(order: OwnOrder): void {
    this.#rejects.accepted(rejectKey(order));
  }

  /** NaN while the balances are not known. */
  equity(now: number): number {
    const { balances, valuation, state } = this.#deps;
    if (!balances.known) return Number.NaN;
    if (this.#equityVersion === balances.version && now - this.#equityAt < EQUITY_FRESH_MS) return this.#equity;
    let equity = 0;
    for (const { balance, total } of balances.all()) {
      const rate = valuation.rate(balance.currency);
      if (total !== 0 && !Number.isNaN(rate)) equity += total * rate;
    }
    for (const held of state.positions.all()) {
      if (held.instrument.market !== 'derivative' || held.lots === 0) continue;
      const value =
        this.#unrealized(held.instrument, held.lots, held.costValue) * valuation.rate(held.instrument.settle);
      if (!Number.isNaN(value)) equity += value;
    }
    this.#equity = equity;
    this.#equityAt = now;
    this.#equityVersion = balances.version;
    this.#beginDay(now, equity);
    return equity;
  }

  #beginDay(now: number, equity: number): void {
    const day = Math.floor(now / DAY_MS);
    if (day === this.#day) return;
    this.#day = day;
    this.#dayEquity = equity;
    this.#deps.onDay(utcDay(now), equity);
  }

  #unrealized(instrument: Instrument, lots: number, cost: number): number {
    const mid = this.#deps.market.mid(instrument.symbol);
    return mid === undefined ? 0 : mid * instrument.quantityOf(1) * instrument.contractValue * lots - cost;
  }

  #rateDenial(order: Candidate, now: number): Denied | null {
    if (order.reduceOnly) return null;
    return (
      this.#rate.denial(now, 'the account') ??
      this.#strategyRates.get(order.strategy)?.denial(now, order.strategy) ??
      null
    );
  }

  #lossDenial(order: Candidate, facts: RiskFacts): Denied | null {
    if (order.reduceOnly) return null;
    const limit = this.#dayEquity * this.#deps.options.dailyLossFraction;
    const ofAccount = dailyLossDenial(this.#dayEquity, facts.equity, limit, 'the account');
    if (ofAccount !== null) return ofAccount;
    const max = this.#deps.strategies.get(order.strategy)?.limits.maxDailyLoss;
    return max === undefined ? null : this.#strategyLoss(order.strategy, facts.now, Number(max));
  }

  #strategyLoss(strategy: string, now: number, max: number): Denied | null {
    const { state, valuation } = this.#deps;
    let pnl = 0;
    for (const held of state.positions.all()) {
      if (held.strategy !== strategy) continue;
      const rate = valuation.rate(held.instrument.quote);
      const value = (held.realizedValue + this.#unrealized(held.instrument, held.lots, held.costValue)) * rate;
      if (!Number.isNaN(value)) pnl += value;
    }
    const day = Math.floor(now / DAY_MS);
    const start = this.#strategyDay.get(strategy);
    if (start === undefined || start.day !== day) {
      this.#strategyDay.set(strategy, { day, pnl });
      return null;
    }
    return dailyLossDenial(start.pnl, pnl, max, strategy);
  }

  #budget(order: Candidate, facts: RiskFacts, options: JudgeOptions): Denied | null {
    const budget = this.#deps.strategies.get(order.strategy)?.limits.budget;
    if (budget === undefined) return null;
    facts.strategyValue = this.#strategyValue(order.strategy, options);
    return budgetDenial(order, facts, Number(budget));
  }

  /** Σ over symbols of the larger of |everything bought| and |everything sold|, valued. */
  #strategyValue(strategy: string, options: JudgeOptions): number {
    const worst = new Map<Instrument, { lots: number; buys: number; sells: number }>();
    const of = (instrument: Instrument): { lots: number; buys: number; sells: number } => {
      let entry = worst.get(instrument);
      if (entry === undefined) worst.set(instrument, (entry = { lots: 0, buys: 0, sells: 0 }));
      return entry;
    };
    for (const held of this.#deps.state.positions.all())
      if (held.strategy === strategy) of(held.instrument).lots += held.lots;
    for (const own of this.#deps.state.orders.allLive()) {
      if (own.strategy !== strategy || isGone(own, options)) continue;
      const reserved = reservedLots(own.progress);
      if (own.sign > 0) of(own.instrument).buys += reserved;
      else of(own.instrument).sells += reserved;
    }
    let value = 0;
    for (const [instrument, { lots, buys, sells }] of worst) {
      const size = Math.max(Math.abs(lots + buys), Math.abs(lots - sells));
      const price = this.#deps.market.mid(instrument.symbol) ?? 0;
      const unit = instrument.quantityOf(1) * instrument.contractValue;
      value += unit * size * price * this.#deps.valuation.rate(instrument.quote);
    }
    return value;
  }

  #balanceDenial(order: Candidate, facts: RiskFacts, options: JudgeOptions): Denied | null {
    const { state, balances } = this.#deps;
    const live = [...state.orders.allLive()].filter((own) => !isGone(own, options));
    if (order.instrument.market === 'spot') {
      const currency = lockCurrency(order);
      const externalLock = this.external.locks.get(currency);
      return spotBalanceDenial(order, {
        held: balances.of(currency),
        live,
        externalLock,
        referenceTicks: facts.referenceTicks,
      });
    }
    let inFlight = 0;
    for (const own of live) {
      if (
        own.ackedAt !== 0 ||
        own.instrument.settle !== order.instrument.settle ||
        own.instrument.market !== 'derivative'
      )
        continue;
      if (own.reduceOnly) continue;
      inFlight +=
        (own.instrument.priceOf(own.isMarket ? facts.referenceTicks : own.ticks) *
          own.instrument.quantityOf(reservedLots(own.progress)) *
          own.instrument.contractValue) /
        this.leverage(own.instrument.symbol);
    }
    const leverage = this.leverage(order.instrument.symbol);
    return marginDenial(order, balances.of(order.instrument.settle), inFlight, facts.referenceTicks, leverage);
  }

  /** Leverage as the venue told it; replaced by the executor when positions are known. */
  leverage: (symbol: string) => number = () => 1;

  #fill(order: Candidate, now: number, options: JudgeOptions): RiskFacts {
    const facts = this.#facts;
    const { instrument } = order;
    facts.now = now;
    this.#fillMarket(order);
    facts.unitValue =
      instrument.tick * instrument.lot * instrument.contractValue * this.#deps.valuation.rate(instrument.quote);
    facts.equity = this.equity(now);
    this.#fillExposure(order, options);
    return facts;
  }

  #fillMarket(order: Candidate): void {
    const facts = this.#facts;
    const { instrument } = order;
    const best = this.#deps.market.best(instrument.symbol);
    const mid = this.#deps.market.mid(instrument.symbol);
    facts.midTicks = mid === undefined ? Number.NaN : mid / instrument.tick;
    if (!order.isMarket) {
      facts.referenceTicks = order.ticks;
      return;
    }
    const opposite = order.side === 'buy' ? best?.askTicks : best?.bidTicks;
    facts.referenceTicks = opposite !== undefined && opposite > 0 ? opposite : facts.midTicks;
  }

  #fillExposure(order: Candidate, options: JudgeOptions): void {
    const facts = this.#facts;
    const { symbol } = order.instrument;
    const { strategy, account } = facts;
    reset(strategy);
    reset(account);
    account.buyLots = this.external.buyLots.get(symbol) ?? 0;
    account.sellLots = this.external.sellLots.get(symbol) ?? 0;
    account.lots = this.#externalLots(order);
    for (const held of this.#deps.state.positions.all()) {
      if (held.instrument.symbol !== symbol || held.positionSide !== order.positionSide) continue;
      account.lots += held.lots;
      if (held.strategy === order.strategy) strategy.lots += held.lots;
    }
    facts.accountOpenOrders = 0;
    facts.strategyOpenOrders = 0;
    for (const own of this.#deps.state.orders.allLive()) {
      if (own === options.except || isGone(own, options)) continue;
      const isOwn = own.strategy === order.strategy;
      const works = !isClosed(own.progress);
      if (works) {
        facts.accountOpenOrders++;
        if (isOwn) facts.strategyOpenOrders++;
      }
      if (own.instrument.symbol !== symbol || own.positionSide !== order.positionSide) continue;
      count(account, own, works);
      if (isOwn) count(strategy, own, works);
    }
  }

  /** What the account held of the position before us, or holds by others. Spot has none: that is balance. */
  #externalLots({ instrument, positionSide }: Candidate): number {
    const adjusted = this.#deps.state.adjustments.get(`position/${positionName(instrument.symbol, positionSide)}`);
    return adjusted === undefined ? 0 : adjusted.toNumber() / instrument.lot;
  }

  /**
   * Whether the order reduces the account's position as a whole: where strategies hold against each other, what reduces
   * one of them does not, and the venue would refuse it as reduce-only.
   */
  reducesAccount(order: Candidate): boolean {
    let lots = this.#externalLots(order);
    for (const held of this.#deps.state.positions.all()) {
      const isSame = held.instrument.symbol === order.instrument.symbol && held.positionSide === order.positionSide;
      if (isSame) lots += held.lots;
    }
    return order.lots <= (order.side === 'sell' ? lots : -lots) + LOTS_EPSILON;
  }

  #limitsOf(order: Candidate): LimitPair {
    const key = `${order.strategy}/${order.instrument.symbol}`;
    let pair = this.#limits.get(key);
    if (pair === undefined) {
      pair = limitPair(order.instrument, this.#deps.options, this.#deps.strategies.get(order.strategy)?.limits ?? {});
      this.#limits.set(key, pair);
    }
    return pair;
  }
}

function reset(exposure: Exposure): void {
  exposure.lots = 0;
  exposure.buyLots = 0;
  exposure.sellLots = 0;
  exposure.openOrders = 0;
}

function count(exposure: Exposure, own: OwnOrder, works: boolean): void {
  const reserved = reservedLots(own.progress);
  if (own.sign > 0) exposure.buyLots += reserved;
  else exposure.sellLots += reserved;
  if (works) exposure.openOrders++;
}

function isGone(own: OwnOrder, options: JudgeOptions): boolean {
  return own === options.except || (options.ignoreCanceling && own.cancelWanted);
}

function rejectKey(order: {
  readonly strategy: string;
  readonly instrument: Instrument;
  readonly side: string;
}): string {
  return `${order.strategy} ${order.side} ${order.instrument.symbol}`;
}
