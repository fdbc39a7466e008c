/** A server over sessions that other processes write, or wrote: real folders, real journals, real sockets. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listen, type Listening, type ListenWish } from '../../src/bridge/server/listen.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import type { JournalEntry, JournalStore } from '../../src/model/entries/journal.ts';
import { createSession, writeSession, type SessionFolder } from '../../src/session/store/store.ts';
import { printable } from '../../src/cli/terminal/printable.ts';
import { callCli } from '../cli/call-cli.ts';
import { Api, until } from './paper-session.ts';
import { SECRET, served, type Served } from './served.ts';

let here: Served;
let api: Api;
let folder: SessionFolder;
let journal: JournalStore;
let ts = 1_700_000_000_000;

function write(...entries: readonly JournalEntry[]): number {
  ts += 1;
  return journal.append(ts, entries);
}

const START = { kind: 'session', event: 'start', boot: 1, bootId: 'b1', facts: {} } as const;

beforeAll(async () => {
  here = await served();
  api = new Api({ url: here.server.url, token: SECRET });
  const strategies = [{ name: 's', tag: 's', file: 's.ts', params: {} }];
  const wish = {
    mode: 'paper',
    strategies,
    seed: 1,
    account: 'paper',
    exchange: 'sandbox',
    now: ts,
    suffix: 'x',
  } as const;
  folder = createSession(here.root, wish);
  journal = openJournal(folder.path);
  write(START, { kind: 'alarm', code: 'a_code', message: '<img src=x onerror=alert(1)>' });
});

afterAll(async () => {
  journal.close();
  await here.close();
});

const path = (rest = ''): string => `/sessions/${folder.record.id}${rest}`;

describe('bridge/fleet', () => {
  it('lists what runs and follows its journal', async () => {
    const { sessions, current } = await api.get<{ sessions: readonly object[]; current: null }>('/sessions');
    expect(current).toBeNull();
    expect(sessions).toMatchObject([{ id: folder.record.id, state: 'running', commandable: false, seq: 2 }]);
    const reader = api.stream(`?session=${folder.record.id}&after=0&topics=entries`);
    const seq = write({ kind: 'note', strategy: 's', text: 'later' });
    await until('the note', () => reader.entries.find((entry) => entry.seq === seq));
    expect(reader.entries.map((entry) => entry.seq)).toEqual([1, 2, 3]);
    await reader.close();
  });

  it('an entry has the bytes of `journal export` in each of its forms, whatever its text', async () => {
    const text = 'a\u2028b\u2029c\u007fd\u009be\u202ef\u2066g \ud800 é \u001b[31m';
    const seq = write({ kind: 'note', strategy: 's', text });
    const exported = (await callCli(['journal', 'export', folder.path], here.root)).stdout.split('\n')[seq - 1]!;
    expect(printable(exported)).toBe(exported);
    expect(JSON.parse(exported)).toMatchObject({ seq, entry: { text } });
    const file = join(here.root, 'exported.jsonl');
    await callCli(['journal', 'export', folder.path, '--out', file], here.root);
    expect(readFileSync(file, 'utf8').split('\n')[seq - 1]).toBe(exported);
    const page = path(`/entries?after=${seq - 1}`);
    expect(await api.text(page, 'application/x-ndjson')).toBe(`${exported}\n`);
    const entry = exported.slice(exported.indexOf('"entry":'), -1);
    expect(await api.text(page, '*/*')).toContain(entry);
    const reader = api.stream(`?session=${folder.record.id}&after=${seq - 1}&topics=entries`);
    const sent = await new Promise<Buffer>((resolve) => reader.socket.once('message', resolve));
    expect(sent.toString('utf8')).toContain(entry);
    await reader.close();
  });

  it('a number of an entry is given once, is not empty, and was reached', async () => {
    const { seq: newest } = await api.get<{ seq: number }>(path());
    const headers = { authorization: `Bearer ${SECRET}` };
    const refused = async (query: string): Promise<object> => {
      const response = await fetch(`${api.url}/api/v1${path('/entries')}?${query}`, { headers });
      return { status: response.status, ...((await response.json()) as object) };
    };
    const bad = { status: 400, error: { code: 'bridge_bad_request', field: 'after' } };
    expect(await refused('after=')).toMatchObject(bad);
    expect(await refused('after=1&after=2')).toMatchObject(bad);
    const hint = expect.stringContaining(`after=${newest}`) as string;
    expect(await refused(`after=${newest + 1}`)).toMatchObject({ status: 400, error: { code: 'bridge_ahead', hint } });
    expect(await api.get(path(`/entries?after=${newest}`))).toEqual({ entries: [], next: newest });
    for (const query of ['after=', 'after=1&after=2']) {
      const { socket } = api.stream(`?session=${folder.record.id}&${query}`);
      const status = await new Promise((resolve) =>
        socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode)),
      );
      expect(status).toBe(400);
      socket.terminate();
    }
  });

  it('text of the market or a strategy stays data: JSON that no browser takes for a page', async () => {
    const response = await fetch(`${api.url}/api/v1${path()}`, { headers: { authorization: `Bearer ${SECRET}` } });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toMatchObject({ alarms: [{ message: '<img src=x onerror=alert(1)>' }] });
  });

  it('a session without a server of its own takes no command, and is told how', async () => {
    const response = await fetch(`${api.url}/api/v1${path('/commands')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}` },
      body: '{"command":"pause","reason":"x"}',
    });
    expect(response.status).toBe(409);
    const { error } = (await response.json()) as { error: { code: string; hint: string } };
    expect(error.code).toBe('bridge_not_commandable');
    expect(error.hint).toContain('`panic`');
  });

  it('a client that never reads is dropped with 1013; the others and the journal go on', async () => {
    const [deaf, other] = ['deaf', 'other'].map(() => api.stream(`?session=${folder.record.id}&topics=entries`));
    await deaf!.first('snapshot');
    await other!.first('snapshot');
    deaf!.socket.pause();
    let seq = 0;
    const text = 'x'.repeat(100_000);
    // The buffers of the system take some of it.
    for (let i = 0; i < 400; i++) seq = write({ kind: 'note', strategy: 's', text });
    await until('the last entry', () => other!.entries.find((entry) => entry.seq === seq));
    const first = other!.entries[0]!.seq;
    expect(other!.entries.map((entry) => entry.seq)).toEqual(other!.entries.map((_, index) => first + index));
    await until('the drop', async () => {
      const { clients } = await api.get<{ clients: number }>('/health');
      return clients === 1 ? true : undefined;
    });
    deaf!.socket.resume();
    expect(await deaf!.closed).toBe(1013);
    expect(deaf!.entries.length).toBeLessThan(400);
    await other!.close();
  });

  it('a client that asks for far back and never reads is dropped with 1013, too', async () => {
    const rows = 15_000;
    const note = { kind: 'note', strategy: 's', text: 'x'.repeat(300) } as const;
    const seq = write(...Array.from({ length: rows }, () => note));
    const deaf = api.stream(`?session=${folder.record.id}&topics=entries&after=${seq - rows}`);
    deaf.socket.once('open', () => deaf.socket.pause());
    const clients = async (): Promise<number> => (await api.get<{ clients: number }>('/health')).clients;
    await until('the client', async () => ((await clients()) === 1 ? true : undefined));
    await until('the drop', async () => ((await clients()) === 0 ? true : undefined));
    deaf.socket.resume();
    expect(await deaf.closed).toBe(1013);
    expect(deaf.entries.length).toBeLessThan(rows);
  });

  it('a session that is over is read, and takes no command', async () => {
    write({ kind: 'session', event: 'stop', boot: 1, bootId: 'b1' });
    journal.close();
    writeSession(folder.path, { ...folder.record, clean: true, endedAt: ts });
    const ended = await until('the end', async () => {
      const known = await api.get<{ state: string }>(path());
      return known.state === 'ended' ? known : undefined;
    });
    expect(ended).toMatchObject({ running: false, pid: null, endedAt: ts, strategies: [{ state: 'stopped' }] });
    expect((await api.get<{ entries: readonly object[] }>(path('/entries?after=1&limit=1'))).entries).toHaveLength(1);
  });
});

