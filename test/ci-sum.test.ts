/** The last line of CI: tests and simulated seeds in one sum, and nothing that broke passes for nothing. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../.ci/sum.js', import.meta.url));
const goodTests = { numPassedTests: 7, numFailedTests: 0, numFailedTestSuites: 0 };
const goodSlice = { seeds: 120, violations: [], unreached: [] };

interface Run {
  readonly tests?: unknown;
  readonly slice?: unknown;
  readonly status?: string;
}

/** The last line and the exit code. A report that is left out was never written. */
function sum({
  tests = goodTests,
  slice = goodSlice,
  status = '0',
}: Run): readonly [string | undefined, number | null] {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-ci-'));
  const [report, line] = [join(folder, 'report.json'), join(folder, 'slice.json')];
  if (tests !== null) writeFileSync(report, JSON.stringify(tests));
  writeFileSync(line, slice === null ? '' : JSON.stringify(slice));
  const { stdout, status: code } = spawnSync(process.execPath, [program, report, line, status], { encoding: 'utf8' });
  return [stdout.trim().split('\n').at(-1), code];
}

describe('the sum of CI', () => {
  it('counts tests, seeds and the rare states as one', () => {
    expect(sum({})).toEqual(['128 passed, 0 failed', 0]);
  });

  it('fails by a violated seed, by a state that no seed reached, by a failed test and by a failed check', () => {
    const violations = [{ seed: 3, violations: ['R1: too much'], replay: 'npm run simulate -- --first-seed 3' }];
    expect(sum({ slice: { ...goodSlice, violations } })).toEqual(['127 passed, 1 failed', 1]);
    expect(sum({ slice: { ...goodSlice, unreached: ['banned', 'kill'] } })).toEqual(['127 passed, 1 failed', 1]);
    expect(sum({ tests: { ...goodTests, numFailedTests: 2 }, status: '1' })).toEqual(['128 passed, 2 failed', 1]);
    expect(sum({ status: '1' })).toEqual(['128 passed, 1 failed', 1]);
  });

  it('fails when tests or simulation never answered', () => {
    expect(sum({ tests: null, status: '1' })).toEqual(['121 passed, 1 failed', 1]);
    expect(sum({ slice: null })).toEqual(['7 passed, 1 failed', 1]);
  });
});
