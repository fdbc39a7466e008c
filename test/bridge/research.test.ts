/** Searches and drifts of other processes, as their files tell them: a search that runs is seen while it runs. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { progressFile, type SweepBegin } from '../../src/research/sweep/progress/progress-file.ts';
import type { SweepResult, SweepTrial } from '../../src/research/sweep/result.ts';
import { createSession, writeSession } from '../../src/session/store/store.ts';
import { Api } from './paper-session.ts';
import { SECRET, served, type Served } from './served.ts';

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly stats: Readonly<Record<string, number>>;
  readonly progress: { readonly state: string; readonly done: number; readonly asked: number } | null;
}

const STUDY = 'ab12ab12ab12';

function trial(number: number, netPnl: number, state: SweepTrial['state'] = 'done'): SweepTrial {
  const metrics: SweepTrial['metrics'] = state === 'failed' ? {} : { netPnl, trades: 10, volume: 1 };
  const point = [number / 10, 0.5];
  const params = { fast: number, slow: 100 };
  const reason = state === 'failed' ? 'it threw' : null;
  return { number, params, state, share: 1, runHash: `hash ${number}`, reason, metrics, feasible: true, point };
}

let here: Served;
let api: Api;

beforeAll(async () => {
  here = await served();
  api = new Api({ url: here.server.url, token: SECRET });
});

afterAll(() => here.close());

const begin = (pid: number, study = STUDY): SweepBegin => ({
  strategy: 'ema-cross',
  study,
  method: 'random',
  seed: 1,
  halving: false,
  period: { from: 1_000, to: 2_000 },
  lockbox: null,
  space: {
    parameters: { fast: { from: 0, to: 10, integer: true, log: false }, slow: { of: [100, 200] } },
    objectives: [{ metric: 'netPnl', direction: 'maximize' }],
    constraints: [],
  },
  asked: 5,
  startedAt: Date.now(),
  pid,
});

const rows = async (): Promise<readonly Row[]> => (await api.get<{ results: readonly Row[] }>('/results')).results;

describe('bridge/searches', () => {
  const write = (): ReturnType<typeof progressFile> => progressFile(join(here.root, 'trials.db'));

  it('one that runs is listed with how far it is, and read with its trials', async () => {
    const progress = write();
    progress.begin(begin(process.pid));
    expect(await rows()).toMatchObject([
      { id: STUDY, kind: 'sweep', progress: { state: 'running', done: 0, asked: 5 } },
    ]);
    progress.trial(trial(0, -3));
    progress.trial(trial(2, 7));
    progress.trial(trial(1, 0, 'failed'));
    appendFileSync(join(here.root, 'sweeps', `${STUDY}.sweep.jsonl`), '{"kind":"trial","number":4');
    const [row] = await rows();
    expect(row).toMatchObject({ stats: { netPnl: 7 }, progress: { state: 'running', done: 3 } });
    const document = await api.get<SweepResult & { progress: object }>(`/sweeps/${STUDY}`);
    expect(document).toMatchObject({
      command: 'sweep',
      counts: { asked: 5, done: 2, failed: 1 },
      best: { number: 2 },
      luck: { dsr: null },
      interrupted: false,
      progress: { state: 'running', done: 3, asked: 5 },
    });
    expect(document.trials.map(({ number }) => number)).toEqual([0, 1, 2]);
    expect(document.landscape.importance.map(({ name }) => name)).toEqual(['fast', 'slow']);
  });

  it('one whose process is gone has broken off; begun again it runs', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => child.once('exit', resolve));
    const progress = write();
    progress.begin(begin(child.pid ?? 0));
    progress.trial(trial(0, 1));
    expect((await rows())[0]!.progress).toMatchObject({ state: 'broken off', done: 1 });
    progress.begin(begin(process.pid));
    expect((await rows())[0]!.progress).toMatchObject({ state: 'running', done: 0 });
  });

  it('one that has ended is as its command says, and leaves the list to its result file', async () => {
    const progress = write();
    progress.begin(begin(process.pid));
    progress.trial(trial(0, 1));
    const [known] = await rows();
    const { progress: _, ...soFar } = await api.get<SweepResult & { progress: object }>(`/sweeps/${known!.id}`);
    const result = { ...soFar, interrupted: true, luck: { ...soFar.luck, trialsOnData: 9 } };
    progress.end(Date.now(), result);
    expect((await rows())[0]!.progress).toMatchObject({ state: 'interrupted', done: 1 });
    expect(await api.get(`/sweeps/${STUDY}`)).toMatchObject({ luck: { trialsOnData: 9 }, trials: [{ number: 0 }] });
    const folder = createSession(here.root, {
      mode: 'paper',
      strategies: [{ name: 's', tag: 's', file: 's.ts', params: {} }],
      seed: 1,
      account: 'paper',
      exchange: 'sandbox',
      now: 1,
      suffix: 'x',
    });
    writeFileSync(join(folder.path, 'search.json'), JSON.stringify(result));
    const [row, ...others] = await rows();
    expect(row).toMatchObject({ kind: 'sweep', session: folder.record.id, progress: null });
    expect(others).toEqual([]);
  });

  it('no file of another kind is taken for one, and an unknown search is 404', async () => {
    mkdirSync(join(here.root, 'sweeps'), { recursive: true });
    writeFileSync(join(here.root, 'sweeps', 'cd34.sweep.jsonl'), 'nothing\n{"kind":"begin"}\n');
    writeFileSync(join(here.root, 'sweeps', 'other.json'), '{}');
    expect((await rows()).map(({ id }) => id)).not.toContain('cd34');
    for (const id of ['cd34', 'nothing']) {
      expect(await api.get(`/sweeps/${id}`)).toMatchObject({ error: { code: 'bridge_unknown' } });
    }
  });
});

describe('bridge/drift', () => {
  const side = (pnl: string) => ({ pnl, trading: pnl, funding: '0', fills: 2 });

  it('is the report that lies in the folder, while it is of the newest start', async () => {
    const folder = createSession(here.root, {
      mode: 'paper',
      strategies: [{ name: 's', tag: 's', file: 's.ts', params: {} }],
      seed: 1,
      account: 'paper',
      exchange: 'sandbox',
      now: 2,
      suffix: 'y',
    });
    const { id } = folder.record;
    writeSession(folder.path, { ...folder.record, decidingFrom: 5, endedAt: 9 });
    const nothing = { report: null, command: `npx tidewire drift ${id}` };
    expect(await api.get(`/sessions/${id}/drift`)).toEqual(nothing);
    const report = {
      session: id,
      mode: 'paper',
      at: 10,
      currency: 'USDT',
      period: { from: 5, to: 9 },
      result: { session: side('1.5'), backtest: side('2') },
      gap: '-0.5',
      parts: { signal: '0', latency: '-0.5' },
      orders: { sent: 4, differ: 0, largest: [] },
      warnings: [],
    };
    writeFileSync(join(folder.path, 'drift.json'), JSON.stringify({ command: 'drift', ...report, runHash: 'x' }));
    expect(await api.get(`/sessions/${id}/drift`)).toMatchObject({ report });
    writeFileSync(join(folder.path, 'drift.json'), JSON.stringify({ ...report, period: { from: 4, to: 9 } }));
    expect(await api.get(`/sessions/${id}/drift`)).toEqual(nothing);
  });
});
