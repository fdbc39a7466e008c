/**
 * `context.indicators`: streaming indicators by name. Values equal TA-Lib's after its warm-up. Periods are whole
 * numbers of at least 1; others throw.
 */
import * as lib from 'trading-signals';
import { strategyErrors } from '../errors.ts';
import {
  adx,
  cci,
  macd,
  overWindow,
  populationDeviation,
  rsi,
  stochastic,
  vwap,
  type AdxValue,
  type BandsValue,
  type MacdValue,
  type StochasticValue,
} from './composite.ts';
import { aroon, donchian, keltner, realisedVolatility, zScore, type AroonValue } from './channels.ts';
import { cmf, mfi, microprice, obv, orderFlow } from './flows.ts';
import {
  streaming,
  type BestQuotes,
  type HighLow,
  type HighLowClose,
  type HighLowCloseVolume,
  type Indicator,
} from './indicator.ts';

function period(name: string, value: number, least = 1): number {
  if (Number.isInteger(value) && value >= least) return value;
  const message = `indicators.${name}: the period must be a whole number of at least ${least}, got ${value}`;
  throw strategyErrors.make('strategy_definition', message, { indicator: name, period: value });
}

function same(value: number): number {
  return value;
}

export interface Indicators {
  /** Exponential moving average, α = 2 / (n + 1), seeded with the first value. */
  ema(n: number): Indicator;
  /** Simple moving average. */
  sma(n: number): Indicator;
  /** Linearly weighted moving average. */
  wma(n: number): Indicator;
  /** Double exponential moving average. */
  dema(n: number): Indicator;
  /** Wilder's moving average (RMA), seeded with the simple average. */
  rma(n: number): Indicator;
  /** Population standard deviation. */
  stdev(n: number): Indicator;
  /** Relative strength index, 0 to 100, Wilder's smoothing; 50 while the price never moved. */
  rsi(n?: number): Indicator;
  /** Rate of change over `n` values, a fraction. */
  roc(n?: number): Indicator;
  macd(fast?: number, slow?: number, signal?: number): Indicator<MacdValue>;
  /** Simple average ± `width` population standard deviations. */
  bollinger(n?: number, width?: number): Indicator<BandsValue>;
  /** Average true range, Wilder's smoothing. Takes candles. */
  atr(n?: number): Indicator<number, HighLowClose>;
  /** Average directional index with its two lines, 0 to 100. Takes candles. */
  adx(n?: number): Indicator<AdxValue, HighLowClose>;
  /** Slow stochastic oscillator. Takes candles. */
  stochastic(k?: number, slowing?: number, d?: number): Indicator<StochasticValue, HighLowClose>;
  /** Commodity channel index. Takes candles. */
  cci(n?: number): Indicator<number, HighLowClose>;
  /** Volume-weighted average price since the first candle; candles without volume are ignored. */
  vwap(): Indicator<number, HighLowCloseVolume>;
  highest(n: number): Indicator;
  lowest(n: number): Indicator;
  /** Lowest low, middle and highest high of `n` candles. */
  donchian(n?: number): Indicator<BandsValue, HighLow>;
  /** Exponential average ± `width` average true ranges. Takes candles. */
  keltner(n?: number, width?: number): Indicator<BandsValue, HighLowClose>;
  /** Distance from the simple average in population standard deviations; 0 while flat. */
  zScore(n: number): Indicator;
  /** Age of the latest high and low, 0 to 100. Takes candles; warm after `n` + 1. */
  aroon(n?: number): Indicator<AroonValue, HighLow>;
  /** Root of the sum of `n` squared log returns, a fraction; warm after `n` + 1. */
  realisedVolatility(n: number): Indicator;
  /** On-balance volume. Takes candles. */
  obv(): Indicator<number, Pick<HighLowCloseVolume, 'close' | 'volume'>>;
  /** Money flow index, 0 to 100; 50 while flat. Takes candles; warm after `n` + 1. */
  mfi(n?: number): Indicator<number, HighLowCloseVolume>;
  /** Chaikin money flow, -1 to 1. Takes candles. */
  cmf(n?: number): Indicator<number, HighLowCloseVolume>;
  /** Mid weighted by the opposite quantities. Takes best quotes. */
  microprice(): Indicator<number, BestQuotes>;
  /** Order-flow imbalance of the last `n` changes, in base units. Takes best quotes; warm after `n` + 1. */
  orderFlow(n: number): Indicator<number, BestQuotes>;
}

export const indicators: Indicators = Object.freeze({
  ema: (n: number) => streaming(new lib.EMA(period('ema', n)), n, same),
  sma: (n: number) => streaming(new lib.SMA(period('sma', n)), n, same),
  wma: (n: number) => streaming(new lib.WMA(period('wma', n)), n, same),
  dema: (n: number) => streaming(new lib.DEMA(period('dema', n)), 2 * n - 1, same),
  rma: (n: number) => streaming(new lib.WSMA(period('rma', n)), n, same),
  stdev: (n: number) => overWindow(period('stdev', n), populationDeviation),
  rsi: (n = 14) => rsi(period('rsi', n, 2)),
  roc: (n = 10) => streaming(new lib.ROC(period('roc', n)), n + 1, same),
  macd: (fast = 12, slow = 26, signal = 9) => macd(period('macd', fast), period('macd', slow), period('macd', signal)),
  bollinger: (n = 20, width = 2) =>
    streaming(new lib.BollingerBands(period('bollinger', n), width), n, ({ lower, middle, upper }): BandsValue => ({
      lower,
      middle,
      upper,
    })),
  atr: (n = 14) => streaming(new lib.ATR(period('atr', n)), n, same),
  adx: (n = 14) => adx(period('adx', n)),
  stochastic: (k = 14, slowing = 3, d = 3) =>
    stochastic(period('stochastic', k), period('stochastic', slowing), period('stochastic', d)),
  cci: (n = 20) => cci(period('cci', n)),
  vwap,
  highest: (n: number) => overWindow(period('highest', n), (window) => Math.max(...window)),
  lowest: (n: number) => overWindow(period('lowest', n), (window) => Math.min(...window)),
  donchian: (n = 20) => donchian(period('donchian', n)),
  keltner: (n = 20, width = 2) => keltner(period('keltner', n), width),
  zScore: (n: number) => zScore(period('zScore', n)),
  aroon: (n = 14) => aroon(period('aroon', n)),
  realisedVolatility: (n: number) => realisedVolatility(period('realisedVolatility', n)),
  obv,
  mfi: (n = 14) => mfi(period('mfi', n)),
  cmf: (n = 20) => cmf(period('cmf', n)),
  microprice,
  orderFlow: (n: number) => orderFlow(period('orderFlow', n)),
});
