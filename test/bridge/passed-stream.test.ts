/** The stream and the book of a session of another process: what is live comes from the session's own server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { streamMessage } from '../../src/bridge/schemas/stream.ts';
import { Api, PaperSession, until, type Message } from './paper-session.ts';
import { SECRET, served, type Served } from './served.ts';

interface Book {
  readonly symbol: string;
  readonly bids: readonly unknown[];
}

let folder = '';
let session: PaperSession;
let id = '';
let here: Served;
let outside: Api;

const own = async (): Promise<Api> => new Api(await session.link());

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-passed-'));
  session = new PaperSession(folder, ['--dashboard', '0']);
  const api = await own();
  ({ id } = await until('the session', async () => {
    const known = await api.get<{ id: string; commandable: boolean }>('/sessions/current');
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

it('bridge/passed-stream/a server of all sessions gives what is live of one that runs, and goes on with its next process', async () => {
  const reader = outside.stream(`?session=${id}`);
  expect((await reader.first('snapshot')).type).toBe(reader.messages[0]!.type);
  const books = ({ books: shown }: Message): readonly Book[] => shown as readonly Book[];
  await reader.first('market', (message) => books(message).some(({ bids }) => bids.length === 20));
  await reader.first('equity', ({ equity }) => typeof equity === 'number');
  await reader.first('health', ({ state, streams }) => state === 'running' && (streams as unknown[]).length > 0);
  await reader.first('entry');
  const wish = { type: 'subscribe', topics: ['book', 'entries'], symbols: ['BTCUSDT'], depth: 3 };
  reader.socket.send(JSON.stringify(wish));
  await reader.first('market', (message) => books(message).some(({ bids }) => bids.length === 3));

  const { symbol, bids } = await outside.get<Book>(`/sessions/${id}/book?symbol=BTCUSDT&depth=4`);
  expect([symbol, bids.length]).toEqual(['BTCUSDT', 4]);

  await session.kill('SIGKILL');
  expect(await outside.get(`/sessions/${id}/book?symbol=BTCUSDT`)).toMatchObject({ error: { code: 'bridge_unknown' } });
  const before = reader.messages.length;
  session = new PaperSession(folder, ['--dashboard', '0']);
  await own();
  await until('its market', () => reader.messages.slice(before).find(({ type }) => type === 'market'));
  for (const message of reader.messages) {
    expect(() => streamMessage.parse(message)).not.toThrow();
    expect(message['session']).toBe(id);
  }
  // Entries come by the journal alone: each once.
  const entries = reader.entries.map(({ seq }) => seq);
  expect(entries).toEqual(entries.map((_, index) => entries[0]! + index));
  expect(reader.messages.filter(({ type }) => type === 'snapshot')).toHaveLength(1);
  await reader.close();
});
