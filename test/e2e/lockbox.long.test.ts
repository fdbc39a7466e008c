/**
 * The lockbox over the commands of the README: backtest, sweep and validate in this order leave it unseen; what runs over it
 * says so, and is counted by the data and not by the name of a file.
 */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SweepResult } from '../../src/research/sweep/result.ts';
import type { BacktestResult } from '../../src/session/result/result.ts';
import type { ValidationResult } from '../../src/research/validate/result.ts';
import { documentOf, errorOf, freshFolder, root, run, strategyFile, type Ended } from './cli.ts';

const STRATEGY = strategyFile('spread-maker');
const DATA = ['--data', join(root, 'data', 'sample')];
const SPACE = ['--space', join(root, 'config', 'spread-maker.space.yaml'), '--trials', '4', '--workers', '2'];

async function done(args: readonly string[], cwd: string): Promise<Ended> {
  const ended = await run(args, { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  return ended;
}

describe('the lockbox', () => {
  it('is unseen at the end of the order that the README gives', async () => {
    const cwd = freshFolder();
    const first = await done(['backtest', STRATEGY, ...DATA, '--without-lockbox', '--report', 'report.html'], cwd);
    expect(first.stdout).toMatch(/lockbox +the data from \S+ on were left out for validate/);
    const searched = await done(['sweep', STRATEGY, ...DATA, ...SPACE], cwd);
    expect(searched.stdout).toMatch(/lockbox +the data from \S+ on were left out for validate; --with-lockbox/);
    const { lockbox, verdict, base, research } = documentOf<ValidationResult>(
      await done(['validate', STRATEGY, ...DATA, ...SPACE, '--json'], cwd),
    );
    expect(lockbox).toMatchObject({ from: research.to, metrics: null, openings: 0, seenBy: 0 });
    expect(verdict.reasons.join(' ')).not.toContain('lockbox');
    // All of these tries count, and can be compared with one another.
    expect(base.trialsOnData).toBeGreaterThan(5);
  });

  it('is seen by a plain backtest and by a search with it, which say so, under whatever name the data lie', async () => {
    const cwd = freshFolder();
    cpSync(join(root, 'data', 'sample'), join(cwd, 'copy'), { recursive: true });
    const plain = await done(['backtest', STRATEGY, '--data', 'copy'], cwd);
    expect(plain.stdout).toMatch(
      /lockbox +the data from \S+ on are no unseen lockbox for validate any more: 1 trial has/,
    );
    expect(plain.stdout).toContain('--without-lockbox leaves it out');
    const all = await done(['sweep', STRATEGY, '--data', 'copy', ...SPACE, '--with-lockbox', '--json'], cwd);
    expect(documentOf<SweepResult>(all).lockbox).toBeNull();
    const { lockbox, verdict } = documentOf<ValidationResult>(
      await done(['validate', STRATEGY, ...DATA, '--json'], cwd),
    );
    expect(lockbox.seenBy).toBe(5);
    expect(verdict.reasons.join(' ')).toContain('5 earlier trials ran over the lockbox');
  });

  it('has the size that is asked for, the same in all three commands', async () => {
    const cwd = freshFolder();
    const half = ['--lockbox', '50', '--json'];
    const run = documentOf<{ period: { from: number; to: number } }>(
      await done(['backtest', STRATEGY, ...DATA, ...half, '--without-lockbox'], cwd),
    );
    const found = documentOf<SweepResult>(await done(['sweep', STRATEGY, ...DATA, ...SPACE, ...half], cwd));
    const { research, period } = documentOf<ValidationResult>(
      await done(['validate', STRATEGY, ...DATA, ...half], cwd),
    );
    expect(research.to).toBe(Math.round((period.from + period.to) / 2));
    expect([found.period, found.lockbox]).toEqual([research, { from: research.to, to: period.to }]);
    expect(run.period.to).toBeLessThanOrEqual(research.to + 1000);
    expect(run.period.to).toBeGreaterThan(research.to - 5000);
  });

  it('is the end of the period that is asked for, which the run names', async () => {
    const cwd = freshFolder();
    const { period } = documentOf<BacktestResult>(await done(['backtest', STRATEGY, ...DATA, '--json'], cwd));
    const [to, late] = [Math.round((period.from + period.to) / 2), period.to + 3_600_000];
    const border = Math.round(to - 0.2 * (to - period.from));
    const file = join(cwd, 'half.json');
    await done(['backtest', STRATEGY, ...DATA, '--to', `${to}`, '--without-lockbox', '--result', file], cwd);
    const half = JSON.parse(readFileSync(file, 'utf8')) as BacktestResult;
    expect(half.lockbox).toEqual({ from: border, to, isSeen: false, seenBy: 1 });
    expect(half.period.to).toBeLessThanOrEqual(border);
    expect(half.period.to).toBeGreaterThan(border - 5000);
    const beyond = await done(['backtest', STRATEGY, ...DATA, '--to', `${late}`, '--without-lockbox', '--json'], cwd);
    const { warnings } = documentOf<BacktestResult>(beyond);
    expect(warnings.filter((warning) => warning.startsWith('the data end at '))).toHaveLength(1);
  });

  it.each([
    [['backtest'], ['--lockbox', '0']],
    [
      ['sweep', ...SPACE],
      ['--lockbox', '60'],
    ],
    [
      ['sweep', ...SPACE],
      ['--lockbox', '30', '--with-lockbox'],
    ],
  ])('refuses %j with %j', async ([command, ...options], given) => {
    const ended = await run([command!, STRATEGY, ...DATA, ...options, ...given, '--json'], { cwd: freshFolder() });
    expect([ended.code, errorOf(ended).code]).toEqual([2, 'bad_option']);
  });
});
