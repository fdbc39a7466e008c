/** The last line of CI: tests and simulated seeds in one sum, and nothing that broke passes for nothing. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../.ci/sum.js', import.meta.url));
const goodTests = { numPassedTests: 7, numFailedTests: 0, numFailedTestSuites: 0 };
const goodLong = { numPassedTests: 3, numFailedTests: 0, numFailedTestSuites: 0 };
const goodSlice = { seeds: 120, violations: [], unreached: [] };
const goodCrowd = { seeds: 30, violations: [], unreached: ['quote kept'] };
const goodPrograms = { seeds: 20, violations: [], unreached: ['banned'] };
const goodTransfers = { seeds: 10, violations: [], unreached: ['banned'] };
const goodMoney = { seeds: 5, violations: [], unreached: ['banned'] };

interface Run {
  readonly tests?: unknown;
  readonly long?: unknown;
  readonly slice?: unknown;
  readonly crowded?: unknown;
  readonly programs?: unknown;
  readonly transfers?: unknown;
  readonly money?: unknown;
  readonly status?: string;
  readonly longStatus?: string;
}

/** The last line and the exit code. */
function sum(run: Run): readonly [string | undefined, number | null] {
  const [lines, code] = log(run);
  return [lines.at(-1), code];
}

/** Each line and the exit code. A report that is left out was never written. */
function log({
  tests = goodTests,
  long = goodLong,
  slice = goodSlice,
  crowded = goodCrowd,
  programs = goodPrograms,
  transfers = goodTransfers,
  money = goodMoney,
  status = '0',
  longStatus = '0',
}: Run): readonly [readonly string[], number | null] {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-ci-'));
  const files = ['report', 'long', 'slice', 'crowded', 'programs', 'transfers', 'money'].map((name) =>
    join(folder, `${name}.json`),
  );
  const [report = '', longReport = '', ...lines] = files;
  if (tests !== null) writeFileSync(report, JSON.stringify(tests));
  if (long !== null) writeFileSync(longReport, JSON.stringify(long));
  for (const [index, content] of [slice, crowded, programs, transfers, money].entries())
    writeFileSync(lines[index] ?? '', content === null ? '' : JSON.stringify(content));
  const args = [program, report, status, longReport, longStatus, ...lines];
  const { stdout, status: code } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
  });
  return [stdout.trim().split('\n'), code];
}

describe('the sum of CI', () => {
  it('counts tests, seeds, crowded seeds, and the rare states that neither slice reached as one', () => {
    expect(sum({})).toEqual(['196 passed, 0 failed', 0]);
    expect(sum({ slice: { ...goodSlice, unreached: ['banned'] } })).toEqual(['196 passed, 0 failed', 0]);
  });

  it('fails by a violated seed, by a state that no seed reached, by a failed test and by a failed check', () => {
    const violations = [{ seed: 3, violations: ['R1: too much'], replay: 'npm run simulate -- --first-seed 3' }];
    expect(sum({ slice: { ...goodSlice, violations } })).toEqual(['195 passed, 1 failed', 1]);
    expect(sum({ crowded: { ...goodCrowd, violations } })).toEqual(['195 passed, 1 failed', 1]);
    expect(sum({ slice: { ...goodSlice, unreached: ['banned', 'quote kept'] } })).toEqual(['195 passed, 1 failed', 1]);
    expect(sum({ tests: { ...goodTests, numFailedTests: 2 }, status: '1' })).toEqual(['196 passed, 2 failed', 1]);
    expect(sum({ long: { ...goodLong, numFailedTests: 1 }, longStatus: '1' })).toEqual(['196 passed, 1 failed', 1]);
    expect(sum({ longStatus: '1' })).toEqual(['196 passed, 1 failed', 1]);
    expect(sum({ status: '1' })).toEqual(['196 passed, 1 failed', 1]);
  });

  it('fails when tests or simulation never answered', () => {
    expect(sum({ tests: null, status: '1' })).toEqual(['189 passed, 1 failed', 1]);
    expect(sum({ long: null, longStatus: '1' })).toEqual(['193 passed, 1 failed', 1]);
    expect(sum({ slice: null })).toEqual(['75 passed, 2 failed', 1]);
    expect(sum({ crowded: null })).toEqual(['165 passed, 2 failed', 1]);
    expect(sum({ programs: null })).toEqual(['176 passed, 1 failed', 1]);
    expect(sum({ transfers: null })).toEqual(['186 passed, 1 failed', 1]);
    expect(sum({ money: null })).toEqual(['191 passed, 1 failed', 1]);
  });

  it('names what failed above the sum', () => {
    const failure = {
      status: 'failed',
      fullName: 'book is crossed',
      failureMessages: ['expected 1 to be 2\n    at x'],
    };
    const file = { name: 'test/book.test.ts', status: 'failed', message: '', assertionResults: [failure] };
    const unread = { name: 'test/gone.test.ts', status: 'failed', message: 'no such module', assertionResults: [] };
    const [lines] = log({ tests: { ...goodTests, numFailedTests: 2, testResults: [file, unread] }, status: '1' });
    expect(lines.slice(0, -1).map((line) => line.trim())).toEqual([
      'failed: test/book.test.ts > book is crossed',
      'expected 1 to be 2',
      'at x',
      'failed: test/gone.test.ts',
      'no such module',
    ]);
  });
});
