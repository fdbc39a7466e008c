/**
 * Losses that stop new risk: equity of the account, and profit of each strategy in the reporting currency, since the
 * start of the UTC day and since its peak. Both are journalled as marks, so a restart keeps them. Nothing is sold.
 */
import { realizedValue } from '../../spine/positions.ts';
import { utcDay } from '../../model/time.ts';
import { AccountEquity, DAY_MS, type EquityDeps } from './account-equity.ts';

/** A strategy's peak is journalled again after a growth by this fraction of the allowed drawdown. */
const PEAK_STEP = 0.05;

interface LossLimits {
  readonly maxDailyLoss: number;
  readonly maxDrawdown: number;
}

export interface LossOfDay {
  readonly day: string;
  readonly amount: number;
}

export class Losses {
  readonly equity: AccountEquity;
  readonly #deps: EquityDeps;
  readonly #peaks = new Map<string, number>();
  readonly #ofStrategies = new Map<string, LossOfDay>();
  #day = Number.NaN;
  #today = '';

  constructor(deps: EquityDeps) {
    this.#deps = deps;
    this.equity = new AccountEquity(deps);
  }

  /** Loss of the UTC day at the last `look`, for strategies with a daily limit; negative: gain. */
  get ofStrategies(): ReadonlyMap<string, LossOfDay> {
    return this.#ofStrategies;
  }

  look(strategy: string, now: number, limits: LossLimits): void {
    const profit = this.profit(strategy, now);
    if (Number.isNaN(profit)) return;
    this.begin(strategy, now, profit, limits);
    const lost = this.dayStart(strategy, now) - profit;
    if (limits.maxDailyLoss !== Number.POSITIVE_INFINITY)
      this.#ofStrategies.set(strategy, { day: this.#utcDay(now), amount: lost });
  }

  /** Begins the day of the strategy, or raises its peak. */
  begin(strategy: string, now: number, profit: number, { maxDailyLoss, maxDrawdown }: LossLimits): void {
    if (Number.isNaN(profit)) return;
    if (maxDailyLoss !== Number.POSITIVE_INFINITY && Number.isNaN(this.dayStart(strategy, now)))
      this.#deps.mark(dayMark(strategy), `${this.#utcDay(now)} ${profit}`);
    if (maxDrawdown === Number.POSITIVE_INFINITY) return;
    const reported = this.#marked(peakMark(strategy));
    const known = this.peak(strategy);
    const peak = known >= profit ? known : profit;
    this.#peaks.set(strategy, peak);
    if (!(peak - reported < maxDrawdown * PEAK_STEP)) this.#deps.mark(peakMark(strategy), String(peak));
  }

  /** NaN before the day began. */
  dayStart(strategy: string, now: number): number {
    const [day, start] = (this.#deps.state.marks.get(dayMark(strategy)) ?? '').split(' ');
    return day === this.#utcDay(now) ? Number(start) : Number.NaN;
  }

  /**
   * `value` was received (+) or paid (−) at `at`, Unix ms. It counts for the UTC day of `at`, even if learned later.
   */
  funded(strategy: string, value: number, at: number, now: number): void {
    const start = this.dayStart(strategy, now);
    if (Number.isNaN(start) || Math.floor(at / DAY_MS) >= Math.floor(now / DAY_MS)) return;
    this.#deps.mark(dayMark(strategy), `${this.#utcDay(now)} ${start + value}`);
  }

  /** NaN before the first. */
  peak(strategy: string): number {
    return this.#peaks.get(strategy) ?? this.#marked(peakMark(strategy));
  }

  /** Realised and open, less fees. NaN while an asset waits for its first price; later that asset is left out. */
  profit(strategy: string, now: number): number {
    const { state, valuation } = this.#deps;
    let profit = 0;
    for (const held of state.positions.all()) {
      if (held.strategy !== strategy) continue;
      const open = held.lots === 0 ? -held.costValue : this.equity.unrealized(held);
      const realized = realizedValue(held);
      const value = (realized + open) * valuation.rate(held.instrument.quote);
      if (!Number.isNaN(value)) profit += value;
      else if (this.equity.awaitsPrices(now)) return Number.NaN;
      else profit += realized * (valuation.rate(held.instrument.quote) || 0);
    }
    return profit;
  }

  #utcDay(now: number): string {
    const day = Math.floor(now / DAY_MS);
    if (day !== this.#day) this.#today = utcDay(now);
    this.#day = day;
    return this.#today;
  }

  #marked(name: string): number {
    return Number(this.#deps.state.marks.get(name) ?? Number.NaN);
  }
}

function dayMark(strategy: string): string {
  return `net-profit-day/${strategy}`;
}

function peakMark(strategy: string): string {
  return `net-profit-peak/${strategy}`;
}
