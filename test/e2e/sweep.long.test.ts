/** `tidewire sweep` as a user runs it: the same with any number of threads, and after any death. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SweepResult } from '../../src/research/sweep/result.ts';
import { readResult } from '../../src/session/result/result.ts';
import { documentOf, errorOf, freshFolder, root, run, start, strategyFile } from './cli.ts';
import { aStoredTrial } from './stored-trial.ts';

const SPACE = `
parameters:
  halfSpreadBps: { from: 0.2, to: 3, log: true }
  everyMs: { of: [200, 500, 1000] }
`;

function folderWithSpace(text = SPACE): string {
  const folder = freshFolder();
  writeFileSync(join(folder, 'space.yaml'), text);
  return folder;
}

const SEARCH = ['sweep', strategyFile('spread-maker'), '--data', join(root, 'data', 'sample'), '--space', 'space.yaml'];

function command(...more: readonly string[]): readonly string[] {
  return [...SEARCH, '--method', 'tpe', '--trials', '6', '--result', 'found.json', '--json', ...more];
}

function foundIn(folder: string): SweepResult {
  return JSON.parse(readFileSync(join(folder, 'found.json'), 'utf8')) as SweepResult;
}

describe('sweep', () => {
  it('finds the same trials with one thread, with two, and after a kill -9', async () => {
    const [alone, killed] = [folderWithSpace(), folderWithSpace()];
    const ended = await run(command('--workers', '1', '--report', 'found.html'), { cwd: alone });
    expect(ended.code).toBe(0);
    const summary = documentOf<SweepResult>(ended);
    expect(summary).toMatchObject({ command: 'sweep', strategy: 'spread-maker', method: 'tpe', seed: 1 });
    expect(summary.counts).toMatchObject({ asked: 6, done: 6, failed: 0, resumed: 0 });
    expect(summary).not.toHaveProperty('trials');
    const ledger = { file: join(alone, 'data', 'trials.db'), trials: 6 };
    expect(summary.ledger).toMatchObject(ledger);
    const page = readFileSync(join(alone, 'found.html'), 'utf8');
    expect(page).toContain('Heat maps');
    expect(page).toContain(`6 in ${ledger.file}, `);
    expect((await run(['report', 'found.json', '--out', 'later.html'], { cwd: alone })).code).toBe(0);
    expect(readFileSync(join(alone, 'later.html'), 'utf8')).toBe(readFileSync(join(alone, 'found.html'), 'utf8'));

    const first = start(command('--workers', '2'), { cwd: killed });
    await aStoredTrial(killed);
    await first.signal('SIGKILL');
    expect((await run(command('--workers', '2'), { cwd: killed })).code).toBe(0);
    const [one, two] = [foundIn(alone), foundIn(killed)];
    expect(two.counts.resumed).toBeGreaterThan(0);
    expect(two.trials).toEqual(one.trials);
    expect(two.luck).toEqual(one.luck);
    expect(two.study).toBe(one.study);

    const best = one.best!;
    const params = Object.entries(best.params).flatMap(([name, value]) => ['--param', `${name}=${String(value)}`]);
    const data = ['--data', join(root, 'data', 'sample')];
    const again = await run(
      [
        'backtest',
        strategyFile('spread-maker'),
        ...data,
        ...params,
        '--without-lockbox',
        '--result',
        'run.json',
        '--json',
      ],
      {
        cwd: alone,
      },
    );
    expect(documentOf<{ runHash: string }>(again).runHash).toBe(best.runHash);
    expect(readResult(readFileSync(join(alone, 'run.json'), 'utf8'), 'run.json').ledger).toMatchObject(ledger);
  });

  it('counts a run that chance asks for again once', async () => {
    const folder = folderWithSpace(`
parameters: { everyMs: { of: [500, 1000] } }
objectives: [{ metric: tradingPnl }, { metric: sharpePerPeriod }]
`);
    const random = ['--method', 'random', '--trials', '14', '--result', 'found.json', '--json'];
    expect((await run([...SEARCH, ...random], { cwd: folder })).code).toBe(0);
    const { counts, luck, front, landscape, ledger, trials } = foundIn(folder);
    expect(counts).toMatchObject({ done: 14, infeasible: 0 });
    expect(new Set(trials.map(({ runHash }) => runHash)).size).toBe(2);
    expect([ledger?.trials, luck.trialsOnData]).toEqual([2, 2]);
    const hashes = front.map(({ runHash }) => runHash);
    expect(hashes).toEqual([...new Set(hashes)]);
    // Two runs are no ground on which a plateau could be told from a peak.
    expect(landscape.plateauScore).toBeNull();
  });

  it.each([
    ['parameters: { halfSpread: { from: 1, to: 2 } }', 'strategy_param_unknown'],
    ['parameters: { halfSpreadBps: { from: 2, to: 1 } }', 'sweep_space'],
    ['parameters: [', 'sweep_space'],
  ])('refuses the space %s', async (text, code) => {
    const ended = await run(command(), { cwd: folderWithSpace(text) });
    expect(ended.code).toBe(2);
    expect(errorOf(ended).code).toBe(code);
  });

  it('refuses workers on other machines, a hundred thousand, and a method that there is not', async () => {
    const folder = folderWithSpace();
    const far = await run(command('--workers', 'nats://host'), { cwd: folder });
    expect([far.code, errorOf(far).code]).toEqual([2, 'bad_option']);
    const many = await run(command('--workers', '100000'), { cwd: folder });
    expect([many.code, errorOf(many).code]).toEqual([2, 'bad_option']);
    const unknown = await run(command('--method', 'magic'), { cwd: folder });
    expect([unknown.code, errorOf(unknown).code]).toEqual([2, 'bad_option']);
  });
});
