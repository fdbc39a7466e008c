/** `tidewire mcp` as a process, by the client of the protocol's own SDK: reads, research that is counted, commands only where armed. */
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TrialLedger } from '../../../src/research/ledger/trial-ledger.ts';

const ROOT = join(import.meta.dirname, '../../..');
const BIN = join(ROOT, 'bin/tidewire.js');
const SAMPLE = join(ROOT, 'data/sample');

let folder: string;
const clients: Client[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-mcp-'));
  copyFileSync(join(ROOT, 'strategies/spread-maker.ts'), join(folder, 'maker.ts'));
});
afterAll(async () => {
  for (const client of clients) await client.close();
  rmSync(folder, { recursive: true, force: true });
});

async function connected(...flags: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  const env = { PATH: process.env['PATH'] ?? '', TIDEWIRE_API_SECRET: 'never for a strategy' };
  const args = [BIN, 'mcp', ...flags];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, env, stderr: 'pipe' }));
  return client;
}

interface Told {
  readonly failed: boolean;
  readonly json: Record<string, unknown>;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Told> {
  const answer = await client.callTool({ name, arguments: args }, undefined, { timeout: 60_000 });
  const [{ text }] = answer.content as [{ readonly text: string }];
  try {
    return { failed: answer.isError === true, json: JSON.parse(text) as Record<string, unknown> };
  } catch {
    return { failed: answer.isError === true, json: { text } };
  }
}

const errorOf = ({ json }: Told): string => (json['error'] as { readonly code: string }).code;

function trials(): number {
  const ledger = new TrialLedger(join(folder, 'data/trials.db'));
  try {
    return ledger.count();
  } finally {
    ledger.close();
  }
}

describe('bridge/mcp', () => {
  test('lists read tools and research, and no command unless armed', async () => {
    const client = await connected();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'sessions',
        'session',
        'why',
        'why_not',
        'results',
        'result',
        'recordings',
        'backtest',
        'sweep',
      ]),
    );
    expect(names).not.toContain('command');
    expect(names.filter((name) => /signal|login|token|metrics|settings/.test(name))).toEqual([]);
    expect(tools.find(({ name }) => name === 'session')).toMatchObject({
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', required: ['id'] },
    });
    expect(await call(client, 'sessions')).toMatchObject({ failed: false, json: { sessions: [], current: null } });
    expect(errorOf(await call(client, 'session', { id: '../../etc' }))).toBe('bridge_unknown');
    expect((await call(client, 'entries', { id: 'x', limit: -1 })).failed).toBe(true);
  });

  test('a backtest and each trial of a sweep are counted; what is wrong with one is said', async () => {
    const client = await connected();
    const given = { strategy: 'maker.ts', data: [SAMPLE] };
    const one = await call(client, 'backtest', { ...given, params: { halfSpreadBps: 2 } });
    expect(one).toMatchObject({ failed: false, json: { command: 'backtest' } });
    expect(trials()).toBe(1);
    const space = { parameters: { halfSpreadBps: { of: [1, 3] } }, objectives: [{ metric: 'tradingPnl' }] };
    const many = await call(client, 'sweep', { ...given, space, method: 'grid', trials: 2 });
    expect(many).toMatchObject({ failed: false, json: { counts: { done: 2 } } });
    expect(trials()).toBe(3);
    const refused = [
      { ...given, strategy: '../elsewhere.ts' },
      { ...given, params: { halfSpreadBps: 'wide' } },
      { ...given, data: ['--ledger=x'] },
    ];
    const [outside, wrong, option] = await Promise.all(refused.map((args) => call(client, 'backtest', args)));
    expect(errorOf(outside!)).toBe('mcp_outside');
    expect(JSON.stringify(wrong!.json)).toMatch(/mcp_run_failed.*halfSpreadBps/);
    expect(option!.failed).toBe(true);
    expect(trials()).toBe(3);
  });

  test('an armed one removes risk; what adds it is left to a human, and no code comes through', async () => {
    const paper = spawn(process.execPath, [BIN, 'paper', 'maker.ts', '--dashboard', '0', '--json'], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    try {
      const sessions = join(folder, 'data/sessions');
      const found = (): string | undefined =>
        existsSync(sessions)
          ? readdirSync(sessions).find((name) => existsSync(join(sessions, name, 'dashboard.json')))
          : undefined;
      await expect.poll(found, { timeout: 20_000 }).toBeDefined();
      const client = await connected('--armed');
      const id = found()!;
      const command = (args: object): Promise<Told> => call(client, 'command', { id, reason: 'a drill', ...args });
      await expect
        .poll(async () => (await command({ command: 'pause' })).json['command'], { timeout: 20_000, interval: 200 })
        .toBe('pause');
      const states = (await call(client, 'session', { id })).json['strategies'] as { readonly state: string }[];
      expect(states.map(({ state }) => state)).toEqual(['paused']);
      expect(await command({ command: 'kill' })).toMatchObject({ failed: false, json: { command: 'kill' } });
      const resume = await command({ command: 'resume' });
      expect(errorOf(resume)).toBe('bridge_confirmation_needed');
      expect(JSON.stringify(resume.json)).toContain('a human does this');
      expect(JSON.stringify(resume.json)).not.toMatch(/"code":"[0-9A-F]{6}"/);
      expect((await call(client, 'session', { id })).json['killed']).toContain('a drill');
    } finally {
      paper.kill('SIGTERM');
    }
  });
});
