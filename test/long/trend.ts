/** A straight line through samples, by least squares, with the standard error of its slope. Pure. */
export interface Trend {
  /** Per unit of x. */
  readonly slope: number;
  readonly slopeError: number;
  readonly mean: number;
}

/** Needs at least three samples. */
export function trendOf(samples: readonly (readonly [x: number, y: number])[]): Trend {
  const count = samples.length;
  if (count < 3) throw new RangeError(`a trend needs three samples, there are ${count}`);
  const meanX = samples.reduce((sum, [x]) => sum + x, 0) / count;
  const mean = samples.reduce((sum, [, y]) => sum + y, 0) / count;
  let xx = 0;
  let xy = 0;
  for (const [x, y] of samples) {
    xx += (x - meanX) ** 2;
    xy += (x - meanX) * (y - mean);
  }
  const slope = xy / xx;
  const rest = samples.reduce((sum, [x, y]) => sum + (y - mean - slope * (x - meanX)) ** 2, 0);
  return { slope, slopeError: Math.sqrt(rest / (count - 2) / xx), mean };
}
