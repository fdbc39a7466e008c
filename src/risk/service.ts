/**
 * The checks before every send, in a fixed order (docs/risk.md). All live orders count as filled in the worse
 * direction; with `ignoreCanceling` those with a cancel on its way count as gone.
 */
import type { Denied, RiskFigure } from '../model/deny-reason.ts';
import type { Instrument, Instruments } from '../model/instrument.ts';
import type { LimitOverrideEntry } from '../model/human-entries.ts';
import type { MarketReader } from '../model/ports.ts';
import type { Balances } from '../spine/balances.ts';
import { riskErrors } from './errors.ts';
import type { StrategySlot } from './strategy-slot.ts';
import type { RiskOptions } from './options.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import type { StateView } from '../spine/trading-state.ts';
import { duplicateDenial } from './checks/duplicate.ts';
import { partLots, reducibleLots } from './exits.ts';
import { fillExposure, type ExternalOrders, type JudgeOptions } from './exposure.ts';
import { emptyFacts, valueOf, type Candidate, type RiskFacts } from './facts.ts';
import { known, orderFigures } from './figures.ts';
import { LimitBook, limitText, OVERRIDE_LONGEST_MS, parseLimitPath, withOverride, type Limited } from './limit-book.ts';
import { lossLimits, orderLimits, type OrderLimits } from './limits.ts';
import { marketTicks } from './market-price.ts';
import { Losses } from './losses/losses.ts';
import { openOrdersDenial } from './checks/open-orders.ts';
import { LONGEST_WINDOW_MS, OrderRates } from './checks/order-rates.ts';
import { orderSizeDenial } from './checks/order-size.ts';
import { positionDenial } from './checks/position-limit.ts';
import { Portfolios } from './portfolios.ts';
import { collarDenial } from './checks/price-collar.ts';
import { Purse } from './purse.ts';
import { reduceOnlyDenial } from './checks/reduce-only.ts';
import { RepeatedRejects } from './checks/repeated-rejects.ts';
import type { LossLimits } from './limits.ts';
import { StrategyLatches } from './losses/strategy-latches.ts';
import { symbolDenial } from './checks/symbol-list.ts';
import type { Valuation } from './losses/valuation.ts';

export interface RiskDeps {
  readonly options: RiskOptions;
  readonly strategies: ReadonlyMap<string, StrategySlot>;
  readonly instruments: Instruments;
  readonly state: StateView;
  readonly balances: Balances;
  readonly valuation: Valuation;
  readonly market: MarketReader;
  readonly onDay: (day: string, equity: number, priced?: number) => void;
  /** Journals a mark. */
  readonly onMark: (name: string, value: string) => void;
  readonly onTrial: (strategy: string) => boolean;
  readonly onLoss: (reason: 'daily_loss' | 'drawdown', message: string) => void;
  readonly onLatch: (strategy: string, reason: string) => void;
}

export class RiskService {
  external: ExternalOrders = { buyLots: new Map(), sellLots: new Map(), locks: new Map() };
  readonly #deps: RiskDeps;
  readonly #book: LimitBook;
  readonly #rates: OrderRates;
  readonly #rejects: RepeatedRejects;
  readonly #latches: StrategyLatches;
  readonly #losses: Losses;
  readonly #portfolios: Portfolios;
  readonly #purse: Purse;
  /** By strategy, then symbol. */
  readonly #limits = new Map<string, Map<string, OrderLimits>>();
  /** By strategy; rebuilt when limits change. */
  #lossLimits: readonly (readonly [tag: string, limits: LossLimits])[] = [];
  #limited: Limited['strategies'] = new Map();
  readonly #facts: RiskFacts = emptyFacts();

  constructor(deps: RiskDeps) {
    const { options, strategies, state, onMark } = deps;
    this.#deps = deps;
    const limits = new Map([...strategies].map(([tag, slot]) => [tag, slot.limits] as const));
    this.#book = new LimitBook({ risk: options, strategies: limits }, state.overrides, deps.onTrial);
    this.#rates = new OrderRates(this.#book.limits);
    this.#rejects = new RepeatedRejects(options.repeatedRejects, options.rejectCooldownMs);
    this.#latches = new StrategyLatches((tag) => this.#latchLimits(tag), state.latches, deps.onLatch);
    this.#losses = new Losses({ ...deps, mark: onMark }, () => this.#book.limits.risk.drawdownFraction !== undefined);
    const external = (): ExternalOrders => this.external;
    this.#portfolios = new Portfolios({ ...deps, external });
    this.#purse = new Purse({ ...deps, external, leverage: (symbol) => state.heard.leverages.get(symbol) ?? 1 });
  }

