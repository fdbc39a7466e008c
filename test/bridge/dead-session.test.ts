/** Commands for a session whose process is gone: nobody else carries them out, and nobody at its old address learns a token. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRunning } from '../../src/session/store/is-running.ts';
import { readSession } from '../../src/session/store/store.ts';
import { callCli } from '../cli/call-cli.ts';
import { Api, PaperSession, until } from './paper-session.ts';
import { SECRET, served, type Served } from './served.ts';

const TOKEN = 'one-token-for-all-sessions-of-the-test';
const KILL = { command: 'kill', reason: 'meant for the other' };

interface Known {
  readonly id: string;
  readonly state: string;
  readonly commandable: boolean;
}

interface Refused {
  readonly error: { readonly code: string };
}

let folder = '';
let port = 0;
let here: Served;
/** Of a server without a session of its own. */
let outside: Api;
let living: PaperSession;
let own: Api;
const ids = { dead: '', living: '' };
const sessions: PaperSession[] = [];

const root = (): string => join(folder, 'data/sessions');

function start(...args: readonly string[]): PaperSession {
  const session = new PaperSession(folder, args, { TIDEWIRE_DASHBOARD_TOKEN: TOKEN });
  sessions.push(session);
  return session;
}

async function attached(session: PaperSession): Promise<{ readonly api: Api; readonly id: string }> {
  const api = new Api(await session.link());
  const { id } = await until('the session', async () => {
    const known = await api.get<Known>('/sessions/current');
    return known.commandable ? known : undefined;
  });
  return { api, id };
}

async function refusal(api: Api, id: string): Promise<readonly [number, string]> {
  const { status, body } = await api.command<Refused>(KILL, undefined, id);
  return [status, body.error?.code];
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-dead-'));
  const first = start('--dashboard', '0');
  const { api, id } = await attached(first);
  ids.dead = id;
  port = Number(new URL(api.url).port);
  await first.kill('SIGKILL');
  living = start('--dashboard', String(port), '--new');
  ({ api: own, id: ids.living } = await attached(living));
  here = await served({ root: root() });
  outside = new Api({ url: here.server.url, token: SECRET });
}, 120_000);

afterAll(async () => {
  await here.close();
  for (const session of sessions) await session.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('bridge/a session whose process is gone', () => {
  it('takes no command where another session has its port and its token', async () => {
    expect(new URL(own.url).port).toBe(String(port));
    const { sessions: listed } = await outside.get<{ sessions: readonly Known[] }>('/sessions');
    const shown = Object.fromEntries(listed.map(({ id, state, commandable }) => [id, [state, commandable]]));
    expect(shown).toEqual({ [ids.dead]: ['crashed', false], [ids.living]: ['running', true] });
    const health = await outside.get<{ ok: boolean; sessions: readonly { id: string; unhealthy: string | null }[] }>(
      '/health',
    );
    const gone = expect.stringContaining('its process is gone');
    expect([health.ok, Object.fromEntries(health.sessions.map((one) => [one.id, one.unhealthy]))]).toEqual([
      false,
      { [ids.dead]: gone, [ids.living]: null },
    ]);
    for (const api of [outside, own]) {
      expect(await refusal(api, ids.dead)).toEqual([409, 'bridge_not_commandable']);
      expect(await refusal(api, 'paper-none-such')).toEqual([404, 'bridge_unknown']);
    }
    expect((await own.get<Known>('/sessions/current')).state).toBe('running');
  });

  it('what a server passes on is not passed on again', async () => {
    const response = await fetch(`${outside.url}/api/v1/sessions/${ids.living}/commands`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'x-tidewire-asked-by': 'api 127.0.0.1' },
      body: JSON.stringify(KILL),
    });
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { error: { code: 'bridge_not_commandable' } },
    ]);
    const taken = await outside.command({ command: 'cancel-all' }, undefined, ids.living);
    expect(taken.status).toBe(202);
  });

  it('whoever listens at its address is asked nothing, also while it runs again without a dashboard', async () => {
    await living.kill('SIGKILL');
    const heard: unknown[] = [];
    const stranger: Server = createServer((request, answer) => {
      heard.push(request.url);
      answer.writeHead(202, { 'content-type': 'application/json' }).end('{"seq":1,"command":"kill","ts":1}');
    }).listen(port, '127.0.0.1');
    await once(stranger, 'listening');
    const askAll = async (): Promise<void> => {
      for (const id of [ids.dead, ids.living])
        expect(await refusal(outside, id)).toEqual([409, 'bridge_not_commandable']);
      await outside.get('/sessions');
      await outside.get(`/sessions/${ids.living}`);
    };
    await askAll();
    start('--no-dashboard');
    const path = join(root(), ids.living);
    await until('its process', () => (isRunning(readSession(path)!) ? true : undefined));
    await askAll();
    expect(readdirSync(path)).toContain('dashboard.json');
    const { stdout } = await callCli(['status', '--json'], folder);
    expect(stdout).not.toContain(`:${port}`);
    expect(heard).toEqual([]);
    stranger.closeAllConnections();
    stranger.close();
  });
});
