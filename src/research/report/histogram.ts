/** Counts in bins of a round width, with an edge at zero. */
export interface Histogram {
  readonly bins: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  readonly mean: number;
  readonly median: number;
  /** Values beyond the outermost bins, counted in them. */
  readonly outside: number;
}

const BINS_WANTED = 36;
/** Share at either end that may lie outside, against outliers. */
const TAIL = 0.005;

/** Null without values. */
export function histogramOf(values: readonly number[]): Histogram | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  const [low, high] = values.length < 100 ? [at(0), at(1)] : [at(TAIL), at(1 - TAIL)];
  const width = roundWidth(high - low, low);
  const first = Math.floor(low / width);
  const length = Math.max(1, Math.floor(high / width) - first + 1);
  const counts = new Uint32Array(length);
  let outside = 0;
  for (const value of sorted) {
    const bin = Math.floor(value / width) - first;
    if (bin < 0 || bin >= length) outside++;
    counts[Math.min(length - 1, Math.max(0, bin))]!++;
  }
  return {
    bins: Array.from(counts, (count, index) => ({
      from: (first + index) * width,
      to: (first + index + 1) * width,
      count,
    })),
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    median: (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2,
    outside,
  };
}

/** Smaller relative differences are rounding. */
const NOISE = 1e-9;

/** 1, 2 or 5 times a power of ten. */
function roundWidth(range: number, low: number): number {
  const wanted = range > Math.abs(low) * NOISE ? range / BINS_WANTED : Math.abs(low) / 10 || 1;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([1, 2, 5].find((factor) => factor * power >= wanted * (1 - 1e-9)) ?? 10) * power;
}
