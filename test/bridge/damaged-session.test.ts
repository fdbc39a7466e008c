/** A session whose files are damaged, while it runs or after, and what a server says of it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionList } from '../../src/bridge/schemas/session.ts';
import { Api, PaperSession, until } from './paper-session.ts';
import { SECRET, served, type Served } from './served.ts';

interface Known {
  readonly id: string;
  readonly path: string;
  readonly state: string;
  readonly commandable: boolean;
}

interface Over {
  readonly running: boolean;
  readonly state: string;
  readonly fills: number;
  readonly equity: number | null;
  readonly error: string | null;
}

interface Failed {
  readonly error: { readonly code: string };
}

let folder = '';
let session: PaperSession;
let own: Api;
let id = '';
let path = '';
let here: Served;
/** Of a server without a session of its own. */
let outside: Api;

const row = async (api: Api): Promise<unknown> =>
  sessionList.parse(await api.get('/sessions')).sessions.find((one) => one.id === id);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-damaged-'));
  session = new PaperSession(folder, ['--dashboard', '0']);
  own = new Api(await session.link());
  ({ id, path } = await until('the session', async () => {
    const known = await own.get<Known>('/sessions/current');
    return known.commandable ? known : undefined;
  }));
  here = await served({ root: join(folder, 'data/sessions') });
  outside = new Api({ url: here.server.url, token: SECRET });
}, 90_000);

afterAll(async () => {
  await here.close();
  await session.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('bridge/a session whose files are damaged', () => {
  it('is listed where its session.json cannot be read: as unreadable, and by its own server as it runs', async () => {
    const file = join(path, 'session.json');
    const whole = readFileSync(file, 'utf8');
    expect(await outside.get('/health')).toMatchObject({ ok: true, sessions: [{ id, unhealthy: null }] });
    writeFileSync(file, '{"version": 1,');
    const unreadable = { mode: 'paper', state: 'unreadable', running: true, commandable: false };
    expect(await row(outside)).toMatchObject({ ...unreadable, error: expect.stringContaining('session.json') });
    expect(await row(own)).toMatchObject({ state: 'running', commandable: true, error: null });
    // What the disk says of a session is believed for a second.
    await until('the error', async () => {
      const { error } = await outside.get<Partial<Failed>>(`/sessions/${id}`);
      return error?.code === 'session_unreadable' ? true : undefined;
    });
    expect(await outside.get<Failed>('/sessions/none-such')).toMatchObject({ error: { code: 'bridge_unknown' } });
    expect(await outside.command({ command: 'pause' }, undefined, id)).toMatchObject({ status: 409 });
    const unhealthy = expect.stringContaining('session.json');
    expect(await outside.get('/health')).toMatchObject({ ok: false, sessions: [{ id, unhealthy }] });
    writeFileSync(file, whole);
    expect(await outside.get('/health')).toMatchObject({ ok: true });
  });

  it('is told by its journal where its result cannot be read, and says so', async () => {
    await until('a fill', async () => (await own.entries(0)).find(({ kind }) => kind === 'fill'));
    await own.command({ command: 'stop' });
    expect(await session.ended).toBe(0);
    const whole = await until('the end', async () => {
      const known = await outside.get<Over>(`/sessions/${id}`);
      return known.running ? undefined : known;
    });
    expect(whole.error).toBeNull();
    expect(await outside.get('/health')).toMatchObject({ ok: true, sessions: [] });
    writeFileSync(join(path, 'result.json'), 'no result');
    // Another one, which knows no figures of before.
    const other = await served({ root: join(folder, 'data/sessions') });
    const by = new Api({ url: other.server.url, token: SECRET });
    const over = await by.get<Over>(`/sessions/${id}`);
    expect(over).toMatchObject({ state: whole.state, fills: whole.fills });
    expect(over.error).toMatch(/^result_invalid: .*result\.json/);
    expect(typeof over.equity).toBe('number');
    expect((await by.get<{ points: readonly unknown[] }>(`/sessions/${id}/equity`)).points.length).toBeGreaterThan(0);
    expect(await by.get('/sessions')).toMatchObject({ sessions: [{ id, state: whole.state, error: over.error }] });
    await other.close();
  });
});
