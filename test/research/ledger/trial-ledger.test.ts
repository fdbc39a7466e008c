import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { joinedParts } from '../../../src/recording/tape/data-parts.ts';
import { normal, seededRandom } from '../../../src/model/random.ts';
import { deflate } from '../../../src/research/ledger/deflate.ts';
import { TrialLedger, type Trial } from '../../../src/research/ledger/trial-ledger.ts';
import { periodSharpe } from '../../../src/statistics/ratios.ts';
import { seriesOf } from '../../../src/statistics/series.ts';
import { gridStep, periodReturns } from '../../../src/statistics/period-grid.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-ledger-'));
  path = join(folder, 'data', 'trials.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const DATA = { hash: 'd', parts: joinedParts([])() };
const period = { from: 1_700_000_000_000, to: 1_700_000_100_000 };

function trial(runHash: string, values: Float64Array, given: Partial<Trial> = {}): Trial {
  return {
    runHash,
    at: 1,
    command: 'backtest',
    strategy: 'maker',
    codeHash: 'c',
    dataHash: 'd',
    period,
    seed: 1,
    params: { a: 1 },
    stats: { sharpe: null },
    returns: { sampleMs: 1000, values },
    ...given,
  };
}

function noise(seed: number, drift = 0): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: 200 }, () => drift + normal(random));
}

describe('the trial ledger', () => {
  it('gives back what was written, after a reopening too', () => {
    const first = new TrialLedger(path);
    expect(first.record(trial('h1', noise(1)))).toBe(true);
    first.close();
    const again = new TrialLedger(path);
    expect(again.find('h1')).toEqual(trial('h1', noise(1)));
    expect(again.find('h2')).toBeNull();
    again.close();
  });

  it('counts a run that is repeated once, and other data not at all', () => {
    const ledger = new TrialLedger(path);
    ledger.record(trial('h1', noise(1)));
    expect(ledger.record(trial('h1', noise(2), { at: 9 }))).toBe(false);
    ledger.record(trial('h2', noise(2), { strategy: 'other' }));
    ledger.record(trial('h3', noise(3), { dataHash: 'elsewhere' }));
    expect(ledger.count()).toBe(3);
    expect(ledger.onData(DATA).map(({ runHash, at }) => [runHash, at])).toEqual([
      ['h1', 1],
      ['h2', 1],
    ]);
    ledger.close();
  });

  it('is shared by two open handles', () => {
    const left = new TrialLedger(path);
    const right = new TrialLedger(path);
    for (let round = 0; round < 20; round++) {
      (round % 2 === 0 ? left : right).record(trial(`h${round}`, noise(round)));
    }
    expect(left.count()).toBe(20);
    left.close();
    right.close();
  });

  it('counts openings of the lockbox of the same data', () => {
    const ledger = new TrialLedger(path);
    expect(ledger.openings(DATA, period)).toBe(0);
    ledger.recordOpening({ at: 1, strategy: 'maker', codeHash: 'c', dataHash: 'd', period, result: { sharpe: 1 } });
    ledger.recordOpening({ at: 2, strategy: 'other', codeHash: 'c', dataHash: 'd', period, result: {} });
    expect(ledger.openings(DATA, period)).toBe(2);
    expect(ledger.openings({ ...DATA, hash: 'e' }, period)).toBe(0);
    ledger.close();
  });

  it('keeps every trial before the one that a crash has torn', () => {
    const module = new URL('../../../src/research/ledger/trial-ledger.ts', import.meta.url).href;
    const dying = `
      const { TrialLedger } = await import(process.argv[1]);
      const ledger = new TrialLedger(process.argv[2]);
      const trial = JSON.parse(process.argv[3]);
      const returns = { sampleMs: 1000, values: new Float64Array(200) };
      for (let index = 1; index <= 20; index++) ledger.record({ ...trial, runHash: 'h' + index, returns });
      process.kill(process.pid, 'SIGKILL');`;
    const text = JSON.stringify({ ...trial('h', noise(1)), returns: undefined });
    const argv = ['--input-type=module', '-e', dying, module, path, text];
    expect(spawnSync(process.execPath, argv)).toMatchObject({ signal: 'SIGKILL' });
    // What the disk had not got yet when the power went: the end of the log, and the index of it.
    truncateSync(`${path}-wal`, statSync(`${path}-wal`).size - 1_000);
    rmSync(`${path}-shm`);
    const ledger = new TrialLedger(path);
    expect(ledger.onData(DATA).map(({ runHash }) => runHash)).toEqual(
      Array.from({ length: 19 }, (_, n) => `h${n + 1}`),
    );
    expect(ledger.record(trial('h20', noise(1)))).toBe(true);
    expect(ledger.count()).toBe(20);
    ledger.close();
  });

  it('says by its own code that the file is damaged in the middle', () => {
    const first = new TrialLedger(path);
    for (let index = 0; index < 50; index++) first.record(trial(`h${index}`, noise(index)));
    first.close();
    const bytes = readFileSync(path);
    // The header and the schema stay: opening alone does not show it.
    writeFileSync(path, bytes.fill(0xa5, 4096 * 10));
    const ledger = new TrialLedger(path);
    expect(() => ledger.onData(DATA)).toThrow(expect.objectContaining({ code: 'trial_ledger' }));
    ledger.close();
  });

  it('refuses a file that is none', () => {
    const bad = join(folder, 'trials.db');
    writeFileSync(bad, 'no database, but long enough to be read as the header of one '.repeat(20));
    expect(() => new TrialLedger(bad)).toThrow(expect.objectContaining({ code: 'trial_ledger' }));
  });
});

