/** `tidewire mcp` as a process, by the client of the protocol's own SDK: reads, research that is counted, commands only where armed. */
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationToolName } from '../../../src/bridge/mcp/operation-tools.ts';
import { operations } from '../../../src/bridge/operations-table/table.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { systemClock } from '../../../src/session/clock/system-clock.ts';
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
  return connectedWith({ TIDEWIRE_API_SECRET: 'never for a strategy' }, ...flags);
}

async function connectedWith(variables: Record<string, string>, ...flags: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  const env = { PATH: process.env['PATH'] ?? '', ...variables };
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
    // No exchange is configured.
    expect(names).not.toContain('market_ticker');
    expect(names.filter((name) => /signal|login|token|metrics|settings/.test(name))).toEqual([]);
    expect(tools.find(({ name }) => name === 'session')).toMatchObject({
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', required: ['id'] },
    });
    expect(await call(client, 'sessions')).toMatchObject({ failed: false, json: { sessions: [], current: null } });
    expect(errorOf(await call(client, 'session', { id: '../../etc' }))).toBe('bridge_unknown');
    expect((await call(client, 'entries', { id: 'x', limit: -1 })).failed).toBe(true);
  });

  test('reads the exchange where one is configured, by the rows of the operations table, and moves nothing', async () => {
    const running = await startSandbox({ clock: systemClock, seed: 73, market: 'none' });
    try {
      const { restUrl, wsUrl } = running;
      const text = `exchange: { baseUrl: ${restUrl}, gatewayUrl: ${restUrl}, wsUrl: ${wsUrl} }`;
      writeFileSync(join(folder, 'exchange.yaml'), text);
      const { publicKey, secretKey } = running.users[0]!.apiKey;
      const keys = { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey };
      const client = await connectedWith(keys, '--armed', '--config', 'exchange.yaml');
      const { tools } = await client.listTools();
      const reads = operations.filter(({ surface }) => surface.includes('mcp')).map(operationToolName);
      expect(tools.map(({ name }) => name).filter((name) => reads.includes(name))).toEqual(reads);
      expect(tools.filter(({ name }) => /withdraw|transfer_make|codes_create|keys|pay|order$/.test(name))).toEqual([]);
      expect(await call(client, 'spot_instruments')).toMatchObject({ failed: false, json: { complete: true } });
      const told = await call(client, 'account_overview', { currency: 'USDT' });
      expect(told).toMatchObject({ failed: false, json: { items: expect.arrayContaining([expect.anything()]) } });
      expect(JSON.stringify(told.json)).not.toContain(secretKey);
      expect((await call(client, 'market_book', { symbol: '../x' })).failed).toBe(true);
      // What a tool does not know would be left out in silence.
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['command', 'sessions', 'sweep']));
      // A client has no session of its own.
      const isCurrent = (schema: unknown): boolean => JSON.stringify(schema).includes('or `current`');
      expect(tools.filter(({ inputSchema }) => isCurrent(inputSchema)).map(({ name }) => name)).toEqual([]);
      expect(tools.find(({ name }) => name === 'command')?.inputSchema.properties).toMatchObject({
        id: { description: 'Id of a session, as `sessions` lists it' },
      });
      for (const { name, inputSchema } of tools) {
        expect([name, inputSchema['additionalProperties']]).toEqual([name, false]);
        const misnamed = await call(client, name, { symbolz: ['ETHUSDT'] });
        expect([name, misnamed.failed, JSON.stringify(misnamed.json)]).toEqual([
          name,
          true,
          expect.stringContaining('symbolz'),
        ]);
      }
    } finally {
      await running.stop();
    }
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
    const { json: list } = await call(client, 'results', {});
    const { results } = list as { readonly results: readonly { readonly kind: string }[] };
    const searches = results.filter(({ kind }) => kind === 'sweep');
    expect(searches).toMatchObject([{ progress: { state: 'ended', done: 2, asked: 2 } }]);
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
      // Narrowed down by a name that it does not have, it is none.
      const { seq } = (await call(client, 'session', { id })).json as { readonly seq: number };
      for (const narrow of [{ symbols: ['ETHUSDT'] }, { tag: 'x' }, { ref: 'x' }])
        expect((await command({ command: 'flatten', ...narrow })).failed).toBe(true);
      const since = (await call(client, 'entries', { id, after: seq, kinds: 'record' })).json['entries'];
      expect(since).toEqual([]);
      const states = (await call(client, 'session', { id })).json['strategies'] as { readonly state: string }[];
      expect(states.map(({ state }) => state)).toEqual(['paused']);
      const { entries } = (await call(client, 'entries', { id, kinds: 'record', limit: 5_000 })).json as {
        readonly entries: readonly { readonly entry: { readonly data: { readonly who?: string } } }[];
      };
      expect(entries.map(({ entry }) => entry.data.who)).toContain('mcp stdio by api 127.0.0.1');
      // A human's pause needs no code, and is not for a client to lift.
      const lifted = await command({ command: 'resume' });
      const looser = await command({ command: 'limits/override', limit: 'risk.maxOpenOrders', value: '1' });
      expect([lifted.failed, looser.failed]).toEqual([true, true]);
      const still = (await call(client, 'session', { id })).json['strategies'] as { readonly state: string }[];
      expect(still.map(({ state }) => state)).toEqual(['paused']);
      expect(await command({ command: 'kill' })).toMatchObject({ failed: false, json: { command: 'kill' } });
      const resume = await command({ command: 'resume' });
      expect(resume.failed).toBe(true);
      expect(JSON.stringify(resume.json)).not.toMatch(/"code":"[0-9A-F]{6}"/);
      expect((await call(client, 'session', { id })).json['killed']).toContain('a drill');
    } finally {
      paper.kill('SIGTERM');
    }
  });
});
