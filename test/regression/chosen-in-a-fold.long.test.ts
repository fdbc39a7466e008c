/**
 * `walkForward.folds[].chosen` of `validate` was a row of an internal list, with the judged trial moved to its front: a
 * reader found other parameters under that number in the list of the sweep.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, freshFolder, run } from '../e2e/cli.ts';
import { normal, seededRandom } from '../../src/model/random.ts';

const BAR_MS = 900_000;
const START_MS = Date.UTC(2025, 0, 1);

const STRATEGY = `
import { defineCandleStrategy, target, z } from 'tidewire';
export default defineCandleStrategy({
  name: 'every',
  params: z.object({ symbol: z.string().default('BTCUSDT'), every: z.coerce.number().default(2) }),
  interval: '15m',
  setup: () => ({ n: { v: 0 } }),
  onCandle: (_, { params, vars }) =>
    target(params.symbol, { quantity: Math.floor(vars.n.v++ / params.every) % 2 === 0 ? '0.1' : '0' }),
});
`;

function writeBars(file: string): void {
  const random = seededRandom(1);
  let close = 50_000;
  const lines = Array.from({ length: 600 }, (_, index) => {
    const open = close;
    close = open * (1 + 0.002 * normal(random));
    const prices = [open, 1.0001 * Math.max(open, close), 0.9999 * Math.min(open, close), close];
    return [START_MS + index * BAR_MS, ...prices.map((price) => price.toFixed(2)), '1000'].join(',');
  });
  writeFileSync(file, ['timestamp,open,high,low,close,volume', ...lines].join('\n'));
}

interface Trials {
  readonly trials: readonly { readonly number: number; readonly params: Readonly<Record<string, unknown>> }[];
}

interface Validation {
  readonly params: Readonly<Record<string, unknown>>;
  readonly walkForward: {
    readonly folds: readonly { readonly chosen: number | null; readonly params: Readonly<Record<string, unknown>> }[];
  };
  readonly files: { readonly report: string };
}

it('is the number of the trial in the list of the sweep, with its parameters', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'every.ts'), STRATEGY);
  writeFileSync(join(cwd, 'space.yaml'), 'parameters: { every: { from: 2, to: 9, integer: true, step: 1 } }\n');
  writeBars(join(cwd, 'bars.csv'));
  const told = ['--symbol', 'BTCUSDT', '--out', 'recording', '--interval', '15m', '--market', 'spot'];
  const imported = await run(['data', 'import', '--from', 'candles-csv', 'bars.csv', ...told], { cwd });
  expect(imported.code, imported.stderr).toBe(0);
  const asked = ['every.ts', '--data', 'recording', '--space', 'space.yaml', '--method', 'grid', '--json'];
  const searched = await run(['sweep', ...asked, '--result', 'sweep.json', '--workers', '1'], { cwd });
  expect(searched.code, searched.stderr).toBe(0);
  const { trials } = JSON.parse(readFileSync(join(cwd, 'sweep.json'), 'utf8')) as Trials;

  const validated = await run(['validate', ...asked, '--workers', '1', '--report', 'v.html'], { cwd });
  const { walkForward, params, files } = documentOf<Validation>(validated);
  const { folds } = walkForward;
  expect(new Set(folds.map(({ chosen }) => chosen)).size).toBeGreaterThan(1);
  for (const fold of folds) expect(trials.find(({ number }) => number === fold.chosen)?.params).toEqual(fold.params);
  const judged = trials.find((trial) => trial.params['every'] === params['every']);
  expect(judged?.number).toBeGreaterThan(0);

  const [first] = folds;
  const named = `trial ${first?.chosen}: every ${String(first?.params['every'])}`;
  expect(readFileSync(files.report, 'utf8')).toContain(`<td>${named}</td>`);
  const text = await run(['validate', ...asked.slice(0, -1), '--workers', '1'], { cwd });
  expect(text.stdout).toMatch(new RegExp(`fold 1 chose +${named}`));
}, 120_000);
