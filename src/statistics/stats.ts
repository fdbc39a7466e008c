/**
 * The statistics by name (docs/metrics.md). `Pct` is percent, `Bps` and markouts basis points, `Ms` milliseconds; money
 * in the reporting currency. Undefined values are null.
 */
import type { Excursion } from './trade-metrics.ts';

export type Stats = {
  readonly netPnl: number | null;
  readonly returnPct: number | null;
  readonly heldDrift: number | null;
  readonly external: number | null;
  readonly accountPnl: number | null;
  readonly fees: number | null;
  readonly funding: number | null;
  readonly volume: number | null;
  readonly turnover: number | null;
  readonly cagr: number | null;
  readonly volatility: number | null;
  readonly sharpe: number | null;
  readonly sortino: number | null;
  readonly calmar: number | null;
  readonly omega: number | null;
  readonly maxDrawdownPct: number | null;
  readonly maxDrawdownDurationMs: number | null;
  readonly recoveryMs: number | null;
  readonly underwaterPct: number | null;
  readonly ulcer: number | null;
  readonly var95: number | null;
  readonly cvar95: number | null;
  readonly skew: number | null;
  readonly kurtosis: number | null;
  readonly tailRatio: number | null;
  readonly stability: number | null;
  readonly trades: number | null;
  readonly winRate: number | null;
  readonly profitFactor: number | null;
  readonly payoff: number | null;
  readonly expectancy: number | null;
  readonly sqn: number | null;
  readonly kelly: number | null;
  readonly maxWinStreak: number | null;
  readonly maxLossStreak: number | null;
  readonly avgHoldingMs: number | null;
  readonly mae: number | null;
  readonly mfe: number | null;
  readonly exposurePct: number | null;
  readonly meanLeverage: number | null;
  readonly maxLeverage: number | null;
  readonly makerShare: number | null;
  readonly fillRatio: number | null;
  readonly orderToTrade: number | null;
  readonly avgTimeToFillMs: number | null;
  readonly queueAheadAtFill: number | null;
  readonly slippageBps: number | null;
  readonly markout1s: number | null;
  readonly markout5s: number | null;
  readonly markout30s: number | null;
  readonly pnlPerVolumeBps: number | null;
  readonly psr: number | null;
  readonly dsr: number | null;
  readonly minTrackRecordDays: number | null;
  readonly pbo: number | null;
  readonly minBacktestYears: number | null;
  readonly maxTPValue: number | null;
  readonly effectiveTrials: number | null;
  readonly sharpeCi95: readonly [low: number, high: number] | null;
};

export type StatName = keyof Stats;

/** Printed beside the numbers. */
export interface StatsConventions {
  readonly sampleMs: number;
  /** Number of returns. */
  readonly samples: number;
  readonly periodsPerYear: number;
  readonly riskFreeRate: number;
  readonly minimumReturn: number;
  readonly annualised: boolean;
}

export interface StatsReport {
  readonly stats: Stats;
  readonly conventions: StatsConventions;
  /** Per trade, in the order of `matchTrades`. */
  readonly excursions: readonly (Excursion | null)[];
  readonly warnings: readonly string[];
}
