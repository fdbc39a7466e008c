/**
 * `context.indicators`: streaming indicators by name. Values equal TA-Lib's after its warm-up. Periods are whole
 * numbers of at least 1; others throw.
 */
import * as lib from 'trading-signals';
import {
  adx,
  adxr,
  cci,
  dx,
  macd,
  overWindow,
  populationDeviation,
  rsi,
  stochastic,
  stochasticRsi,
  trix,
  vwap,
  type AdxValue,
  type BandsValue,
  type MacdValue,
  type StochasticValue,
} from './composite.ts';
import { aroon, donchian, er, keltner, realisedVolatility, zScore, type AroonValue } from './channels.ts';
import { cmf, mfi, microprice, obv, orderFlow } from './flows.ts';
import { hurst } from './hurst.ts';
import { kalman, kalmanHedge, type KalmanHedgeValue, type KalmanValue } from './kalman.ts';
import { library, type Library } from './library/library.ts';
import { factor, period } from './period.ts';
import { yangZhang } from './range-volatility.ts';
import { kyleLambda, vpin } from './trade-flow.ts';
import { ichimoku, parabolicSar, supertrend, type IchimokuValue, type TrendLineValue } from './trend.ts';
import {
  streaming,
  type BestQuotes,
  type HighLow,
  type HighLowClose,
  type HighLowCloseVolume,
  type Indicator,
  type OpenHighLowClose,
  type PairValues,
  type SidedTrade,
} from './indicator.ts';

function same(value: number): number {
  return value;
}

/** With every other one of trading-signals under its class's name in lower camel case: docs/indicators.md. */
export interface Indicators extends Library {
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
  /** Kaufman's efficiency ratio, 0 to 1; 0 while flat. Takes candles; warm after `n` + 1. */
  er(n?: number): Indicator<number, Pick<HighLowClose, 'close'>>;
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
  /** Directional movement index, 0 to 100. Takes candles. */
  dx(n?: number): Indicator<number, HighLowClose>;
  /** Mean of the adx now and `n` − 1 candles ago. Takes candles; warm after 3 × `n` − 2. */
  adxr(n?: number): Indicator<number, HighLowClose>;
  /** Place of the rsi in its own range, 0 to 100; 50 while it stands still. Warm after 2 × `n`. */
  stochasticRsi(n?: number): Indicator;
  /** Change of a triple exponential average, in per cent. Warm after 3 × `n` − 1. */
  trix(n?: number): Indicator;
  /** A stop line `width` average true ranges from the median price. Takes candles. */
  supertrend(n?: number, width?: number): Indicator<TrendLineValue, HighLowClose>;
  /** Four lines of the cloud. Takes candles; warm after the longest window. */
  ichimoku(conversion?: number, base?: number, span?: number): Indicator<IchimokuValue, HighLow>;
  /** Wilder's stop and reverse. Takes candles; warm after 2. */
  parabolicSar(step?: number, most?: number): Indicator<TrendLineValue, HighLow>;
  /** 0.5 is a random walk, more follows a trend, less returns. Takes prices; `n` is at least 16; warm after `n` + 1. */
  hurst(n?: number): Indicator;
  /** Level below a noisy value. Variances in the value's square units: of a step of the level, of an observation. */
  kalman(drift: number, noise: number): Indicator<KalmanValue>;
  /** Hedge ratio of a pair, `{x, y}`. `delta` below 1 is how fast it moves, `noise` the variance of y. Warm at once. */
  kalmanHedge(delta?: number, noise?: number): Indicator<KalmanHedgeValue, PairValues>;
  /** Volatility per candle, a fraction, gaps included. Takes candles; `n` is at least 2; warm after `n` + 1. */
  yangZhang(n?: number): Indicator<number, OpenHighLowClose>;
  /** Imbalance of the last `n` buckets of `bucket` base units, 0 to 1. Takes trades; warm after `n` buckets. */
  vpin(bucket: number, n?: number): Indicator<number, SidedTrade>;
  /** Price change per signed base unit over `n` trades. Takes trades; warm after `n` + 1. */
  kyleLambda(n?: number): Indicator<number, SidedTrade>;
}

export const indicators: Indicators = Object.freeze({
  ...library,
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
  er: (n = 10) => er(period('er', n)),
  realisedVolatility: (n: number) => realisedVolatility(period('realisedVolatility', n)),
  obv,
  mfi: (n = 14) => mfi(period('mfi', n)),
  cmf: (n = 20) => cmf(period('cmf', n)),
  microprice,
  orderFlow: (n: number) => orderFlow(period('orderFlow', n)),
  dx: (n = 14) => dx(period('dx', n)),
  adxr: (n = 14) => adxr(period('adxr', n)),
  stochasticRsi: (n = 14) => stochasticRsi(period('stochasticRsi', n, 2)),
  trix: (n = 15) => trix(period('trix', n)),
  supertrend: (n = 10, width = 3) => supertrend(period('supertrend', n), factor('supertrend', width)),
  ichimoku: (conversion = 9, base = 26, span = 52) =>
    ichimoku(period('ichimoku', conversion), period('ichimoku', base), period('ichimoku', span)),
  parabolicSar: (step = 0.02, most = 0.2) => parabolicSar(factor('parabolicSar', step), factor('parabolicSar', most)),
  hurst: (n = 128) => hurst(period('hurst', n, 16)),
  kalman: (drift: number, noise: number) => kalman(factor('kalman', drift), factor('kalman', noise)),
  kalmanHedge: (delta = 1e-4, noise = 1e-3) =>
    kalmanHedge(factor('kalmanHedge', delta, 0, 1), factor('kalmanHedge', noise)),
  yangZhang: (n = 20) => yangZhang(period('yangZhang', n, 2)),
  vpin: (bucket: number, n = 50) => vpin(factor('vpin', bucket), period('vpin', n)),
  kyleLambda: (n = 100) => kyleLambda(period('kyleLambda', n)),
});
