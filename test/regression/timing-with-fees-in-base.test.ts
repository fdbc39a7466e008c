/**
 * The test of timing valued a spot fee in base at the mid, the result at the fill price (docs/metrics.md, `fees`): its two parts
 * were not together the P&L before costs.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ValidationResult } from '../../src/research/validate/result.ts';
import { documentOf, freshFolder, root, run, strategyFile } from '../e2e/cli.ts';

it('adds up to net P&L and fees on the sample, with fees in base and in quote', async () => {
  const folder = freshFolder();
  const data = join(root, 'data', 'sample');
  const argv = ['validate', strategyFile('spread-maker'), '--data', data, '--workers', '1', '--json'];
  const ended = await run(argv, { cwd: folder });
  expect(ended.code, ended.stderr).toBe(0);
  const { base, permutation } = documentOf<ValidationResult>(ended);
  if ('skipped' in permutation) throw new Error(permutation.skipped);
  const beforeCosts = base.metrics['netPnl']! + base.metrics['fees']!;
  expect(base.metrics['fees']).toBeGreaterThan(0);
  expect(Math.abs(permutation.timing + permutation.execution - beforeCosts)).toBeLessThan(1e-6);
});
