/** A session whose files are damaged, while it runs or after, and what a server says of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
    writeFileSync(join(path, 'session.json'), '{"version": 1,');
    const unreadable = { mode: 'paper', state: 'unreadable', running: true, commandable: false };
    expect(await row(outside)).toMatchObject({ ...unreadable, error: expect.stringContaining('session.json') });
    expect(await row(own)).toMatchObject({ state: 'running', commandable: true, error: null });
    expect(await outside.get<Failed>(`/sessions/${id}`)).toMatchObject({ error: { code: 'session_unreadable' } });
    expect(await outside.get<Failed>('/sessions/none-such')).toMatchObject({ error: { code: 'bridge_unknown' } });
    expect(await outside.command({ command: 'pause' }, undefined, id)).toMatchObject({ status: 503 });
  });
});
