/** Label, unit and convention of each metric in docs/metrics.md, as the report prints it. */
import type { StatName } from '../../statistics/stats.ts';

export type MetricUnit =
  | 'money'
  | 'percent'
  /** A fraction printed as percent. */
  | 'fraction'
  | 'bps'
  | 'ratio'
  | 'count'
  | 'duration'
  | 'days'
  | 'interval';

export interface MetricRow {
  readonly name: StatName;
  readonly label: string;
  readonly unit: MetricUnit;
  readonly convention: string;
  /** The sign means gain or loss and is coloured. */
  readonly signed?: boolean;
  /** Not made by trading. */
  readonly isBeside?: boolean;
}

export interface MetricGroup {
  readonly title: string;
  readonly rows: readonly MetricRow[];
}

export const metricGroups: readonly MetricGroup[] = [
  {
    title: 'Result',
    rows: [
      {
        name: 'netPnl',
        label: 'Net P&L',
        unit: 'money',
        convention: 'of own trading: equity end − start',
        signed: true,
      },
      { name: 'returnPct', label: 'Return', unit: 'percent', convention: 'of starting equity', signed: true },
      { name: 'heldDrift', label: 'Holdings', unit: 'money', convention: 'drift of what was held', isBeside: true },
      { name: 'external', label: 'External', unit: 'money', convention: 'external trades', isBeside: true },
      { name: 'accountPnl', label: 'Account', unit: 'money', convention: 'the sum of the three', isBeside: true },
      { name: 'fees', label: 'Fees', unit: 'money', convention: 'a fee in base at its fill price' },
      { name: 'funding', label: 'Funding', unit: 'money', convention: 'received less paid', signed: true },
      { name: 'volume', label: 'Volume', unit: 'money', convention: 'Σ price · quantity' },
      { name: 'turnover', label: 'Turnover', unit: 'ratio', convention: 'volume / mean equity' },
      { name: 'pnlPerVolumeBps', label: 'P&L per volume', unit: 'bps', convention: 'net P&L / volume', signed: true },
    ],
  },
  {
    title: 'Return and risk',
    rows: [
      { name: 'cagr', label: 'CAGR', unit: 'fraction', convention: 'years of 365 days', signed: true },
      { name: 'volatility', label: 'Volatility', unit: 'fraction', convention: 'sample std · √N' },
      { name: 'sharpe', label: 'Sharpe', unit: 'ratio', convention: 'arithmetic, ddof 1, · √N' },
      {
        name: 'sharpeCi95',
        label: 'Sharpe, 95 % interval',
        unit: 'interval',
        convention: 'skew and kurtosis included',
      },
      { name: 'sortino', label: 'Sortino', unit: 'ratio', convention: 'downside over all periods' },
      { name: 'calmar', label: 'Calmar', unit: 'ratio', convention: 'CAGR / max drawdown' },
      { name: 'omega', label: 'Omega', unit: 'ratio', convention: 'threshold 0' },
      { name: 'psr', label: 'Probabilistic Sharpe', unit: 'fraction', convention: 'P(true Sharpe > 0)' },
      { name: 'minTrackRecordDays', label: 'Track record needed', unit: 'days', convention: 'for Sharpe > 0 at 95 %' },
    ],
  },
  {
    title: 'Drawdown',
    rows: [
      { name: 'maxDrawdownPct', label: 'Max drawdown', unit: 'percent', convention: 'of the peak, event curve' },
      {
        name: 'maxDrawdownDurationMs',
        label: 'Longest drawdown',
        unit: 'duration',
        convention: 'peak → new high, or end',
      },
      { name: 'recoveryMs', label: 'Recovery', unit: 'duration', convention: 'deepest point → new high' },
      { name: 'underwaterPct', label: 'Under water', unit: 'percent', convention: 'of the time' },
      { name: 'ulcer', label: 'Ulcer', unit: 'fraction', convention: '√ mean dd², by time' },
    ],
  },
  {
    title: 'Trades',
    rows: [
      { name: 'trades', label: 'Trades', unit: 'count', convention: 'FIFO-matched pairs of lots' },
      { name: 'winRate', label: 'Win rate', unit: 'fraction', convention: 'P&L > 0 / P&L ≠ 0' },
      { name: 'profitFactor', label: 'Profit factor', unit: 'ratio', convention: 'gross profit / gross loss' },
      { name: 'payoff', label: 'Payoff', unit: 'ratio', convention: 'mean win / |mean loss|' },
      { name: 'expectancy', label: 'Expectancy', unit: 'money', convention: 'mean P&L, net of fees', signed: true },
      { name: 'sqn', label: 'SQN', unit: 'ratio', convention: '√n · mean / std' },
      { name: 'kelly', label: 'Kelly', unit: 'fraction', convention: 'W − (1 − W) / payoff' },
      { name: 'maxWinStreak', label: 'Longest win streak', unit: 'count', convention: 'by exit time' },
      { name: 'maxLossStreak', label: 'Longest loss streak', unit: 'count', convention: 'by exit time' },
      { name: 'avgHoldingMs', label: 'Mean holding time', unit: 'duration', convention: 'entry → exit fill' },
      { name: 'mae', label: 'Adverse excursion', unit: 'money', convention: 'mean worst, per trade' },
      { name: 'mfe', label: 'Favourable excursion', unit: 'money', convention: 'mean best, per trade' },
    ],
  },
  {
    title: 'Distribution of returns',
    rows: [
      { name: 'var95', label: 'VaR 95', unit: 'fraction', convention: '5th percentile, interpolated' },
      { name: 'cvar95', label: 'CVaR 95', unit: 'fraction', convention: 'mean of returns ≤ VaR' },
      { name: 'skew', label: 'Skewness', unit: 'ratio', convention: 'sample, bias-adjusted' },
      { name: 'kurtosis', label: 'Kurtosis', unit: 'ratio', convention: 'raw, normal = 3' },
      { name: 'tailRatio', label: 'Tail ratio', unit: 'ratio', convention: '|p95| / |p5|' },
      { name: 'stability', label: 'Stability', unit: 'ratio', convention: 'R² of cumulative log returns' },
    ],
  },
  {
    title: 'Exposure',
    rows: [
      { name: 'exposurePct', label: 'Exposed', unit: 'percent', convention: 'time with a position' },
      { name: 'meanLeverage', label: 'Mean leverage', unit: 'ratio', convention: 'gross notional / equity' },
      { name: 'maxLeverage', label: 'Max leverage', unit: 'ratio', convention: 'gross notional / equity' },
    ],
  },
  {
    title: 'Execution',
    rows: [
      { name: 'makerShare', label: 'Maker share', unit: 'fraction', convention: 'by notional' },
      { name: 'fillRatio', label: 'Fill ratio', unit: 'fraction', convention: 'orders filled / accepted' },
      { name: 'orderToTrade', label: 'Orders per fill', unit: 'ratio', convention: 'submitted / fills' },
      { name: 'avgTimeToFillMs', label: 'Time to first fill', unit: 'duration', convention: 'mean, from sending' },
      { name: 'queueAheadAtFill', label: 'Queue ahead', unit: 'ratio', convention: 'base units, maker fills' },
      { name: 'slippageBps', label: 'Slippage', unit: 'bps', convention: 'against arrival mid; + is worse' },
      { name: 'markout1s', label: 'Markout 1 s', unit: 'bps', convention: 'mid move; + is our way', signed: true },
      { name: 'markout5s', label: 'Markout 5 s', unit: 'bps', convention: 'mid move; + is our way', signed: true },
      { name: 'markout30s', label: 'Markout 30 s', unit: 'bps', convention: 'mid move; + is our way', signed: true },
    ],
  },
  {
    title: 'Overfitting',
    rows: [
      { name: 'dsr', label: 'Deflated Sharpe', unit: 'fraction', convention: 'from the trials counted' },
      { name: 'pbo', label: 'P(overfit)', unit: 'fraction', convention: 'CSCV, 16 blocks' },
      { name: 'maxTPValue', label: 'Best of many, p', unit: 'ratio', convention: 'studentised maximum' },
      {
        name: 'effectiveTrials',
        label: 'Effective trials',
        unit: 'ratio',
        convention: 'expected maximum by multipliers',
      },
      { name: 'minBacktestYears', label: 'Min backtest, years', unit: 'ratio', convention: '(E[max] / Sharpe)²' },
    ],
  },
];

export const metricRows: readonly MetricRow[] = metricGroups.flatMap((group) => group.rows);
