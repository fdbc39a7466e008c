/** A straight line through samples, by least squares, with the standard error of its slope; and samples without their steps. Pure. */
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

export interface Levelled {
  readonly samples: readonly (readonly [x: number, y: number])[];
  /** What the steps together came to. */
  readonly steps: number;
}

/**
 * Differences between neighbours above `stepMin` taken out. The table of a hash map that things come into and go out of is
 * rehashed into another size now and then, up or down; what leaks grows between the steps, too.
 */
export function withoutSteps(samples: readonly (readonly [x: number, y: number])[], stepMin: number): Levelled {
  let steps = 0;
  let last: number | null = null;
  const levelled = samples.map(([x, y]): readonly [number, number] => {
    if (last !== null && Math.abs(y - last) > stepMin) steps += y - last;
    last = y;
    return [x, y - steps];
  });
  return { samples: levelled, steps };
}
