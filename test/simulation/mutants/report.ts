/** How a hunt is told: one line while it runs, a table of the whole. */
import type { Hunt } from './hunt-mutant.ts';
import type { Mutant } from './mutant.ts';

const VIOLATION_LENGTH_MAX = 90;

function lawOf(violation: string): string {
  return violation.slice(0, violation.indexOf(':'));
}

function cut(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > VIOLATION_LENGTH_MAX ? `${line.slice(0, VIOLATION_LENGTH_MAX)}…` : line;
}

function howFar({ virtualHours, wallMs, seeds }: Hunt): string {
  return `${seeds} seed${seeds === 1 ? '' : 's'}, ${virtualHours.toFixed(2)} h, ${(wallMs / 1000).toFixed(1)} s`;
}

export function textRow({ id, catalogue }: Mutant, hunt: Hunt): string {
  const { caught } = hunt;
  const told = caught === null ? 'SURVIVED' : `seed ${caught.seed} ${cut(caught.violation)}`;
  return `${catalogue.padEnd(7)} ${id.padEnd(30)} ${told} (${howFar(hunt)})`;
}

export function markdownTable(mutants: readonly Mutant[], hunts: ReadonlyMap<string, Hunt>): string {
  const rows = mutants.map(({ id, catalogue, what }) => {
    const hunt = hunts.get(id);
    const caught = hunt?.caught;
    const told =
      hunt === undefined || caught === undefined || caught === null
        ? 'SURVIVED |  | '
        : `${lawOf(caught.violation)} | ${caught.seed} | ${hunt.virtualHours.toFixed(2)}`;
    const seconds = hunt === undefined ? '' : (hunt.wallMs / 1000).toFixed(1);
    return `| \`${id}\` | ${catalogue} | ${what} | ${told} | ${seconds} |`;
  });
  const head = '| mutant | catalogue | the bug | law | seed | virtual h | s |\n|---|---|---|---|---|---|---|\n';
  return `${head}${rows.join('\n')}\n`;
}

/** The text of `table/known-seeds.ts`. */
export function knownSeedsTable(seeds: ReadonlyMap<string, readonly number[]>): string {
  const rows = [...seeds].map(([id, found]) => `  '${id}': [${found.join(', ')}],\n`);
  return `/**
 * Seeds that catch a mutant, tried first: they make a hunt quick and prove nothing. Whenever the world changes they may
 * miss, and others are found; \`npm run simulate:mutants -- --learn\` prints this file anew.
 */
export const knownSeeds: Readonly<Record<string, readonly number[]>> = {
${rows.join('')}};
`;
}
