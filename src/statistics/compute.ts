/** All statistics of a run (docs/metrics.md), and warnings. */
import { distributionOf } from './distribution.ts';
import { drawdownOf, NO_DRAWDOWN } from './drawdown.ts';
import { statisticsErrors } from './errors.ts';
import { executionOf } from './execution.ts';
import { exposureOf } from './exposure.ts';
import type { StatisticsInput } from './inputs.ts';
import { calmar, omega, periodSharpe, sortino, stability, volatility } from './ratios.ts';
import { DAY_MS, YEAR_MS, sampleAtBoundaries, simpleReturns } from './returns.ts';
import { inOrder, isOrdered } from './series.ts';
import { minTrackRecord, probabilisticSharpe, sharpeInterval, type SharpeEstimate } from './significance.ts';
import type { Stats, StatsConventions, StatsReport } from './stats.ts';
import { cagrOf, totalsOf } from './totals.ts';
import { excursionsOf, tradeMetrics } from './trade-metrics.ts';
import { matchTrades } from './trades.ts';
import { valuesOf, type FillValue } from './valuation.ts';

export const MIN_ANNUAL_MS = 7 * DAY_MS;
export const MIN_ANNUAL_SAMPLES = 10;

/** @throws `statistics_input` when the input contradicts itself. */
export function computeStats(given: StatisticsInput): StatsReport {
  checkInput(given);
  const input = ordered(given);
  const { to, equity, mids } = input;
  const values = valuesOf(input.fills, input.symbols);
  const isKnown = input.account !== null;
  const hasTraded = values.length > 0;
  const drawdown = isKnown ? drawdownOf(equity, to) : NO_DRAWDOWN;
  const rates = returnStats(input, isKnown && hasTraded, drawdown.maxDrawdownPct);
  const trades = matchTrades(values);
  const excursions = excursionsOf(trades, mids);
  const totals = totalsOf({ equity, to, values, account: input.account, funding: input.funding ?? [] });
  return {
    stats: {
      ...totals,
      ...drawdown,
      ...rates.stats,
      ...tradeMetrics(trades, excursions),
      ...exposureOf({ values, equity, mids, from: input.from, to }),
      ...executionOf({ values, orders: input.orders, mids, to }),
      ...OVERFITTING,
      ...(hasTraded ? {} : UNTRADED),
    },
    conventions: rates.conventions,
    excursions,
    warnings: [...rates.warnings, ...worthWarnings(values), ...(input === given ? [] : [OUT_OF_ORDER])],
  };
}

/** Known only with the trials of a search. */
const OVERFITTING = { dsr: null, pbo: null, minBacktestYears: null, maxTPValue: null, effectiveTrials: null };

/** Without trades no ratio is defined. */
const UNTRADED = {
  maxDrawdownPct: 0,
  maxDrawdownDurationMs: 0,
  recoveryMs: 0,
  underwaterPct: 0,
  ulcer: 0,
  turnover: null,
  fillRatio: null,
  orderToTrade: null,
  meanLeverage: null,
  maxLeverage: null,
};

type ReturnStats = Pick<
  Stats,
  | 'cagr'
  | 'volatility'
  | 'sharpe'
  | 'sortino'
  | 'calmar'
  | 'omega'
  | 'var95'
  | 'cvar95'
  | 'skew'
  | 'kurtosis'
  | 'tailRatio'
  | 'stability'
  | 'psr'
  | 'minTrackRecordDays'
  | 'sharpeCi95'
>;

interface Rates {
  readonly stats: ReturnStats;
  readonly conventions: StatsConventions;
  readonly warnings: readonly string[];
}

/** `says`: false without any return. */
function returnStats(input: StatisticsInput, says: boolean, maxDrawdownPct: number | null): Rates {
  const { from, to, equity, sampleMs = DAY_MS, riskFreeRate = 0, minimumReturn = 0 } = input;
  const periodsPerYear = YEAR_MS / sampleMs;
  const samples = sampleAtBoundaries(equity, from, to, sampleMs);
  const sampled = says ? simpleReturns(samples) : new Float64Array(0);
  const returns = sampled ?? new Float64Array(0);
  const long = to - from >= MIN_ANNUAL_MS;
  const annualised = long && returns.length >= MIN_ANNUAL_SAMPLES;
  const sharpe = periodSharpe(returns, riskFreeRate / periodsPerYear);
  const cagr = annualised ? cagrOf(equity, from, to) : null;
  const stats: ReturnStats = {
    cagr,
    volatility: annualised ? volatility(returns, periodsPerYear) : null,
    sharpe: annualised && sharpe !== null ? sharpe * Math.sqrt(periodsPerYear) : null,
    sortino: annualised ? sortino(returns, minimumReturn / periodsPerYear, periodsPerYear) : null,
    calmar: calmar(cagr, maxDrawdownPct),
    omega: omega(returns),
    ...distributionOf(returns),
    stability: stability(returns),
    ...significance(returns, sharpe, sampleMs, annualised),
  };
  const conventions = {
    sampleMs,
    samples: returns.length,
    periodsPerYear,
    riskFreeRate,
    minimumReturn,
    annualised,
  };
  const short = annualised ? [] : [shortWarning(to - from, samples.length - 1, sampleMs)];
  const warnings = sampled === null ? [LOST_ALL] : input.fills.length === 0 ? [DID_NOT_TRADE] : says ? short : [];
  return { stats, conventions, warnings };
}

