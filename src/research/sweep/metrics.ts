/**
 * Metrics of a trial: the statistics (docs/metrics.md), and the Sharpe ratio per grid period, which short data have
 * too. `tradingPnl` is an old name of `netPnl`.
 */
import type { BacktestRun } from '../../session/backtest.ts';
import { periodSharpe } from '../../statistics/ratios.ts';
import { metricGroups } from '../report/metric-table.ts';

const OWN = ['tradingPnl', 'sharpePerPeriod'] as const;

export const metricNames: ReadonlySet<string> = new Set([
  ...OWN,
  ...metricGroups.flatMap(({ rows }) => rows.map(({ name }) => name)).filter((name) => name !== 'sharpeCi95'),
]);

/** What orders trials of the same period as the annualised metric does, and has a value for short data, too. */
export const PER_PERIOD: Readonly<Record<string, string>> = { sharpe: 'sharpePerPeriod', cagr: 'returnPct' };

export type MetricValues = Readonly<Record<string, number | null>>;

/** Null where undefined. */
export function metricsOf({ result, trial }: Pick<BacktestRun, 'result' | 'trial'>): MetricValues {
  const values: Record<string, number | null> = {};
  for (const [name, value] of Object.entries(result.stats))
    if (!Array.isArray(value)) values[name] = value as number | null;
  values['tradingPnl'] = result.stats.netPnl;
  values['sharpePerPeriod'] = periodSharpe(trial.returns.values, 0);
  return values;
}
