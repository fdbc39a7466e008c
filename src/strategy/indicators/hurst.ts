/** Long memory of a series by the rescaled range. */
import { overWindow, populationDeviation } from './composite.ts';
import type { Indicator } from './indicator.ts';

/** Shorter pieces say nothing. */
const PIECE_MIN = 8;
/** A smaller relative deviation is rounding. */
const STILL = 1e-12;

/**
 * Hurst (1951), Mandelbrot and Wallis (1969): slope of ln(mean range ÷ deviation) over ln(piece length) for the last
 * `n` log returns cut into pieces of n, n ÷ 2, n ÷ 4 … of at least 8. Warm after n + 1. Flat: 0.5.
 */
export function hurst(n: number): Indicator {
  return overWindow(n + 1, (window) => {
    const returns = window.slice(1).map((value, index) => Math.log(value / (window[index] ?? value)));
    const points: (readonly [number, number])[] = [];
    for (let length = n; length >= PIECE_MIN; length = Math.floor(length / 2)) {
      const range = meanRescaledRange(returns, length);
      if (range !== undefined) points.push([Math.log(length), Math.log(range)]);
    }
    return points.length < 2 ? 0.5 : slopeOf(points);
  });
}

/** Over the whole pieces from the oldest on; pieces that stand still are left out. */
function meanRescaledRange(returns: readonly number[], length: number): number | undefined {
  let sum = 0;
  let count = 0;
  for (let from = 0; from + length <= returns.length; from += length) {
    const piece = returns.slice(from, from + length);
    const range = rescaledRange(piece);
    if (range === undefined) continue;
    sum += range;
    count++;
  }
  return count === 0 ? undefined : sum / count;
}

function rescaledRange(piece: readonly number[]): number | undefined {
  let middle = 0;
  for (const item of piece) middle += item / piece.length;
  const deviation = populationDeviation(piece);
  if (deviation <= STILL * Math.abs(middle)) return undefined;
  let walk = 0;
  let highest = -Infinity;
  let lowest = Infinity;
  for (const item of piece) {
    walk += item - middle;
    highest = Math.max(highest, walk);
    lowest = Math.min(lowest, walk);
  }
  return (highest - lowest) / deviation;
}

function slopeOf(points: readonly (readonly [number, number])[]): number {
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point[0] / points.length;
    y += point[1] / points.length;
  }
  let both = 0;
  let square = 0;
  for (const point of points) {
    both += (point[0] - x) * (point[1] - y);
    square += (point[0] - x) * (point[0] - x);
  }
  return both / square;
}
