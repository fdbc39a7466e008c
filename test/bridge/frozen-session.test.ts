/** A session whose process is frozen: its server takes connections and answers nothing. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepToken, writeAddress } from '../../src/bridge/thread/address-file.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { createSession } from '../../src/session/store/store.ts';
import { Api } from './paper-session.ts';
import { SECRET, served } from './served.ts';

it('bridge/fleet/a session that does not answer has a gate that says so', async () => {
  const root = mkdtempSync(join(tmpdir(), 'tidewire-frozen-'));
  const sockets: Socket[] = [];
  const frozen = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(frozen, 'listening');
  const strategies = [{ name: 's', tag: 's', file: 's.ts', params: {} }];
  const now = 1_700_000_000_000;
  const wish = { mode: 'paper', strategies, seed: 1, account: 'paper', exchange: 'sandbox', now, suffix: 'x' } as const;
  const { path, record } = createSession(root, wish);
  const journal = openJournal(path);
  journal.append(now, [{ kind: 'session', event: 'start', boot: 1, bootId: 'b1', facts: {} }]);
  keepToken(path, SECRET);
  writeAddress({ path, record }, `http://127.0.0.1:${(frozen.address() as AddressInfo).port}`, null);
  const here = await served({ root });
  const api = new Api({ url: here.server.url, token: SECRET });
  const { sessions } = await api.get<{ sessions: readonly object[] }>('/sessions');
  const gates = [{ gate: 'process', symbol: '', reason: 'no_answer' }];
  expect(sessions).toMatchObject([{ id: record.id, running: true, gates }]);
  const unhealthy = expect.stringContaining('does not answer');
  expect(await api.get('/health')).toMatchObject({ ok: false, sessions: [{ id: record.id, unhealthy }] });
  await here.close();
  journal.close();
  for (const socket of sockets) socket.destroy();
  frozen.close();
  rmSync(root, { recursive: true, force: true });
});