const DID_NOT_TRADE = 'it did not trade: no ratio is said';

const LOST_ALL = 'equity reached zero or less: returns, and everything made from them, are undefined (null)';

function shortWarning(spanMs: number, samples: number, sampleMs: number): string {
  const returns = `${samples} ${samples === 1 ? 'return' : 'returns'} (one per ${sampleMs / 3_600_000} h)`;
  return (
    `nothing is annualised: ${(spanMs / DAY_MS).toFixed(2)} days and ${returns}, while ` +
    `${MIN_ANNUAL_MS / DAY_MS} days and ${MIN_ANNUAL_SAMPLES} returns are the least that says anything; ` +
    'cagr, volatility, sharpe, sortino, calmar, psr, minTrackRecordDays and sharpeCi95 are null'
  );
}

function significance(
  returns: Float64Array,
  sharpe: number | null,
  sampleMs: number,
  annualised: boolean,
): Pick<Stats, 'psr' | 'minTrackRecordDays' | 'sharpeCi95'> {
  const { skew, kurtosis } = distributionOf(returns);
  if (!annualised || sharpe === null || skew === null || kurtosis === null) {
    return { psr: null, minTrackRecordDays: null, sharpeCi95: null };
  }
  const estimate: SharpeEstimate = { sharpe, skew, kurtosis, samples: returns.length };
  const periods = minTrackRecord(estimate);
  return {
    psr: probabilisticSharpe(estimate),
    minTrackRecordDays: periods === null ? null : (periods * sampleMs) / DAY_MS,
    sharpeCi95: sharpeInterval(estimate, YEAR_MS / sampleMs),
  };
}

function worthWarnings(values: readonly FillValue[]): string[] {
  const unrated = new Set(values.filter(({ rate }) => rate === null).map(({ symbol }) => symbol.quote));
  const unknown = new Set(values.filter(({ fee }) => fee === null).map(({ fill }) => fill.feeCurrency));
  return [
    ...[...unrated].map(
      (quote) => `${quote} has no known worth: fills in it count as 0 in volume, leverage and trades`,
    ),
    ...[...unknown].map((currency) => `fees in ${currency} have no known worth: fees is null, trades leave them out`),
  ];
}

const OUT_OF_ORDER = 'times of equity, mids or fills went back; the statistics took them in order of their times';

/** Sorts points that live streams delivered out of order, and warns. */
function ordered(input: StatisticsInput): StatisticsInput {
  const { equity, fills, mids } = input;
  const paths = Object.entries(mids);
  const fillsOrdered = fills.every((fill, i) => i === 0 || fill.ts >= fills[i - 1]!.ts);
  if (isOrdered(equity) && fillsOrdered && paths.every(([, path]) => isOrdered(path))) return input;
  return {
    ...input,
    equity: inOrder(equity),
    fills: fills.toSorted((a, b) => a.ts - b.ts),
    mids: Object.fromEntries(paths.map(([symbol, path]) => [symbol, inOrder(path)])),
  };
}

function checkInput({ from, to, equity }: StatisticsInput): void {
  const fail = (message: string): never => {
    throw statisticsErrors.make('statistics_input', message);
  };
  if (!Number.isFinite(from) || !Number.isFinite(to) || to < from) fail(`the period ${from} to ${to} is not one`);
  if (equity.length === 0) fail('the equity curve is empty; it starts with [from, E_0]');
  for (let i = 0; i < equity.length; i++) {
    if (!Number.isFinite(equity.value[i])) fail(`equity point ${i} is ${equity.value[i]}`);
    if (!Number.isFinite(equity.ts[i])) fail(`the time of equity point ${i} is ${equity.ts[i]}`);
  }
}
