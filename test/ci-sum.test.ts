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
const goodCrowd = { seeds: 30, violations: [], unreached: ['quote kept'] };
const goodPrograms = { seeds: 20, violations: [], unreached: ['banned'] };

interface Run {
  readonly tests?: unknown;
  readonly slice?: unknown;
  readonly crowded?: unknown;
  readonly programs?: unknown;
  readonly status?: string;
}

/** The last line and the exit code. A report that is left out was never written. */
function sum({
  tests = goodTests,
  slice = goodSlice,
  crowded = goodCrowd,
  programs = goodPrograms,
  status = '0',
}: Run): readonly [string | undefined, number | null] {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-ci-'));
  const files = ['report.json', 'slice.json', 'crowded.json', 'programs.json'].map((name) => join(folder, name));
  const [report = '', ...lines] = files;
  if (tests !== null) writeFileSync(report, JSON.stringify(tests));
  for (const [index, content] of [slice, crowded, programs].entries())
    writeFileSync(lines[index] ?? '', content === null ? '' : JSON.stringify(content));
  const { stdout, status: code } = spawnSync(process.execPath, [program, report, status, ...lines], {
    encoding: 'utf8',
  });
  return [stdout.trim().split('\n').at(-1), code];
}

describe('the sum of CI', () => {
  it('counts tests, seeds, crowded seeds, and the rare states that neither slice reached as one', () => {
    expect(sum({})).toEqual(['178 passed, 0 failed', 0]);
    expect(sum({ slice: { ...goodSlice, unreached: ['banned'] } })).toEqual(['178 passed, 0 failed', 0]);
  });

  it('fails by a violated seed, by a state that no seed reached, by a failed test and by a failed check', () => {
    const violations = [{ seed: 3, violations: ['R1: too much'], replay: 'npm run simulate -- --first-seed 3' }];
    expect(sum({ slice: { ...goodSlice, violations } })).toEqual(['177 passed, 1 failed', 1]);
    expect(sum({ crowded: { ...goodCrowd, violations } })).toEqual(['177 passed, 1 failed', 1]);
    expect(sum({ slice: { ...goodSlice, unreached: ['banned', 'quote kept'] } })).toEqual(['177 passed, 1 failed', 1]);
    expect(sum({ tests: { ...goodTests, numFailedTests: 2 }, status: '1' })).toEqual(['178 passed, 2 failed', 1]);
    expect(sum({ status: '1' })).toEqual(['178 passed, 1 failed', 1]);
  });

  it('fails when tests or simulation never answered', () => {
    expect(sum({ tests: null, status: '1' })).toEqual(['171 passed, 1 failed', 1]);
    expect(sum({ slice: null })).toEqual(['57 passed, 2 failed', 1]);
    expect(sum({ crowded: null })).toEqual(['147 passed, 2 failed', 1]);
    expect(sum({ programs: null })).toEqual(['158 passed, 1 failed', 1]);
  });
});