describe('deflation', () => {
  const own = noise(1, 0.3);
  const returns = { sampleMs: 1000, values: own };

  it('of a single trial is the probabilistic Sharpe ratio', () => {
    const report = deflate(returns, period, [trial('h', own)]);
    expect(report).toMatchObject({ trials: 1, effectiveTrials: 1 });
    expect(report.dsr).toBeGreaterThan(0.999);
  });

  it('falls with every other idea that was tried, not with copies', () => {
    const copies = Array.from({ length: 30 }, (_, index) => trial(`c${index}`, own));
    const others = Array.from({ length: 30 }, (_, index) => trial(`o${index}`, noise(index + 2)));
    const alone = deflate(returns, period, [trial('h', own)]);
    const copied = deflate(returns, period, copies);
    const tried = deflate(returns, period, [trial('h', own), ...others]);
    expect(copied.trials).toBe(30);
    expect(copied.effectiveTrials).toBeCloseTo(1, 6);
    expect(copied.dsr).toBeCloseTo(alone.dsr!, 6);
    expect(tried.effectiveTrials).toBeGreaterThan(20);
    expect(tried.dsr).toBeLessThan(alone.dsr!);
    expect(tried.minBacktestYears).toBeNull();
    const long = { ...period, to: period.from + 30 * 86_400_000 };
    expect(deflate(returns, long, [trial('h', own), ...others]).minBacktestYears).toBeGreaterThan(0);
  });

  it('is not made better by trials that never traded, or that are copies', () => {
    const ideas = Array.from({ length: 30 }, (_, index) => trial(`o${index}`, noise(index + 2)));
    const still = Array.from({ length: 300 }, (_, index) => trial(`s${index}`, new Float64Array(200)));
    const copies = Array.from({ length: 300 }, (_, index) => trial(`c${index}`, noise(2)));
    const edge = noise(1, 0.2);
    const judged = (others: readonly Trial[]) =>
      deflate({ sampleMs: 1000, values: edge }, period, [trial('h', edge), ...others]);
    const tried = judged(ideas);
    expect(tried.dsr).toBeLessThan(0.95);
    const padded = judged([...ideas, ...still, ...copies]);
    expect(padded).toEqual({ ...tried, trials: 631 });
  });

  it('is not undone by losers: what is no rival of the best tells nothing of how far luck reaches', () => {
    const edge = noise(1, 0.25);
    const judged = (others: readonly Trial[]): number =>
      deflate({ sampleMs: 1000, values: edge }, period, [trial('h', edge), ...others]).dsr!;
    const losers = Array.from({ length: 20 }, (_, index) =>
      trial(
        `l${index}`,
        noise(50 + index).map((value, t) => value / 4 - edge[t]! - index / 10),
      ),
    );
    const alone = judged([]);
    expect(alone).toBeGreaterThan(0.99);
    // Two ideas, the edge and its opposite; their spread was counted before, and left 0.0005 of 0.89.
    expect(judged(losers)).toBeGreaterThan(alone - 0.05);
  });

  it('counts trials over another period of the data whole', () => {
    const elsewhere = trial('e', noise(5).slice(0, 100), { period: { from: period.from + 1, to: period.to } });
    expect(deflate(returns, period, [trial('h', own), elsewhere, { ...elsewhere, runHash: 'f' }])).toMatchObject({
      trials: 3,
      effectiveTrials: 3,
    });
  });

  it('is not undone by running the best of a search over another part of the data', () => {
    const rows = Array.from({ length: 40 }, (_, index) => noise(index + 2));
    const searched = rows.map((row, index) => trial(`s${index}`, row));
    const sharpe = (row: Float64Array): number => periodSharpe(row, 0)!;
    const best = rows.reduce((top, row) => (sharpe(row) > sharpe(top) ? row : top)).slice(0, 160);
    const shorter = { from: period.from, to: period.from + 160_000 };
    const again = { sampleMs: 1000, values: best };
    const alone = deflate(again, shorter, [trial('v', best, { period: shorter })]);
    const after = deflate(again, shorter, [...searched, trial('v', best, { period: shorter })]);
    expect(alone.dsr).toBeGreaterThan(0.95);
    expect(after).toMatchObject({ trials: 41, effectiveTrials: 41 });
    expect(after.dsr).toBeLessThan(0.75);
  });

  it('says nothing of returns that never moved', () => {
    const still = { sampleMs: 1000, values: new Float64Array(50) };
    expect(deflate(still, period, [trial('h', still.values)])).toMatchObject({ dsr: null, minBacktestYears: null });
  });
});

describe('the grid of returns', () => {
  it('is the longest usual step with enough periods', () => {
    const day = 86_400_000;
    expect(gridStep(0, 365 * day)).toBe(day);
    expect(gridStep(0, 60 * day)).toBe(3_600_000);
    expect(gridStep(0, 345_000)).toBe(1_000);
    expect(gridStep(0, 5_000)).toBe(1_000);
  });

  it('goes on with nothing after all is lost', () => {
    const equity = seriesOf([10, 5, 0, 0].map((value, second) => [second * 1000, value]));
    expect([...periodReturns(equity, { from: 0, to: 3000 }).values]).toEqual([-0.5, -1, 0]);
  });
});
