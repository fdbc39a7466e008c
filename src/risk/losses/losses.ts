/** Losses of the account and of strategies that stop new risk. Nothing is sold. */
import type { Denied, RiskFigure } from '../../model/deny-reason.ts';
import type { RiskOptions } from '../options.ts';
import { AccountEquity, type EquityDeps } from './account-equity.ts';
import { dailyLossDenial, dayWithoutEquityDenial, drawdownDenial, utcDay } from './daily-loss.ts';
import type { Candidate, RiskFacts } from '../facts.ts';
import { figure } from '../figures.ts';
import { realizedValue } from '../../spine/positions.ts';
import { StrategyLosses } from './strategy-losses.ts';
import type { LossLimits } from '../limits.ts';

export interface LossDeps extends EquityDeps {
  /** Once a UTC day for each reason and loser. */
  readonly onLoss: (reason: 'daily_loss' | 'drawdown', message: string) => void;
}

type AccountLimits = Pick<RiskOptions, 'dailyLossFraction' | 'drawdownFraction'>;

export class Losses {
  readonly equity: AccountEquity;
  readonly #deps: LossDeps;
  readonly #strategies: StrategyLosses;
  readonly #told = new Set<string>();
  #toldOn = '';

  constructor(deps: LossDeps, hasPeak: () => boolean) {
    this.#deps = deps;
    this.equity = new AccountEquity(deps, hasPeak);
    this.#strategies = new StrategyLosses({
      state: deps.state,
      profit: (tag, now) => this.#profit(tag, now),
      mark: deps.mark,
    });
  }

  get ofStrategies(): StrategyLosses['ofDay'] {
    return this.#strategies.ofDay;
  }

  denial(order: Candidate, facts: RiskFacts, account: AccountLimits, own: LossLimits): Denied | null {
    if (order.exits) return null;
    const ofAccount = this.#ofAccount(facts, account);
    if (ofAccount !== null) return this.#tell(ofAccount, '', facts.now);
    const ofStrategy = this.#strategies.denial(order.strategy, facts.now, own);
    return ofStrategy === null ? null : this.#tell(ofStrategy, order.strategy, facts.now);
  }

  /** Notifies, because a denial alone may stay unread. */
  #tell(denial: Denied, whose: string, now: number): Denied {
    const { reason, message } = denial;
    if (reason !== 'daily_loss' && reason !== 'drawdown') return denial;
    const day = utcDay(now);
    if (day !== this.#toldOn) this.#told.clear();
    this.#toldOn = day;
    const key = `${reason}/${whose}`;
    if (!this.#told.has(key)) this.#deps.onLoss(reason, message);
    this.#told.add(key);
    return denial;
  }

  #ofAccount(facts: RiskFacts, account: AccountLimits): Denied | null {
    const { dayStart, dayBase, peak, peakBase } = this.equity;
    const { dailyLossFraction } = account;
    // 0 sets no limit.
    const ofDay =
      dailyLossFraction === 0
        ? null
        : (dayWithoutEquityDenial(dayBase) ??
          dailyLossDenial(dayStart, facts.equity, dayBase * dailyLossFraction, 'the account'));
    if (ofDay !== null) return ofDay;
    const { drawdownFraction } = account;
    if (drawdownFraction !== undefined && drawdownFraction > 0) {
      const ofPeak = drawdownDenial(peak, facts.equity, peakBase * drawdownFraction, 'the account');
      if (ofPeak !== null) return ofPeak;
    }
    return null;
  }

  look(now: number, strategies: readonly (readonly [tag: string, limits: LossLimits])[]): void {
    if (Number.isNaN(this.equity.at(now))) return;
    for (let index = 0; index < strategies.length; index++) {
      const [tag, limits] = strategies[index]!;
      this.#strategies.look(tag, now, limits);
    }
  }

  figures(order: Candidate, facts: RiskFacts, account: AccountLimits, own: LossLimits): readonly RiskFigure[] {
    const { dayStart, dayBase, peak, peakBase } = this.equity;
    const whose = 'the account';
    return [
      figure('daily_loss', whose, dayStart - facts.equity, dayBase * account.dailyLossFraction),
      figure('drawdown', whose, peak - facts.equity, peakBase * (account.drawdownFraction ?? Number.NaN)),
      ...this.#strategies.figures(order.strategy, facts.now, own),
    ];
  }

  /** NaN while an asset waits for its first price; later it is left out. */
  #profit(strategy: string, now: number): number {
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
}
