/** Volatility from open, high, low and close. */
import { overWindow } from './composite.ts';
import { indicatorOf, type Indicator, type OpenHighLowClose } from './indicator.ts';

/**
 * Yang and Zhang (2000): the variances of overnight and open-to-close log returns and Rogers and Satchell's, joined
 * by k = 0.34 ÷ (1.34 + (n + 1) ÷ (n − 1)); its root, a fraction per candle. Warm after n + 1. Flat: 0.
 */
export function yangZhang(n: number): Indicator<number, OpenHighLowClose> {
  const overnight = overWindow(n, sampleVariance);
  const daytime = overWindow(n, sampleVariance);
  const ranges = overWindow(n, mean);
  const k = 0.34 / (1.34 + (n + 1) / (n - 1));
  let before: number | undefined;
  return indicatorOf(({ open, high, low, close }: OpenHighLowClose) => {
    const last = before;
    before = close;
    if (last === undefined) return undefined;
    const up = Math.log(high / open);
    const down = Math.log(low / open);
    const move = Math.log(close / open);
    const gap = overnight.next(Math.log(open / last));
    const within = daytime.next(move);
    const range = ranges.next(up * (up - move) + down * (down - move));
    if (gap === undefined || within === undefined || range === undefined) return undefined;
    return Math.sqrt(Math.max(0, gap + k * within + (1 - k) * range));
  });
}

function mean(window: readonly number[]): number {
  let sum = 0;
  for (const item of window) sum += item;
  return sum / window.length;
}

function sampleVariance(window: readonly number[]): number {
  const middle = mean(window);
  let sum = 0;
  for (const item of window) sum += (item - middle) * (item - middle);
  return sum / (window.length - 1);
}
