/** Judges every order by the table of checks (`checks.ts`), and keeps their counts. */
import type { Denied, RiskFigure } from '../model/trading/deny-reason.ts';
import type { Instruments } from '../model/market/instrument.ts';
import type { LimitChange, LimitOverrideEntry } from '../model/entries/human-entries.ts';
import { isWithheld, type WithheldEntry } from '../model/entries/risk-entries.ts';
import type { MarketReader } from '../model/ports.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import type { Spine } from '../spine/spine.ts';
import type { StateView } from '../spine/trading-state.ts';
import type { Check } from './check.ts';
import { CHECKS } from './checks.ts';
import { Activities, HOUR_MS, Refusals } from './counters.ts';
import { riskErrors } from './errors.ts';
import { partLots } from './exits.ts';
import { RiskFacts, type Candidate, type ExternalOrders, type JudgeOptions, type RiskSources } from './facts.ts';
import { LimitBook, OVERRIDE_LONGEST_MS, parseLimitPath, withOverride, type Enforced } from './limit-book.ts';
import { orderLimits, type OrderLimits } from './limits.ts';
import { utcDay } from '../model/time.ts';
import { Losses } from './losses/losses.ts';
import { Valuation } from './losses/valuation.ts';
import type { RiskOptions } from './options.ts';
import { coolsUntil, protectionsOf, type Protections } from './protections/protections.ts';
import type { TradingHours } from './protections/trading-hours.ts';
import type { StrategySlot } from './strategy-slot.ts';

/** What the risk service needs of the executor's core. */
export interface RiskPort {
  readonly deps: {
    readonly options: { readonly risk: RiskOptions };
    readonly instruments: Instruments;
    readonly market: MarketReader;
    readonly reporting: string;
  };
  readonly slots: ReadonlyMap<string, StrategySlot>;
  readonly state: StateView;
  readonly spine: Pick<Spine, 'commit'>;
  alarm(code: 'daily_loss' | 'drawdown', message: string): void;
  latch(strategy: string, reason: string): void;
  /** Cancels resting orders of new risk. Without a symbol: in all. */
  bar(strategy: string, symbol?: string): void;
}

interface InForce {
  readonly limits: OrderLimits;
  /** Checks that may deny an order of new risk, or an exit. */
  readonly checks: readonly Check[];
  readonly checksOfExits: readonly Check[];
}

const ALL_COUNT: JudgeOptions = { ignoreCanceling: false };

export class RiskService {
  readonly #port: RiskPort;
  readonly #state: StateView;
  readonly valuation: Valuation;
  readonly #book: LimitBook;
  readonly #activities: Activities;
  readonly #refusals = new Refusals();
  readonly losses: Losses;
  readonly #sources: RiskSources;
  readonly #facts: RiskFacts;
  /** By strategy, then symbol: of the limits in `#limitsOf`. */
  readonly #limits = new Map<string, Map<string, InForce>>();
  #limitsOf: Enforced | null = null;
  readonly #protections: ReadonlyMap<string, Protections>;
  /** Strategies with trading hours. */
  readonly #timed: readonly (readonly [string, TradingHours])[];
  /** Strategy and symbol → end of the cooldown that has cancelled what rested, Unix ms. */
  readonly #cooling = new Map<string, number>();
  /** Strategies outside their trading hours. */
  readonly #off = new Set<string>();
  /** Loss → UTC day of its last alarm. */
  readonly #reported = new Map<string, string>();