describe('bridge/listen', () => {
  const closing: Listening[] = [];
  afterEach(async () => {
    for (const one of closing.splice(0)) await one.close();
  });
  const wish = (more: Partial<ListenWish> = {}): ListenWish => ({
    host: '127.0.0.1',
    port: 0,
    orNext: true,
    tls: null,
    behindProxy: false,
    ...more,
  });
  const codeOf = async (wanted: ListenWish): Promise<unknown> => {
    try {
      closing.push(await listen(wanted));
      return null;
    } catch (thrown) {
      return (thrown as { code: unknown }).code;
    }
  };

  it('takes the next port when one is in use, and says which', async () => {
    const first = await listen(wish());
    const second = await listen(wish({ port: first.port }));
    closing.push(first, second);
    expect(second.port).toBeGreaterThan(first.port);
    expect(await codeOf(wish({ port: first.port, orNext: false }))).toBe('dashboard_port');
  });

  it.each(['0.0.0.0', '::', '192.0.2.1', 'bot.example.com'])('does not listen on %s unencrypted', async (host) => {
    expect(await codeOf(wish({ host }))).toBe('dashboard_exposed');
  });

  it('listens beyond this machine behind a proxy, and not with TLS files that are missing', async () => {
    expect(await codeOf(wish({ host: '0.0.0.0', behindProxy: true }))).toBeNull();
    const tls = { certificate: '/nothing/cert.pem', key: '/nothing/key.pem' };
    expect(await codeOf(wish({ host: '0.0.0.0', tls }))).toBe('dashboard_tls');
  });

  it('paper refuses all that before any request, and a short token', async () => {
    const strategy = join(import.meta.dirname, '../../strategies/spread-maker.ts');
    const run = (env: Readonly<Record<string, string>>) =>
      callCli(['paper', strategy, '--dashboard', '0'], here.root, { env });
    expect((await run({ TIDEWIRE_DASHBOARD_TOKEN: 'short' })).stderr).toContain('dashboard_token');
    expect((await run({ TIDEWIRE_DASHBOARD_HOST: '0.0.0.0' })).stderr).toContain('dashboard_exposed');
    expect((await callCli(['paper', strategy, '--dashboard', 'x'], here.root)).stderr).toContain('bad_option');
  });

  it('`dashboard` serves all sessions of a folder, with a token of its own', async () => {
    const over = Promise.withResolvers<string>();
    const root = here.root;
    const running = callCli(['dashboard', '--data', root, '--port', '0'], root, { interrupted: over.promise });
    const file = join(root, '.dashboard', 'dashboard.token');
    await until('its token', () => (statSync(file, { throwIfNoEntry: false }) === undefined ? undefined : true));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    over.resolve('SIGINT');
    const { code, stderr } = await running;
    expect(code).toBe(0);
    const token = readFileSync(file, 'utf8').trim();
    expect(stderr).toMatch(new RegExp(`^dashboard http://127\\.0\\.0\\.1:\\d+/#token=${token}$`, 'm'));
  });
});
