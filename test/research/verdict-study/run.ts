/**
 * `npm run verdict-study [nulls|fair|rising|planted|end-to-end …]`: the operating characteristics of the verdict, as docs/research.md
 * shows them; without names all of them. Minutes on an idle machine. `--cases N` for fewer: N a shape or strength.
 */
import { parseArgs } from 'node:util';
import { endToEnd } from './end-to-end.ts';
import { nullCases, plantedCases, risingCases, studied, type StudyRow } from './study.ts';
import { sumOf, tableOf } from './tally.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { cases: { type: 'string' } } });
const asked = values.cases === undefined ? null : Number(values.cases);
const parts = positionals.length === 0 ? ['nulls', 'fair', 'rising', 'planted', 'end-to-end'] : positionals;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function print(heading: string, rows: readonly StudyRow[]): void {
  const shown = rows.map(({ name, verdicts, meanT }) => [`${name} (mean t ${meanT.toFixed(1)})`, verdicts] as const);
  say(`\n${tableOf(heading, [...shown, ['all', sumOf(rows.map(({ verdicts }) => verdicts))]])}`);
  say(`\n${tableOf('the same, lockbox opened', [['all', sumOf(rows.map(({ opened }) => opened))]])}`);
}

const began = performance.now();
let cases = 0;
const count = (): void => void cases++;
if (parts.includes('nulls')) print('worth nothing, with costs', studied(nullCases(asked ?? 300, true), count));
if (parts.includes('fair')) print('worth nothing, without costs', studied(nullCases(asked ?? 150, false), count));
if (parts.includes('rising')) print('rising market', studied(risingCases(asked ?? 150), count));
if (parts.includes('planted')) print('planted edge', studied(plantedCases(asked ?? 75), count));
if (cases > 0) say(`\n${cases} cases, ${((performance.now() - began) / cases).toFixed(0)} ms each`);
if (parts.includes('end-to-end')) say(`\n${tableOf('through `validate`', await endToEnd(asked ?? 5))}`);
