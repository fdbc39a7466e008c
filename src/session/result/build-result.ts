/** Makes the result document of a run. */
import type { OrderCounters } from '../../spine/orders/order-counters.ts';
import type { Instruments } from '../../model/market/instrument.ts';
import type { DataParts } from '../../recording/tape/data-parts.ts';
import { dec, decimalText, ZERO } from '../../model/numbers/money.ts';
import { computeStats } from '../../statistics/compute.ts';
import type { AccountNumbers, FillRecord, SymbolRecord } from '../../statistics/inputs.ts';
import { heldPath, type HeldPath } from '../../statistics/overfitting/held-path.ts';
import { periodReturns, type PeriodReturns } from '../../statistics/period-grid.ts';
import { pointsOf, type Series } from '../../statistics/series.ts';
import type { BacktestResult, ChartPrices, ChartSeries, ResultPosition } from './result.ts';
import type { Engine } from '../engine.ts';
import type { AccountFigures } from '../recorder/equity.ts';
import type { ChargedInterest } from '../money/overdraft-interest.ts';
import { ownPositions } from './own-positions.ts';
import type { PlottedSeries } from '../recorder/curves/plots.ts';
import type { RunRecorder } from '../recorder/run-recorder.ts';
import { strategyResults, type RunStrategy } from './strategy-results.ts';
import type { PreparedStrategy } from '../strategies.ts';

export interface RunFacts extends Pick<
  BacktestResult,
  | 'command'
  | 'strategy'
  | 'currency'
  | 'runHash'
  | 'hashes'
  | 'seed'
  | 'params'
  | 'period'
  | 'events'
  | 'loadMs'
  | 'wallMs'
  | 'assumptions'
  | 'warnings'
  | 'files'
  | 'positions'
  | 'programs'
  | 'legs'
> {
  readonly counters: Readonly<OrderCounters>;
  readonly failures: ReadonlyMap<string, Error>;
  readonly overdraftInterest?: ChargedInterest | null;
  readonly sampleMs?: number;
  /** For a result of each; where several ran. */
  readonly each?: readonly RunStrategy[];
  readonly candles?: readonly ChartPrices[];
}

export interface TrialSeries {
  readonly returns: PeriodReturns;
  /** Holdings for the timing test, or why they are unknown. */
  readonly held: HeldPath | string;
}

export interface TrialFacts extends TrialSeries {
  /** Of the strategy files and their imports. */
  readonly codeHash: string;
  readonly filesRead: readonly string[];
  /** Of the whole data. */
  readonly dataHash: string;
  readonly dataParts: () => DataParts;
  /** The part of the data that was run, Unix ms. */
  readonly period: { readonly from: number; readonly to: number };
  readonly dataTo: number;
}

export function trialSeries(
  { period, currency, fills, stats }: Pick<BacktestResult, 'period' | 'currency' | 'fills' | 'stats'>,
  recorder: RunRecorder,
  instruments: Instruments,
): TrialSeries {
  const symbols = symbolRecords(instruments, recorder, currency, fills);
  return {
    returns: periodReturns(recorder.equity.series(), period),
    held: heldPath({
      fills,
      symbols,
      mids: recorder.midSeries(),
      funding: recorder.funding,
      period,
      netPnl: stats.netPnl,
    }),
  };
}

function symbolRecords(
  instruments: Instruments,
  recorder: RunRecorder,
  currency: string,
  fills: readonly FillRecord[],
): Record<string, SymbolRecord> {
  const symbols = new Set([...fills.map(({ symbol }) => symbol), ...Object.keys(recorder.midSeries())]);
  const records: Record<string, SymbolRecord> = {};
  for (const symbol of symbols) {
    const instrument = instruments.find(symbol);
    if (instrument === undefined) continue;
    const { base, quote, market, spec } = instrument;
    records[symbol] = {
      base,
      quote,
      market,
      lotSize: spec.lotSize,
      ...(spec.contractSize === undefined ? {} : { contractSize: spec.contractSize }),
      ...(quote === currency ? {} : rateOf(recorder, quote)),
    };
  }
  return records;
}

function rateOf({ prices }: RunRecorder, quote: string): Pick<SymbolRecord, 'quoteRate' | 'rateBy'> {
  const rate = prices.rate(quote);
  const bridge = prices.bridge(quote);
  if (rate === undefined || bridge === null) return { quoteRate: null };
  const { inverse, instrument } = bridge;
  return { quoteRate: decimalText(rate), rateBy: { symbol: instrument.symbol, inverse } };
}

function quoteRateOf(symbol: SymbolRecord | undefined): Pick<SymbolRecord, 'quoteRate'> {
  return symbol?.quoteRate === undefined ? {} : { quoteRate: symbol.quoteRate };
}

const CHART_POINTS_MAX = 6000;

function thinned(series: Series): (readonly [number, number])[] {
  if (series.length <= CHART_POINTS_MAX) return pointsOf(series).map(([ts, value]) => [ts, value]);
  const pieces = Math.floor(CHART_POINTS_MAX / 3);
  const points: (readonly [number, number])[] = [];
  for (let piece = 0; piece < pieces; piece++) {
    const from = Math.floor((piece * series.length) / pieces);
    const to = Math.floor(((piece + 1) * series.length) / pieces);
    let low = from;
    let high = from;
    for (let index = from; index < to; index++) {
      if ((series.value[index] ?? 0) < (series.value[low] ?? 0)) low = index;
      if ((series.value[index] ?? 0) > (series.value[high] ?? 0)) high = index;
    }
    for (const index of [...new Set([low, high, to - 1])].toSorted((left, right) => left - right)) {
      points.push([series.ts[index] ?? 0, series.value[index] ?? 0]);
    }
  }
  return points;
}