  /** Takes day, peak and recent sends from the journal: a restart begins no new rate window. */
  restore(now: number): void {
    this.#losses.equity.restore();
    const { orders } = this.#deps.state;
    const sent = [...orders.remembered(), ...orders.allLive()].filter(({ sentAt }) => now - sentAt < LONGEST_WINDOW_MS);
    for (const order of sent.toSorted((one, other) => one.sentAt - other.sentAt))
      this.#rates.count(order.strategy, order.sentAt, this.#valueSent(order));
  }

  judge(order: Candidate, now: number, options: JudgeOptions): Denied | null {
    const limits = this.#limitsOf(order, now);
    const { risk, strategies } = this.#book.limits;
    const facts = this.#fill(order, now, options);
    const { symbol } = order.instrument;
    const { state } = this.#deps;
    return (
      this.#permitted(order, risk, strategies) ??
      collarDenial(order, facts, risk.priceCollar) ??
      orderSizeDenial(order, facts, limits.strategy, limits.equityFraction) ??
      orderSizeDenial(order, facts, limits.account, risk.maxOrderEquityFraction) ??
      reduceOnlyDenial(order, facts) ??
      positionDenial(order, facts, facts.strategy, limits.strategy, order.strategy) ??
      positionDenial(order, facts, facts.account, limits.account, 'the account') ??
      openOrdersDenial(order, facts.strategyOpenOrders, limits.strategy.maxOpenOrders, order.strategy) ??
      openOrdersDenial(order, facts.symbolOpenOrders, limits.symbolOpenOrders, symbol) ??
      openOrdersDenial(order, facts.accountOpenOrders, limits.account.maxOpenOrders, 'the account') ??
      this.#rates.denial(order, now, valueOf(order, facts), this.#book.limits) ??
      this.#losses.denial(order, facts, risk, limits.losses) ??
      this.#portfolios.denial(order, facts, limits, options) ??
      duplicateDenial(order, options.except === undefined ? state.orders.live(symbol) : []) ??
      (this.#rejects.areNone ? null : this.#rejects.denial(rejectKey(order), now)) ??
      this.#purse.denial(order, facts, options)
    );
  }

  /** The compared values of the checks with a limit. */
  figures(order: Candidate, now: number, options: JudgeOptions = { ignoreCanceling: false }): readonly RiskFigure[] {
    const limits = this.#limitsOf(order, now);
    const { risk } = this.#book.limits;
    const facts = this.#fill(order, now, options);
    return known([
      ...orderFigures(order, facts, limits, risk),
      ...this.#rates.figures(order, now, valueOf(order, facts), this.#book.limits),
      ...this.#latches.figures(order.strategy, now),
      ...this.#losses.figures(order, facts, risk, limits.losses),
      ...this.#portfolios.figures(order, facts, limits, options),
    ]);
  }

  /** Call for every message to the venue; `order`: the one it creates. */
  countMessage(strategy: string, now: number, order?: OwnOrder): void {
    this.#rates.count(strategy, now, order === undefined ? 0 : this.#valueSent(order));
  }

  /** 0 for an exit or without a price. After a restart a market order has only its fill price. */
  #valueSent({ exits, isMarket, arrivalMid, instrument, ticks, progress }: OwnOrder): number {
    if (exits) return 0;
    const { fillCost, fillQuantity } = progress;
    const filledAt = fillQuantity.isZero() ? 0 : fillCost.div(fillQuantity).toNumber();
    const price = isMarket ? (arrivalMid ?? filledAt) : instrument.priceOf(ticks);
    const rate = this.#deps.valuation.rate(instrument.quote);
    const value = price * instrument.quantityOf(progress.lots) * instrument.contractValue * rate;
    return Number.isNaN(value) ? 0 : value;
  }

  rejected(order: OwnOrder, code: string, now: number): void {
    this.#rejects.rejected(rejectKey(order), code, now);
    this.#latches.rejected(order.strategy, code);
  }

