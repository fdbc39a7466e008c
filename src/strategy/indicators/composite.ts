/** Indicators beyond a single trading-signals class. */
import * as lib from 'trading-signals';
import { indicatorOf, streaming, type HighLowClose, type HighLowCloseVolume, type Indicator } from './indicator.ts';

export interface MacdValue {
  readonly macd: number;
  readonly signal: number;
  /** macd − signal. */
  readonly histogram: number;
}

export interface BandsValue {
  readonly lower: number;
  readonly middle: number;
  readonly upper: number;
}

export interface StochasticValue {
  /** 0 to 100, smoothed. */
  readonly k: number;
  /** Moving average of k. */
  readonly d: number;
}

export interface AdxValue {
  readonly adx: number;
  readonly plusDi: number;
  readonly minusDi: number;
}

/** `measure` gets the last `n` values, oldest first. */
export function overWindow(n: number, measure: (window: readonly number[]) => number): Indicator {
  const window: number[] = [];
  return indicatorOf((input: number) => {
    window.push(input);
    if (window.length > n) window.shift();
    return window.length === n ? measure(window) : undefined;
  });
}

/** TA-Lib's STDDEV: divides by n. */
export function populationDeviation(window: readonly number[]): number {
  let mean = 0;
  for (const item of window) mean += item / window.length;
  let variance = 0;
  for (const item of window) variance += ((item - mean) * (item - mean)) / window.length;
  return Math.sqrt(variance);
}

/** 50 while the price never moved; the library says 100. */
export function rsi(n: number): Indicator {
  let first: number | undefined;
  let moved = false;
  const inner = streaming(new lib.RSI(n), n + 1, (value) => (moved ? value : 50));
  return indicatorOf((input: number) => {
    first ??= input;
    if (input !== first) moved = true;
    return inner.next(input);
  });
}

/** Warm after `signal` values of the macd line. */
export function macd(fast: number, slow: number, signal: number): Indicator<MacdValue> {
  const source = new lib.MACD(new lib.EMA(fast), new lib.EMA(slow), new lib.EMA(signal));
  return streaming(source, slow + signal - 1, (value): MacdValue => ({
    macd: value.macd,
    signal: value.signal,
    histogram: value.histogram,
  }));
}

interface Direction {
  /** 0 to 100. */
  readonly plusDi: number;
  readonly minusDi: number;
  readonly dx: number;
}

/** Wilder's. A candle that reaches as far up as down counts on neither side; with the library's, on both. */
function directions(n: number): (candle: HighLowClose) => Direction | undefined {
  const [range, up, down] = [new lib.ATR(n), new lib.WSMA(n), new lib.WSMA(n)];
  let [high, low] = [Number.NaN, Number.NaN];
  return (candle) => {
    const [rise, fall] = [candle.high - high, low - candle.low];
    ({ high, low } = candle);
    const width = range.add(candle);
    const plus = up.add(rise > fall && rise > 0 ? rise : 0);
    const minus = down.add(fall > rise && fall > 0 ? fall : 0);
    if (plus === null || minus === null || width === null) return undefined;
    const dx = orZero((100 * Math.abs(plus - minus)) / (plus + minus));
    return { plusDi: orZero((100 * plus) / width), minusDi: orZero((100 * minus) / width), dx };
  };
}

/** 0 before any range. */
export function adx(n: number): Indicator<AdxValue, HighLowClose> {
  const next = directions(n);
  const smoothed = new lib.WSMA(n);
  return indicatorOf((candle: HighLowClose) => {
    const direction = next(candle);
    const average = direction === undefined ? null : smoothed.add(direction.dx);
    if (direction === undefined || average === null) return undefined;
    const { plusDi, minusDi } = direction;
    return { adx: average, plusDi, minusDi };
  });
}

/** Directional movement index, 0 to 100; 0 before any range. */
export function dx(n: number): Indicator<number, HighLowClose> {
  const next = directions(n);
  return indicatorOf((candle: HighLowClose) => next(candle)?.dx);
}

/** Mean of the adx now and `n` − 1 candles ago. */
export function adxr(n: number): Indicator<number, HighLowClose> {
  const strength = adx(n);
  const ends = overWindow(n, (window) => ((window[0] ?? 0) + (window.at(-1) ?? 0)) / 2);
  return indicatorOf((candle: HighLowClose) => {
    const value = strength.next(candle);
    return value === undefined ? undefined : ends.next(value.adx);
  });
}

/** One-value change of a triple exponential average, in per cent of the earlier; the library divides by the later. */
export function trix(n: number): Indicator {
  const averages = [1, 2, 3].map(() => streaming(new lib.EMA(n), n, (value) => value));
  const change = overWindow(2, (window) => (100 * ((window[1] ?? 0) - (window[0] ?? 0))) / (window[0] ?? 1));
  return indicatorOf((input: number) => {
    let value: number | undefined = input;
    for (const average of averages) value = value === undefined ? undefined : average.next(value);
    return value === undefined ? undefined : change.next(value);
  });
}

/** Place of the rsi in its range of `n`, 0 to 100; 50 while it stands still. The library's skips an rsi of 0. */
export function stochasticRsi(n: number): Indicator {
  const strength = rsi(n);
  const place = overWindow(n, (window) => {
    const lowest = Math.min(...window);
    const range = Math.max(...window) - lowest;
    return range > 0 ? (100 * ((window.at(-1) ?? lowest) - lowest)) / range : 50;
  });
  return indicatorOf((input: number) => {
    const value = strength.next(input);
    return value === undefined ? undefined : place.next(value);
  });
}

function orZero(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? 0 : value;
}

/** A smaller relative deviation is rounding. */
const STILL = 1e-12;

export function cci(n: number): Indicator<number, HighLowClose> {
  const typical = overWindow(n, (window) => {
    let mean = 0;
    for (const price of window) mean += price / n;
    let deviation = 0;
    for (const price of window) deviation += Math.abs(price - mean) / n;
    if (deviation <= STILL * Math.abs(mean)) return 0;
    return ((window.at(-1) ?? mean) - mean) / (0.015 * deviation);
  });
  return indicatorOf(({ high, low, close }: HighLowClose) => typical.next((high + low + close) / 3));
}

export function stochastic(k: number, slowing: number, d: number): Indicator<StochasticValue, HighLowClose> {
  const source = new lib.StochasticOscillator({ kPeriod: k, kSlowingPeriod: slowing, dPeriod: d });
  return streaming(source, k + slowing + d - 2, (value): StochasticValue => ({ k: value.stochK, d: value.stochD }));
}

/** Volume-weighted average of the typical price. */
export function vwap(): Indicator<number, HighLowCloseVolume> {
  const source = new lib.VWAP();
  let value: number | undefined;
  return indicatorOf((candle: HighLowCloseVolume) => {
    value = source.add(candle) ?? value;
    return value;
  });
}
