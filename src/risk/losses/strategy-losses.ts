/**
 * Profit of each strategy in the reporting currency, at the start of the UTC day and at its peak. Both are journalled
 * as marks, so a restart keeps them.
 */
import { denied, type Denied, type RiskFigure } from '../../model/deny-reason.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { dailyLossDenial, drawdownDenial, utcDay } from './daily-loss.ts';
import type { LossLimits } from '../limits.ts';
import { figure } from '../figures.ts';

/** A peak is journalled again after growing by this fraction of the allowed fall. */
const PEAK_STEP = 0.05;

export interface ProfitSource {
  readonly state: StateView;
  /** Realised and open, less fees; NaN while an asset waits for its first price. */
  profit(strategy: string, now: number): number;
  mark(name: string, value: string): void;
}

export class StrategyLosses {
  readonly #source: ProfitSource;
  readonly #peaks = new Map<string, number>();
  readonly #ofDay = new Map<string, { readonly day: string; readonly amount: number }>();

  constructor(source: ProfitSource) {
    this.#source = source;
  }

  /** Loss of the UTC day at the last `look`, of strategies with a limit on it; negative: gain. */
  get ofDay(): ReadonlyMap<string, { readonly day: string; readonly amount: number }> {
    return this.#ofDay;
  }

  denial(strategy: string, now: number, { maxDailyLoss, maxDrawdown }: LossLimits): Denied | null {
    const hasDay = maxDailyLoss !== Number.POSITIVE_INFINITY;
    const hasPeak = maxDrawdown !== Number.POSITIVE_INFINITY;
    if (!hasDay && !hasPeak) return null;
    const profit = this.#source.profit(strategy, now);
    if (Number.isNaN(profit))
      return denied('no_market', `${strategy} holds what has no price yet, so its profit is not known`);
    const ofDay = hasDay
      ? dailyLossDenial(this.#dayStart(strategy, now, profit), profit, maxDailyLoss, strategy)
      : null;
    if (ofDay !== null || !hasPeak) return ofDay;
    return drawdownDenial(this.#peak(strategy, profit, maxDrawdown), profit, maxDrawdown, strategy);
  }

  /** Begins the day or raises the peak. */
  look(strategy: string, now: number, { maxDailyLoss, maxDrawdown }: LossLimits): void {
    const hasDay = maxDailyLoss !== Number.POSITIVE_INFINITY;
    const hasPeak = maxDrawdown !== Number.POSITIVE_INFINITY;
    const profit = hasDay || hasPeak ? this.#source.profit(strategy, now) : Number.NaN;
    if (Number.isNaN(profit)) return;
    if (hasDay) this.#ofDay.set(strategy, { day: utcDay(now), amount: this.#dayStart(strategy, now, profit) - profit });
    if (hasPeak) this.#peak(strategy, profit, maxDrawdown);
  }

  /** Changes nothing; NaN before the first comparison. */
  figures(strategy: string, now: number, { maxDailyLoss, maxDrawdown }: LossLimits): readonly RiskFigure[] {
    if (maxDailyLoss === Number.POSITIVE_INFINITY && maxDrawdown === Number.POSITIVE_INFINITY) return [];
    const profit = this.#source.profit(strategy, now);
    const start = this.#knownStart(strategy, utcDay(now)) ?? Number.NaN;
    const peak = this.#knownPeak(strategy);
    return [
      figure('daily_loss', strategy, start - profit, maxDailyLoss),
      figure('drawdown', strategy, Math.max(peak, profit) - profit, maxDrawdown),
    ];
  }

  #knownStart(strategy: string, day: string): number | undefined {
    const [knownDay, start] = (this.#source.state.marks.get(`net-profit-day/${strategy}`) ?? '').split(' ');
    return knownDay === day ? Number(start) : undefined;
  }

  #knownPeak(strategy: string): number {
    return (
      this.#peaks.get(strategy) ?? Number(this.#source.state.marks.get(`net-profit-peak/${strategy}`) ?? Number.NaN)
    );
  }

  #dayStart(strategy: string, now: number, profit: number): number {
    const day = utcDay(now);
    const known = this.#knownStart(strategy, day);
    if (known !== undefined) return known;
    this.#source.mark(`net-profit-day/${strategy}`, `${day} ${profit}`);
    return profit;
  }

  #peak(strategy: string, profit: number, maxDrawdown: number): number {
    const name = `net-profit-peak/${strategy}`;
    const told = Number(this.#source.state.marks.get(name) ?? Number.NaN);
    const known = this.#knownPeak(strategy);
    const peak = known >= profit ? known : profit;
    this.#peaks.set(strategy, peak);
    if (!(peak - told < maxDrawdown * PEAK_STEP)) this.#source.mark(name, String(peak));
    return peak;
  }
}
