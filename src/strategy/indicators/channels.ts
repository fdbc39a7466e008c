/** Channels and scores over a window of values or candles. Each names its source and what a flat series gives. */
import * as lib from 'trading-signals';
import { overWindow, populationDeviation, type BandsValue } from './composite.ts';
import { indicatorOf, streaming, type HighLow, type HighLowClose, type Indicator } from './indicator.ts';

export interface AroonValue {
  readonly up: number;
  readonly down: number;
  /** up − down, −100 to 100. */
  readonly oscillator: number;
}

/** A smaller relative deviation is rounding. */
const STILL = 1e-12;

/** Donchian (1960s): lowest low and highest high of the last `n` candles and their mean. Flat: three equal bands. */
export function donchian(n: number): Indicator<BandsValue, HighLow> {
  const highest = overWindow(n, (window) => Math.max(...window));
  const lowest = overWindow(n, (window) => Math.min(...window));
  return indicatorOf(({ high, low }: HighLow): BandsValue | undefined => {
    const upper = highest.next(high);
    const lower = lowest.next(low);
    return upper === undefined || lower === undefined
      ? undefined
      : { lower, middle: lower + (upper - lower) / 2, upper };
  });
}

/** Keltner's channel in Raschke's form: EMA of the close ± `width` average true ranges. Flat: three equal bands. */
export function keltner(n: number, width: number): Indicator<BandsValue, HighLowClose> {
  const average = streaming(new lib.EMA(n), n, (value) => value);
  const range = streaming(new lib.ATR(n), n, (value) => value);
  return indicatorOf((candle: HighLowClose): BandsValue | undefined => {
    const middle = average.next(candle.close);
    const reach = range.next(candle);
    if (middle === undefined || reach === undefined) return undefined;
    return { lower: middle - width * reach, middle, upper: middle + width * reach };
  });
}

/** (value − mean) ÷ population standard deviation of the last `n` values. Flat: 0. */
export function zScore(n: number): Indicator {
  return overWindow(n, (window) => {
    let mean = 0;
    for (const item of window) mean += item / n;
    const deviation = populationDeviation(window);
    return deviation <= STILL * Math.abs(mean) ? 0 : ((window.at(-1) ?? mean) - mean) / deviation;
  });
}

/** Kaufman (1995): |close − close `n` candles ago| ÷ Σ|Δclose| between them, 0 to 1. Flat: 0. */
export function er(n: number): Indicator<number, Pick<HighLowClose, 'close'>> {
  const ratio = overWindow(n + 1, (window) => {
    let way = 0;
    for (let index = 1; index <= n; index++) way += Math.abs(window[index]! - window[index - 1]!);
    return way === 0 ? 0 : Math.min(1, Math.abs(window[n]! - window[0]!) / way);
  });
  return indicatorOf(({ close }: Pick<HighLowClose, 'close'>) => ratio.next(close));
}

/** Chande (1995), as TA-Lib: age of the latest extreme among the last `n` + 1 candles. Flat: up and down are 100. */
export function aroon(n: number): Indicator<AroonValue, HighLow> {
  const up = overWindow(n + 1, (window) => (100 * window.lastIndexOf(Math.max(...window))) / n);
  const down = overWindow(n + 1, (window) => (100 * window.lastIndexOf(Math.min(...window))) / n);
  return indicatorOf(({ high, low }: HighLow): AroonValue | undefined => {
    const above = up.next(high);
    const below = down.next(low);
    return above === undefined || below === undefined
      ? undefined
      : { up: above, down: below, oscillator: above - below };
  });
}

/** Sum of the squared log returns of the last `n` steps, its root: Andersen and Bollerslev (1998). Flat: 0. */
export function realisedVolatility(n: number): Indicator {
  return overWindow(n + 1, (window) => {
    let sum = 0;
    for (let index = 1; index <= n; index++) {
      const step = Math.log((window[index] ?? 1) / (window[index - 1] ?? 1));
      if (Number.isFinite(step)) sum += step * step;
    }
    return Math.sqrt(sum);
  });
}
