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
import { streaming, type HighLowClose, type HighLowCloseVolume, type Indicator } from './indicator.ts';

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
});