function chartOf(
  recorder: RunRecorder,
  candles: readonly ChartPrices[],
  fills: readonly FillRecord[],
): readonly ChartPrices[] {
  const traded = new Set(fills.map(({ symbol }) => symbol));
  const drawn = new Set(candles.map(({ symbol }) => symbol));
  const lines = Object.entries(recorder.midSeries())
    .filter(([symbol]) => !drawn.has(symbol) && (traded.size === 0 || traded.has(symbol)))
    .map(([symbol, series]) => ({
      kind: 'line' as const,
      symbol,
      points: thinned(series).map(([ts, mid]) => [ts, mid] as [number, number]),
    }));
  return [...candles, ...lines];
}

function plottedOf({ name, pane, tag, symbol, series }: PlottedSeries): ChartSeries {
  const points = thinned(series).map(([ts, value]) => [ts, value] as [number, number]);
  return { name, pane, tag, ...(symbol === undefined ? {} : { symbol }), points };
}

export function buildResult(facts: RunFacts, recorder: RunRecorder, instruments: Instruments): BacktestResult {
  const { command, strategy, currency, runHash, hashes, seed, params, period, events, loadMs, wallMs, counters } =
    facts;
  const fills = recorder.fills;
  const equity = recorder.equity.series();
  const symbols = symbolRecords(instruments, recorder, currency, fills);
  const report = computeStats({
    from: period.from,
    to: period.to,
    ...(facts.sampleMs === undefined ? {} : { sampleMs: facts.sampleMs }),
    equity,
    fills,
    account: numbersOf(recorder.figures),
    funding: recorder.funding,
    orders: counters,
    symbols,
    mids: recorder.midSeries(),
  });
  return {
    command,
    strategy,
    currency,
    runHash,
    hashes,
    seed,
    params,
    period,
    events,
    loadMs,
    wallMs,
    eventsPerSecond: wallMs > 0 ? Math.round(events.total / (wallMs / 1000)) : 0,
    orderCounts: counters,
    denials: recorder.denials(),
    stats: report.stats,
    conventions: report.conventions,
    assumptions: facts.assumptions,
    warnings: [...new Set([...facts.warnings, ...recorder.warnings(), ...report.warnings])],
    failures: [...facts.failures].map(([tag, { message }]) => ({ strategy: tag, message })),
    files: facts.files,
    equity: pointsOf(equity),
    fills,
    orders: recorder.orders,
    programs: facts.programs,
    positions: facts.positions,
    ...(facts.each === undefined
      ? {}
      : {
          strategies: strategyResults({
            strategies: facts.each,
            period,
            sampleMs: facts.sampleMs,
            fills,
            symbols,
            recorder,
            instruments,
          }),
        }),
    notes: recorder.notes,
    instruments: instruments.all().map(({ spec }) => ({
      symbol: spec.symbol,
      base: spec.base,
      quote: spec.quote,
      market: spec.market,
      tickSize: spec.tickSize,
      lotSize: spec.lotSize,
      ...(spec.contractSize === undefined ? {} : { contractSize: spec.contractSize }),
      ...quoteRateOf(symbols[spec.symbol]),
    })),
    ...(facts.overdraftInterest === undefined ? {} : { overdraftInterest: valueOf(facts.overdraftInterest, recorder) }),
    ...(facts.legs === undefined ? {} : { legs: facts.legs }),
    excursions: report.excursions,
    chart: {
      prices: chartOf(recorder, facts.candles ?? [], fills),
      series: Array.from(recorder.plots.all(), plottedOf),
    },
  };
}

function numbersOf(figures: AccountFigures | null): AccountNumbers | null {
  if (figures === null) return null;
  const { netPnl, heldDrift, external, accountPnl } = figures;
  return {
    netPnl: netPnl.toNumber(),
    heldDrift: heldDrift.toNumber(),
    external: external.toNumber(),
    accountPnl: accountPnl.toNumber(),
  };
}

/** In the reporting currency; null without a price in it. */
function valueOf(charged: ChargedInterest | null, { prices }: RunRecorder): number | null {
  if (charged === null) return null;
  let sum = ZERO;
  for (const [currency, amount] of Object.entries(charged)) {
    const rate = prices.rate(currency);
    if (rate === undefined) return null;
    sum = sum.plus(dec(amount).times(rate));
  }
  return sum.toNumber();
}

export function paramsOf(strategies: readonly PreparedStrategy[]): Readonly<Record<string, unknown>> {
  const [only] = strategies;
  if (strategies.length === 1 && only !== undefined) return only.params;
  return Object.fromEntries(strategies.map(({ tag, params }) => [tag, params]));
}

/** Holdings at the end beyond the account's start. */
export function openPositions(engine: Engine, strategies: readonly PreparedStrategy[]): readonly ResultPosition[] {
  return ownPositions(engine, strategies).map(({ tag, symbol, positionSide, quantity, entryPrice }) => ({
    ...(strategies.length > 1 ? { strategy: tag } : {}),
    symbol,
    ...(positionSide === 'both' ? {} : { positionSide }),
    quantity,
    entryPrice,
  }));
}