  constructor(port: RiskPort) {
    const { state, slots } = port;
    const { balances } = state.heard;
    const { options, instruments, market, reporting } = port.deps;
    this.#port = port;
    this.#state = state;
    this.valuation = new Valuation(reporting, instruments, market);
    const limits = new Map([...slots].map(([tag, slot]) => [tag, slot.limits] as const));
    const isOnTrial = (tag: string): boolean => state.trials.holds(slots.get(tag)!);
    this.#book = new LimitBook({ risk: options.risk, strategies: limits }, state.overrides, isOnTrial);
    this.#activities = new Activities(options.risk, limits);
    this.#protections = new Map([...limits].map(([tag, own]) => [tag, protectionsOf(own)]));
    this.#timed = [...this.#protections].flatMap(([tag, { hours }]) => (hours === null ? [] : [[tag, hours]]));
    const sources = { state, balances, instruments, valuation: this.valuation, market };
    this.losses = new Losses({
      ...sources,
      onDay: (day, equity, priced) => {
        const joined = priced === undefined ? {} : { priced: String(priced) };
        port.spine.commit({ kind: 'day', day, equity: String(equity), ...joined });
      },
      mark: (name, value) => port.spine.commit({ kind: 'risk-mark', name, value }),
      hasPeak: (now) => this.#book.at(now).risk.drawdownFraction !== undefined,
    });
    this.#sources = {
      ...sources,
      activities: this.#activities,
      refusals: this.#refusals,
      losses: this.losses,
      external: { buyLots: new Map(), sellLots: new Map(), locks: new Map() },
    };
    this.#facts = new RiskFacts(this.#sources);
  }

  set external(orders: ExternalOrders) {
    this.#sources.external = orders;
  }

  /** Takes day, peak, recent sends, fills and refusals from the journal, so a restart begins no new window. */
  restore(now: number): void {
    this.losses.equity.restore();
    const { orders, latchCounts } = this.#state;
    for (const strategy of this.#port.slots.keys())
      this.#activities.of(strategy).restore(latchCounts.fillsOf(strategy), latchCounts.refusalsOf(strategy));
    const sent = [...orders.remembered(), ...orders.allLive()].filter(({ sentAt }) => now - sentAt < HOUR_MS);
    for (const order of sent.toSorted((one, other) => one.sentAt - other.sentAt))
      this.countMessage(order.strategy, order.sentAt, order);
  }

  judge(order: Candidate, now: number, options: JudgeOptions): Denied | null {
    const inForce = this.#inForce(order, now);
    const { limits } = inForce;
    const facts = this.#facts.fill(order, limits, now, options);
    if (limits.limitsLoss && !order.exits) this.losses.begin(order.strategy, now, facts.profit, limits.strategy);
    const checks = order.exits ? inForce.checksOfExits : inForce.checks;
    for (let index = 0; index < checks.length; index++) {
      const check = checks[index]!;
      const denial = check.denial(order, facts);
      if (denial === null) continue;
      const { reason } = check;
      if (reason === 'daily_loss' || reason === 'drawdown') {
        const loser = check.scope === 'account' ? '' : order.strategy;
        this.#report(reason, denial.message, loser, now);
      }
      return denial;
    }
    return null;
  }

  /** The compared values of the checks with a limit. */
  figures(order: Candidate, now: number, options: JudgeOptions = ALL_COUNT): readonly RiskFigure[] {
    const facts = this.#facts.fill(order, this.#inForce(order, now).limits, now, options);
    const figures: RiskFigure[] = [];
    for (const check of CHECKS) {
      const shown = check.figure(order, facts);
      if (shown !== null) figures.push(shown);
    }
    return figures;
  }

  /** Call for every message to the venue; `order`: the one it creates. */
  countMessage(strategy: string, now: number, order?: OwnOrder): void {
    const value = order === undefined ? 0 : this.#valueSent(order);
    this.#activities.account.sent(now, value);
    this.#activities.of(strategy).sent(now, value);
  }

  /** 0 without a price. After a restart a market order has only its fill price. A sale below the mid is paid more. */
  #valueSent({ isMarket, arrivalMid, instrument, side, ticks, progress }: OwnOrder): number {
    const { fillCost, fillQuantity } = progress;
    const filledAt = fillQuantity.isZero() ? 0 : fillCost.div(fillQuantity).toNumber();
    const limit = instrument.priceOf(ticks);
    const price = isMarket ? (arrivalMid ?? filledAt) : side === 'sell' ? Math.max(limit, arrivalMid ?? 0) : limit;
    const rate = this.valuation.rate(instrument.quote);
    const value = price * instrument.quantityOf(progress.lots) * instrument.contractValue * rate;
    return Number.isNaN(value) ? 0 : value;
  }

  rejected(order: OwnOrder, code: string, now: number): void {
    this.#refusals.rejected(order, order.progress.lots, code, now);
    const activity = this.#activities.of(order.strategy);
    activity.rejects++;
    if (activity.rejects >= activity.rejectsMax)
      this.#latch(order.strategy, `${activity.rejects} refusals in a row, the last: ${code}`);
  }

  accepted(order: OwnOrder): void {
    this.#refusals.accepted(order, order.sentAt);
    this.#activities.of(order.strategy).rejects = 0;
  }

  executed({ strategy, instrument: { symbol } }: OwnOrder, now: number): void {
    this.#lookAtClose(strategy, symbol, now);
    const { fills, fillsWindowMs } = this.#activities.of(strategy);
    if (fills === null) return;
    fills.add(now);
    if (fills.within(now, fillsWindowMs) >= fills.max)
      this.#latch(strategy, `${fills.max} executions within ${fillsWindowMs} ms`);
  }

  enabled(strategy: string): void {
    this.#activities.of(strategy).enable();
  }

  /** Throws `limit_unknown`, `limit_value`. */
  checkOverride(override: Omit<LimitOverrideEntry, 'kind' | 'from'>, now: number): LimitChange {
    const { limit, value, until } = override;
    const path = parseLimitPath(limit);
    if (value !== null && path.scope === 'symbol' && this.#port.deps.instruments.find(path.of) === undefined)
      throw riskErrors.make('limit_value', `${limit}: no instrument is called ${path.of}`, { limit });
    if (value !== null) withOverride(this.#book.at(now).configured, limit, value);
    if (until > now + OVERRIDE_LONGEST_MS) {
      throw riskErrors.make('limit_value', `${limit}: an override ends after one hour at the latest`, { limit });
    }
    return this.#book.changeBy(override, now);
  }

  overridden(): void {
    this.#book.touch();
  }

  /**
   * Money arrived (+) or left (−) without a trade. Returns its reporting value, null when unknown. `at`: Unix ms, not
   * after the balance changed.
   */
  flowed(currency: string, amount: number, at: number): number | null {
    const value = amount * this.valuation.rate(currency);
    if (Number.isNaN(value)) return null;
    this.losses.equity.flowed(value, at);
    return value;
  }

  /** Funding of a strategy, received (+) or paid (−) at `at`, Unix ms. */
  funded(
    strategy: string,
    { currency, amount, at }: { currency: string; amount: number; at: number },
    now: number,
  ): void {
    const value = amount * this.valuation.rate(currency);
    if (!Number.isNaN(value)) this.losses.funded(strategy, value, at, now);
  }

  /** Unix ms: nothing depends on a `look` between `now` and then. */
  lookDueAt(now: number): number {
    const follows = this.#timed.length > 0 || this.#book.at(now).losses.length > 0;
    return follows ? now : this.losses.equity.dueAt(now);
  }

  /** Call it periodically: days begin and peaks are seen without orders too. */
  look(now: number): void {
    this.#lookAtHours(now);
    if (Number.isNaN(this.losses.equity.at(now))) return;
    for (const { tag, ...limits } of this.#book.at(now).losses) this.losses.look(tag, now, limits);
  }

  #lookAtClose(strategy: string, symbol: string, now: number): void {
    const cooldown = this.#protections.get(strategy)?.cooldown ?? null;
    if (cooldown === null) return;
    const until = coolsUntil(cooldown, this.#state.trades.lastClose(strategy, symbol));
    const key = `${strategy}/${symbol}`;
    if (until <= now || until === this.#cooling.get(key)) return;
    this.#cooling.set(key, until);
    this.#withhold({ strategy, symbol, by: 'cooldown', until });
  }

  #lookAtHours(now: number): void {
    for (const [tag, hours] of this.#timed) {
      if (hours.isOpen(now)) this.#off.delete(tag);
      else if (!this.#off.has(tag)) {
        this.#off.add(tag);
        this.#withhold({ strategy: tag, symbol: null, by: 'trading_hours', until: hours.nextOpening(now) });
      }
    }
    // The hours were configured otherwise when it was written.
    for (const entry of this.#state.withheld.values())
      if (entry.by === 'trading_hours' && isWithheld(entry, now) && !this.#off.has(entry.strategy))
        this.#port.spine.commit({ ...entry, until: now });
  }

  #withhold(entry: Omit<WithheldEntry, 'kind'>): void {
    this.#port.spine.commit({ kind: 'withheld', ...entry });
    this.#port.bar(entry.strategy, entry.symbol ?? undefined);
  }

  partLots(order: Candidate, now: number): number {
    return partLots(order, this.#facts.fill(order, this.#inForce(order, now).limits, now, ALL_COUNT));
  }

  /** Raises an alarm, because a denial alone may stay unread. */
  #report(reason: 'daily_loss' | 'drawdown', message: string, loser: string, now: number): void {
    const day = utcDay(now);
    const key = `${reason}/${loser}`;
    if (this.#reported.get(key) !== day) this.#port.alarm(reason, message);
    this.#reported.set(key, day);
  }

  #latch(strategy: string, reason: string): void {
    if (!this.#state.latches.has(strategy)) this.#port.latch(strategy, reason);
  }

  #inForce({ strategy, instrument }: Candidate, now: number): InForce {
    const enforced = this.#book.at(now);
    if (enforced !== this.#limitsOf) this.#limits.clear();
    this.#limitsOf = enforced;
    let bySymbol = this.#limits.get(strategy);
    if (bySymbol === undefined) this.#limits.set(strategy, (bySymbol = new Map()));
    let inForce = bySymbol.get(instrument.symbol);
    if (inForce === undefined) {
      const limits = orderLimits(instrument, enforced.risk, enforced.strategies.get(strategy) ?? {});
      const checks = CHECKS.filter(({ isSet }) => isSet(limits));
      inForce = { limits, checks, checksOfExits: checks.filter(({ exits }) => exits) };
      bySymbol.set(instrument.symbol, inForce);
    }
    return inForce;
  }
}
