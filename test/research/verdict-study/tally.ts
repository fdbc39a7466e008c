/** Counts of verdicts, and the tables that docs/research.md shows. */
import { verdictLevels, type VerdictLevel } from '../../../src/research/validate/verdict.ts';

/** How many cases of a row came to each level. */
export type Tally = Record<VerdictLevel, number>;

export function emptyTally(): Tally {
  return { none: 0, weak: 0, moderate: 0, strong: 0 };
}

export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = emptyTally();
  for (const tally of tallies) for (const level of verdictLevels) sum[level] += tally[level];
  return sum;
}

export function casesOf(tally: Tally): number {
  return verdictLevels.reduce((sum, level) => sum + tally[level], 0);
}

export function aboveWeak({ moderate, strong }: Tally): number {
  return moderate + strong;
}

/** A Markdown table: a row for each name, with the share of what is above weak and of what is strong. */
export function tableOf(heading: string, rows: readonly (readonly [name: string, tally: Tally])[]): string {
  const percent = (count: number, of: number): string => `${((100 * count) / of).toFixed(1)} %`;
  const lines = rows.map(([name, tally]) => {
    const of = casesOf(tally);
    const counts = verdictLevels.map((level) => tally[level]);
    return `| ${[name, of, ...counts, percent(aboveWeak(tally), of), percent(tally.strong, of)].join(' | ')} |`;
  });
  return [
    `| ${heading} | cases | ${verdictLevels.join(' | ')} | above weak | strong |`,
    `|---|${'---:|'.repeat(verdictLevels.length + 3)}`,
    ...lines,
  ].join('\n');
}
