/**
 * The measuring harness: each figure is the median of five runs with its minimum and maximum, taken in turn with the
 * floor or peer it stands beside (A B A B …), so that a machine whose speed drifts slows both.
 */
import { cpus, totalmem } from 'node:os';

export const RUNS = 5;

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return { median: at(Math.floor(sorted.length / 2)), min: at(0), max: at(sorted.length - 1) };
}

export interface Contestant {
  readonly name: string;
  /** One run; answers the figure. */
  readonly run: () => number | Promise<number>;
}

export interface Measured {
  readonly name: string;
  readonly values: Spread;
}

/** Runs the contestants in turn: `warmups` rounds that do not count, then `runs` that do. */
export async function race(contestants: readonly Contestant[], runs = RUNS, warmups = 1): Promise<readonly Measured[]> {
  const values = contestants.map(() => [] as number[]);
  for (let round = -warmups; round < runs; round++) {
    for (const [index, contestant] of contestants.entries()) {
      const value = await contestant.run();
      if (round >= 0) values[index]?.push(value);
    }
  }
  return contestants.map(({ name }, index) => ({ name, values: spread(values[index] ?? []) }));
}

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

export function shown(value: number): string {
  return Math.abs(value) >= 100 ? number.format(value) : fine.format(value);
}

/** A figure of `--json`; `versus` names the row that `ratio` is against. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly versus: string | null;
  readonly ratio: number | null;
}

/** All figures that were printed. */
export const rows: Row[] = [];

/** One block of output: a title, its unit, and a line per contestant; ratios are against the first. */
export function print(title: string, unit: string, results: readonly Measured[], runs = RUNS): void {
  console.log(`\n${title} (${unit}; ${runs === 1 ? 'one run' : `median of ${runs}, min … max`})`);
  const [first] = results;
  const floor = first?.values.median ?? Number.NaN;
  for (const result of results) {
    const { name, values } = result;
    const against =
      result === first ? { versus: null, ratio: null } : { versus: first?.name ?? null, ratio: values.median / floor };
    rows.push({ name: `${title}: ${name}`, unit, ...values, ...against });
    const ratio = results.length > 1 ? `  ${fine.format(values.median / floor)} x` : '';
    console.log(
      `  ${name.padEnd(52)} ${shown(values.median).padStart(14)}   ${shown(values.min)} … ${shown(values.max)}${ratio}`,
    );
  }
}

export function machine(): string {
  const [cpu] = cpus();
  return `Node ${process.version}, ${cpus().length} x ${cpu?.model ?? 'unknown CPU'}, ${(totalmem() / 2 ** 30).toFixed(0)} GB`;
}

/** Seconds that `run` takes, by the monotonic clock. */
export async function seconds(run: () => void | Promise<void>): Promise<number> {
  const before = performance.now();
  await run();
  return (performance.now() - before) / 1000;
}