  accepted(order: OwnOrder): void {
    if (!this.#rejects.areNone) this.#rejects.accepted(rejectKey(order), order.sentAt);
    this.#latches.accepted(order.strategy);
  }

  executed(strategy: string, now: number): void {
    this.#latches.executed(strategy, now);
  }

  enabled(strategy: string): void {
    this.#latches.enabled(strategy);
  }

  /** Returns the value before the override. Throws `limit_unknown`, `limit_value`. */
  checkOverride({ limit, value, until }: Omit<LimitOverrideEntry, 'kind' | 'from'>, now: number): string | null {
    this.#book.at(now);
    const limits = this.#book.configured;
    const path = parseLimitPath(limit);
    if (value !== null && path.scope === 'symbol' && this.#deps.instruments.find(path.of) === undefined)
      throw riskErrors.make('limit_value', `${limit}: no instrument is called ${path.of}`, { limit });
    if (value !== null) withOverride(limits, limit, value);
    if (until > now + OVERRIDE_LONGEST_MS) {
      throw riskErrors.make('limit_value', `${limit}: an override ends after one hour at the latest`, { limit });
    }
    return limitText(limits, limit);
  }

  overridden(): void {
    this.#book.touch();
  }

  /**
   * Money came (+) or went (−) without a trade. Returns its reporting value, null when unknown. `at`: Unix ms, not
   * after the balance changed.
   */
  flowed(currency: string, amount: number, at: number): number | null {
    const value = amount * this.#deps.valuation.rate(currency);
    if (Number.isNaN(value)) return null;
    this.#losses.equity.flowed(value, at);
    return value;
  }

  canValue(currency: string): boolean {
    return !Number.isNaN(this.#deps.valuation.rate(currency));
  }

  /** Call it periodically: days begin and peaks are seen without orders too. */
  look(now: number): void {
    if (this.#book.at(now)) this.#limits.clear();
    const { strategies } = this.#book.limits;
    if (strategies !== this.#limited) {
      this.#limited = strategies;
      this.#lossLimits = [...strategies].map(([tag, limits]) => [tag, lossLimits(limits)]);
    }
    this.#losses.look(now, this.#lossLimits);
  }

  /** NaN while the balances are unknown. */
  equity(now: number): number {
    return this.#losses.equity.at(now);
  }

  get lossOfDay(): { readonly day: string; readonly amount: number } | undefined {
    return this.#losses.equity.lossOfDay;
  }

  get strategyLosses(): ReadonlyMap<string, { readonly day: string; readonly amount: number }> {
    return this.#losses.ofStrategies;
  }

  #permitted(order: Candidate, risk: RiskOptions, strategies: Limited['strategies']): Denied | null {
    if (order.exits) return null;
    const { symbol } = order.instrument;
    return (
      symbolDenial(symbol, risk.allowedSymbols, 'the account') ??
      symbolDenial(symbol, strategies.get(order.strategy)?.allowedSymbols, order.strategy) ??
      this.#latches.denial(order.strategy)
    );
  }

  #latchLimits(strategy: string): Pick<RiskOptions, 'repeatedExecutions' | 'rejectsInARow'> {
    const { risk, strategies } = this.#book.limits;
    const own = strategies.get(strategy);
    return {
      repeatedExecutions: own?.repeatedExecutions ?? risk.repeatedExecutions,
      rejectsInARow: own?.rejectsInARow ?? risk.rejectsInARow,
    };
  }

  #fill(order: Candidate, now: number, options: JudgeOptions): RiskFacts {
    const facts = this.#facts;
    const { state, valuation } = this.#deps;
    facts.now = now;
    this.#fillMarket(order);
    facts.unitValue = valuation.unit(order.instrument);
    facts.equity = this.equity(now);
    fillExposure(facts, order, state, this.external, options);
    return facts;
  }

  #fillMarket(order: Candidate): void {
    const facts = this.#facts;
    const { instrument } = order;
    const { market } = this.#deps;
    const mid = market.mid(instrument.symbol);
    facts.midTicks = mid === undefined ? Number.NaN : mid / instrument.tick;
    facts.referenceTicks = order.isMarket ? marketTicks(instrument, order.side, market) : order.ticks;
  }

  reducible(order: Pick<Candidate, 'instrument' | 'positionSide' | 'side'>, options: JudgeOptions): number {
    return reducibleLots(order, this.#deps.state, options);
  }

  partLots(order: Candidate, now: number): number {
    const facts = this.#fill(order, now, { ignoreCanceling: false });
    return partLots(order, facts, this.#limitsOf(order, now), this.#book.limits.risk.maxOrderEquityFraction);
  }

  #limitsOf(order: Candidate, now: number): OrderLimits {
    if (this.#book.at(now)) this.#limits.clear();
    const { strategy, instrument } = order;
    let bySymbol = this.#limits.get(strategy);
    if (bySymbol === undefined) this.#limits.set(strategy, (bySymbol = new Map()));
    let limits = bySymbol.get(instrument.symbol);
    if (limits === undefined) {
      const { risk, strategies } = this.#book.limits;
      limits = orderLimits(instrument, risk, strategies.get(strategy) ?? {});
      bySymbol.set(instrument.symbol, limits);
    }
    return limits;
  }
}

function rejectKey(order: {
  readonly strategy: string;
  readonly instrument: Instrument;
  readonly side: string;
}): string {
  return `${order.strategy} ${order.side} ${order.instrument.symbol}`;
}
