/** The list of results had neither the verdict nor the figures of a validation: it looked for keys that no validation writes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Results } from '../../src/bridge/research/results.ts';
import type { ValidationResult } from '../../src/research/validate/result.ts';
import { callCli } from '../cli/call-cli.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tidewire-verdict-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('bridge/results: a validation has its verdict and its figures', async () => {
  const strategy = join(ROOT, 'strategies/spread-maker.ts');
  const data = join(ROOT, 'data/sample');
  const argv = ['validate', strategy, '--data', data, '--to', '2026-11-21T04:44:20Z', '--result', 'v.json', '--json'];
  const validated = await callCli(argv, folder);
  expect(validated.code, validated.stderr).toBe(0);
  const { verdict, base } = JSON.parse(readFileSync(join(folder, 'v.json'), 'utf8')) as ValidationResult;
  expect(base.metrics['volume']).toBeGreaterThan(0);
  expect(
    new Results(
      () => [folder],
      () => null,
    ).list(),
  ).toMatchObject([{ kind: 'validate', verdict: verdict.level, stats: base.metrics }]);
});
