/** What outside checks use, against a real paper session: its link, its state, its entries, its stream, commands to it. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionDetail } from '../../src/bridge/schemas/session.ts';
import { streamMessage } from '../../src/bridge/schemas/stream.ts';
import { callCli } from '../cli/call-cli.ts';
import { fuzzBridge } from './fuzz.ts';
import { SECRET, served } from './served.ts';
import { Api, PaperSession, until, type Row } from './paper-session.ts';

interface Current {
  readonly id: string;
  readonly state: string;
  readonly path: string;
  readonly strategies: readonly { readonly tag: string; readonly state: string }[];
  readonly openOrders: number;
  readonly unresolved: number;
  readonly killed: string | null;
  readonly seq: number;
  readonly [field: string]: unknown;
}

interface Money {
  readonly netPnl: number;
  readonly heldDrift: number;
  readonly today: { readonly trading: number; readonly drift: number } | null;
  readonly strategies: readonly { readonly netPnl: number }[];
}

interface Over extends Current {
  readonly endedAt: number;
  readonly equity: number;
  readonly netPnl: number;
  readonly heldDrift: number;
  readonly spark: readonly number[];
}

interface Curve {
  readonly points: readonly { readonly ts: number; readonly equity: number; readonly heldDrift: number | null }[];
}

interface Accepted {
  readonly seq: number;
}

let folder = '';
let session: PaperSession;
let api: Api;
/** The session that ended. */
let ended = '';

const current = (): Promise<Current> => api.get('/sessions/current');
const isIntent = ({ kind, entry }: Row): boolean => kind === 'intent' && entry['command'] === 'create';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-bridge-'));
  session = new PaperSession(folder, ['--dashboard', '0']);
  api = new Api(await session.link());
  await until('a fill', async () => (await api.entries(0)).find(({ kind }) => kind === 'fill'));
});

afterAll(async () => {
  await session.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('bridge/session: what it says', () => {
  it('prints one line with the link; the token lies in its folder for its owner alone', async () => {
    expect(session.stderr.match(/^dashboard /gm)).toHaveLength(1);
    expect(Buffer.from(api.token, 'base64url')).toHaveLength(32);
    const file = join((await current()).path, 'dashboard.token');
    expect(readFileSync(file, 'utf8').trim()).toBe(api.token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('reads of the exchange what is public, and holds no key for the rest', async () => {
    const book = await api.get<{ symbol: string; bids: readonly unknown[] }>('/operations/market/book?symbol=BTCUSDT');
    expect([book.symbol, book.bids.length]).toEqual(['BTCUSDT', 20]);
    expect(await api.get('/operations/market/ticker')).toMatchObject({ complete: true });
    for (const operation of ['account/overview', 'spot/orders', 'codes/my'])
      expect(await api.get(`/operations/${operation}`)).toMatchObject({ error: { code: 'operation_no_key' } });
    const transfer = { from: 'funding', to: 'unified-trading', currency: 'USDT', amount: '1', reason: 'a test' };
    const asked = await fetch(`${api.url}/api/v1/operations/transfer/make`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.token}` },
      body: JSON.stringify(transfer),
    });
    expect([asked.status, await asked.json()]).toMatchObject([409, { error: { code: 'operation_no_key' } }]);
  });

  it('status --json has the address, and no token', async () => {
    const { stdout: out } = await callCli(['status', '--json'], folder);
    const { sessions } = JSON.parse(out) as { sessions: readonly { dashboard: unknown }[] };
    expect(sessions[0]?.dashboard).toEqual({ url: api.url });
    expect(out).not.toContain(api.token);
  });

  it('sessions/current has the fields of the contract, and all of its schema', async () => {
    const known = await current();
    expect(known).toMatchObject({ mode: 'paper', state: 'running', gates: [] });
    expect(known.strategies).toMatchObject([{ tag: 'spread-maker', state: 'running' }]);
    for (const field of ['equity', 'netPnl', 'heldDrift', 'openOrders', 'seq'])
      expect([field, typeof known[field]]).toEqual([field, 'number']);
    expect(known['positions']).toMatchObject([{ strategy: 'spread-maker', symbol: 'BTCUSDT' }]);
    expect(sessionDetail.strict().parse(known)).toEqual(known);
    for (const { counters, denials } of sessionDetail.parse(known).strategies) {
      expect(counters['denied']).toBe(denials.reduce((sum, { count }) => sum + count, 0));
      expect(counters['unsent']).toBeGreaterThanOrEqual(0);
    }
    expect(JSON.stringify(known)).not.toContain(api.token);
  });

  it('entries are those of journal export: the same bytes in the same order, by pages and as lines', async () => {
    const { id, seq } = await current();
    const { stdout: out } = await callCli(['journal', 'export', join(folder, 'data/sessions', id)], folder);
    const exported = out.split('\n').slice(0, seq);
    const lines = (await api.text('/sessions/current/entries?limit=5000', 'application/x-ndjson')).split('\n');
    expect(lines.slice(0, seq)).toEqual(exported);
    const pages: Row[] = [];
    for (let next = 0; next < seq;) {
      const page = await api.get<{ entries: readonly Row[]; next: number }>(
        `/sessions/current/entries?after=${next}&limit=37`,
      );
      pages.push(...page.entries);
      ({ next } = page);
    }
    const again = pages.slice(0, seq).map(({ seq: at, ts, entry }) => JSON.stringify({ seq: at, ts, entry }));
    expect(again).toEqual(exported);
    expect(pages.every(({ kind, entry }) => kind === entry['kind'])).toBe(true);
  });

  it('why explains a fill as the terminal does', async () => {
    const fill = (await api.entries(0)).find(({ kind }) => kind === 'fill')!;
    const { orderId } = fill.entry['fill'] as { orderId: string };
    const why = await api.get<{ kind: string; steps: readonly { kind: string }[] }>(
      `/sessions/current/orders/${orderId}/why`,
    );
    expect(why.kind).toBe('order');
    expect(why.steps.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['decision', 'intent', 'sending', 'fill']),
    );
  });

  it('books, candles and equity come from the session', async () => {
    const book = await api.get<{ bids: readonly (readonly [string, string])[]; synced: boolean }>(
      '/sessions/current/book?symbol=BTCUSDT&depth=5',
    );
    expect([book.synced, book.bids.length]).toEqual([true, 5]);
    const prices = book.bids.map(([price]) => Number(price));
    expect(prices).toEqual(prices.toSorted((left, right) => right - left));
    const { candles } = await api.get<{ candles: readonly unknown[] }>(
      '/sessions/current/candles?symbol=BTCUSDT&limit=3',
    );
    expect(candles).toHaveLength(3);
    for (const of of ['candles', 'bars', 'heat']) {
      const { error } = await api.get<{ error: object }>(`/sessions/current/${of}?symbol=BTCUSDX`);
      expect(error).toMatchObject({
        code: 'bridge_unknown',
        field: 'symbol',
        message: expect.stringContaining('BTCUSDT'),
      });
    }
    const { points } = await api.get<{ points: readonly { equity: number }[] }>('/sessions/current/equity');
    expect(points.length).toBeGreaterThan(0);
  });
});

describe('bridge/session: the stream', () => {
  it('begins with a snapshot, then entries without a hole, and market data', async () => {
    const reader = api.stream();
    const snapshot = await reader.first('snapshot');
    await reader.first('market');
    await reader.first('equity');
    await reader.first('health');
    await until('entries', () => (reader.entries.length > 20 ? true : undefined));
    expect(reader.messages[0]).toBe(snapshot);
    expect(reader.entries.map(({ seq }) => seq)).toEqual(reader.entries.map((_, index) => snapshot.seq + 1 + index));
    for (const message of reader.messages) expect(() => streamMessage.parse(message)).not.toThrow();
    await reader.close();
  });

  it('every figure of money is of one moment: result, that of today, that of the strategy', async () => {
    const reader = api.stream('?topics=equity');
    const told = await until('three messages', () => {
      const found = reader.messages.filter(({ type }) => type === 'equity');
      return found.length >= 3 ? found : undefined;
    });
    const detail = await current();
    for (const one of [...told, detail] as unknown as readonly Money[]) {
      // The session has begun today.
      expect(one.today?.trading).toBe(one.netPnl);
      expect(one.today?.drift).toBe(one.heldDrift);
      expect(one.strategies.map(({ netPnl }) => netPnl)).toEqual([one.netPnl]);
    }
    expect(typeof detail['fees']).toBe('number');
    await reader.close();
  });

  it('resumes after a number without a snapshot, and gives one where the number is not of this journal', async () => {
    const reader = api.stream('?after=5&topics=entries');
    await until('entries', () => (reader.entries.length > 20 ? true : undefined));
    expect(reader.messages.slice(0, 20).map(({ type, seq }) => [type, seq])).toEqual(
      Array.from({ length: 20 }, (_, index) => ['entry', 6 + index]),
    );
    await reader.close();
    const ahead = api.stream('?after=999999999');
    expect((await ahead.first('snapshot')).seq).toBeLessThan(999_999_999);
    await ahead.close();
  });

  it('answers what it does not understand, and goes on', async () => {
    const reader = api.stream('?topics=health');
    await reader.first('health');
    for (const text of ['{', '{"type":"withdraw"}', '[]', 'null']) reader.socket.send(text);
    reader.socket.send(Buffer.from([1, 2, 3]));
    await until('answers', () =>
      reader.messages.filter(({ type }) => type === 'error').length === 5 ? true : undefined,
    );
    reader.socket.send(JSON.stringify({ type: 'subscribe', topics: ['book'], symbols: ['BTCUSDT'], depth: 3 }));
    const market = await reader.first('market', ({ books }) => (books as readonly unknown[]).length > 0);
    expect((market['books'] as readonly { bids: readonly unknown[] }[])[0]?.bids).toHaveLength(3);
    await reader.close();
  });
});

describe('bridge/session: commands', () => {
  it('pause is durable with who and why, takes the orders away, and resume needs no second step', async () => {
    const { status, body } = await api.command<Accepted>({ command: 'pause', reason: 'lunch' });
    expect(status).toBe(202);
    const [row] = await api.entries(body.seq - 1);
    expect(row).toMatchObject({
      seq: body.seq,
      entry: {
        kind: 'record',
        name: 'remote-command',
        data: { command: 'pause', reason: 'lunch', who: 'api 127.0.0.1' },
      },
    });
    const paused = await until('no order', async () => {
      const known = await current();
      return known.openOrders === 0 ? known : undefined;
    });
    expect(paused.strategies[0]?.state).toBe('paused');
    const since = (await api.entries(body.seq)).filter(isIntent);
    expect((await api.command({ command: 'resume' })).status).toBe(202);
    expect(since).toEqual([]);
    await until('orders again', async () => ((await current()).openOrders > 0 ? true : undefined));
  });

  it('each cancel names its orders by their refs, as each create does', async () => {
    const page = '/sessions/current/entries?kinds=intent&limit=5000';
    const intents = (await api.get<{ entries: readonly Row[] }>(page)).entries.map(({ entry }) => entry);
    const refs = new Map(intents.map((intent) => [intent['intentId'], intent['ref']]));
    const cancels = intents.filter(({ command }) => command === 'cancel');
    expect(cancels).not.toEqual([]);
    for (const { targets, ref, refs: several = [ref] } of cancels) {
      expect(ref).toEqual(expect.any(String));
      expect(several).toEqual((targets as readonly string[]).map((target) => refs.get(target)));
    }
  });

  it('a key is carried out once: again, at once, from two clients, and for nothing else', async () => {
    const order = { command: 'cancel-all' };
    const [one, two] = await Promise.all([
      api.command<Accepted>(order, 'key-1'),
      api.command<Accepted>(order, 'key-1'),
    ]);
    const three = await api.command<Accepted>(order, 'key-1');
    expect([two, three]).toEqual([one, one]);
    const rows = (await api.entries(0)).filter(
      ({ entry }) => (entry['data'] as { key?: string } | undefined)?.key === 'key-1',
    );
    expect(rows).toHaveLength(1);
    const other = await api.command<{ error: { code: string } }>({ command: 'pause' }, 'key-1');
    expect([other.status, other.body.error.code]).toEqual([409, 'bridge_key_reused']);
    const limit = { command: 'limits/override', limit: 'risk.maxOpenOrders', value: '150', forMs: 60_000 };
    expect((await api.command(limit, 'key-2')).status).toBe(202);
    expect((await api.command(limit, 'key-2')).status).toBe(202);
    const longer = await api.command<{ error: { code: string } }>({ ...limit, forMs: 61_000 }, 'key-2');
    expect([longer.status, longer.body.error.code]).toEqual([409, 'bridge_key_reused']);
    const back = await api.command<{ confirm: { code: string } }>({ ...limit, value: null });
    expect((await api.command({ ...limit, value: null, code: back.body.confirm.code })).status).toBe(202);
  });

  it('what the state forbids is 409, what names nothing is 404', async () => {
    const codes = await Promise.all(
      [
        { command: 'resume' },
        { command: 'cancel', ref: 'no-such-order' },
        { command: 'pause', strategy: 'nobody' },
        { command: 'cancel' },
      ].map(async (order) => {
        const { status, body } = await api.command<{ error: { code: string } }>(order);
        return [status, body.error.code];
      }),
    );
    expect(codes).toEqual([
      [409, 'remote_nothing'],
      [404, 'remote_ref'],
      [404, 'remote_strategy'],
      [400, 'remote_field'],
    ]);
  });

  it('a limit is loosened in two steps, and taken back in one', async () => {
    const order = { command: 'limits/override', limit: 'risk.maxOpenOrders', value: '300' };
    const first = await api.command<{ confirm: { code: string } }>(order);
    expect(first.status).toBe(409);
    expect((await api.command({ ...order, value: '9999', code: first.body.confirm.code })).status).toBe(409);
    const second = await api.command<{ confirm: { code: string } }>(order);
    expect((await api.command({ ...order, code: second.body.confirm.code })).status).toBe(202);
    const { overrides } = (await current()) as unknown as { overrides: readonly unknown[] };
    expect(overrides).toMatchObject([{ limit: 'risk.maxOpenOrders', value: '300' }]);
    expect((await api.command({ ...order, value: null })).status).toBe(202);
    expect(await current()).toMatchObject({ overrides: [] });
  });

  it('a limit is tightened in one step, and what takes that back loosens it', async () => {
    const order = { command: 'limits/override', limit: 'risk.maxOpenOrders', value: '100', forMs: 60_000 };
    expect((await api.command(order)).status).toBe(202);
    // What was configured counts, not what an override before this one had set.
    expect((await api.command({ ...order, value: '90' })).status).toBe(202);
    const back = await api.command<{ confirm: { code: string; what: string } }>({ ...order, value: null });
    expect(back.status).toBe(409);
    expect(back.body.confirm.what).toMatch(/^set risk\.maxOpenOrders to 200 instead of 90 \(until /);
    expect((await api.command({ ...order, value: null, code: back.body.confirm.code })).status).toBe(202);
  });

  it.each([
    ['limits/override', { limit: 'risk.maxOpenOrders', value: '1.5' }, 400, 'value'],
    ['limits/override', { limit: 'risk.maxMood', value: '1' }, 400, 'limit'],
    ['flatten', { symbol: 'NOPE' }, 404, 'symbol'],
    ['cancel-all', { symbol: 'NOPE' }, 404, 'symbol'],
    ['stop', { symbol: 'BTCUSDT' }, 400, 'symbol'],
    ['stop', { ref: 'one' }, 400, 'ref'],
    ['pause', { symbol: 'BTCUSDT' }, 400, 'symbol'],
    ['kill', { strategy: 'spread-maker' }, 400, 'strategy'],
    ['pause', { reason: '  ' }, 400, 'reason'],
    ['pause', { reason: 'lunch\nerror it is on fire' }, 400, 'reason'],
    ['pause', { reason: '\u001b[2J' }, 400, 'reason'],
    ['pause', { reason: '\u200b\u2060\ufeff' }, 400, 'reason'],
    ['pause', { reason: 'lunch \u202elive' }, 400, 'reason'],
    ['pause', { reason: 'lunch \u2066live' }, 400, 'reason'],
    ['pause', { reason: 'half \ud800' }, 400, 'reason'],
  ] as const)('%s of %o is refused, with its field', async (command, fields, status, field) => {
    const { status: got, body } = await api.command<{ error: { field: string } }>({ command, ...fields });
    expect([got, body.error.field]).toEqual([status, field]);
  });

  it('a cookie is of no use once it was given back', async () => {
    const at = (path: string): string => `${api.url}/api/v1${path}`;
    const login = await fetch(at('/login'), { method: 'POST', headers: { authorization: `Bearer ${api.token}` } });
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const headers = { cookie, origin: api.url };
    expect((await fetch(at('/me'), { headers })).status).toBe(200);
    expect((await fetch(at('/logout'), { method: 'POST', headers })).status).toBe(200);
    expect((await fetch(at('/me'), { headers })).status).toBe(401);
  });

  it('kill acts at once; resume after it needs the code, which a wrong one spends', async () => {
    expect((await api.command({ command: 'kill', reason: 'smoke' })).status).toBe(202);
    const killed = await until('killed', async () => {
      const known = await current();
      return known.openOrders === 0 ? known : undefined;
    });
    expect([killed.state, killed.killed]).toEqual(['killed', 'smoke']);
    const asked = await api.command<{ error: { code: string }; confirm: { code: string; what: string } }>({
      command: 'resume',
    });
    expect([asked.status, asked.body.error.code]).toEqual([409, 'bridge_confirmation_needed']);
    expect(asked.body.confirm.what).toContain('smoke');
    const wrong = asked.body.confirm.code === '000000' ? '111111' : '000000';
    expect((await api.command({ command: 'resume', code: wrong })).status).toBe(409);
    expect((await api.command({ command: 'resume', code: asked.body.confirm.code })).status).toBe(409);
    const again = await api.command<{ confirm: { code: string } }>({ command: 'resume' });
    expect((await api.command({ command: 'resume', code: again.body.confirm.code })).status).toBe(202);
    expect((await current()).state).toBe('running');
  });
});

describe('bridge/session: from a server of another process', () => {
  it('it is shown as its own server shows it, and takes commands', async () => {
    const other = await served({ root: join(folder, 'data/sessions') });
    const { id } = await current();
    const fleet = new Api({ url: other.server.url, token: SECRET });
    const [known] = (await fleet.get<{ sessions: readonly Current[] }>('/sessions')).sessions;
    expect(known).toMatchObject({ id, state: 'running', commandable: true });
    expect(typeof known?.['equity']).toBe('number');
    const { status, body } = await fleet.command<Accepted>(
      { command: 'cancel-all', reason: 'far away' },
      'key-far',
      id,
    );
    expect(status).toBe(202);
    const [row] = await api.entries(body.seq - 1);
    expect(row?.entry['data']).toMatchObject({
      command: 'cancel-all',
      key: 'key-far',
      reason: 'far away',
      who: 'api 127.0.0.1 by api 127.0.0.1',
    });
    const asked = await fleet.command<{ error: { code: string } }>({ command: 'resume' }, 'key-nothing', id);
    expect([asked.status, asked.body.error.code]).toEqual([409, 'remote_nothing']);
    await other.close();
  });
});

describe('bridge/session: mutated requests', () => {
  it('are answered without a 5xx and without a secret, and the session trades on', async () => {
    const { broken, byStatus } = await fuzzBridge(api, 27, 400);
    expect(broken).toEqual([]);
    expect(byStatus[200]).toBeGreaterThan(50);
    expect(byStatus[400]).toBeGreaterThan(50);
    const { strategies } = await current();
    if (strategies[0]?.state === 'paused') await api.command({ command: 'resume' });
    const { seq } = await current();
    await until('an order', async () => (await api.entries(seq)).find(isIntent));
  });
});

describe('bridge/session: it ends', () => {
  it('after kill -9 the next process knows the token, the key and its answer, and what was stopped is paused', async () => {
    const before = await api.command<Accepted>({ command: 'cancel-all', reason: 'once' }, 'key-of-before');
    expect(before.status).toBe(202);
    // An order that is under way when the process dies stays unknown for longer than this test waits.
    const { tag } = (await current()).strategies[0]!;
    expect((await api.command({ command: 'stop', strategy: tag })).status).toBe(202);
    await until('nothing under way', async () => {
      const { openOrders, unresolved, strategies } = await current();
      return openOrders + unresolved === 0 && strategies[0]?.state === 'stopped' ? true : undefined;
    });
    const { token } = api;
    const { id, fills, ...alive } = await current();
    await session.kill('SIGKILL');
    // By the journal alone: what was held is known, and each fill is a point of the curve.
    const { over, curve } = await seenFromOutside(id);
    expect(over).toMatchObject({ state: 'crashed', fills });
    expect(over.endedAt).toBeGreaterThanOrEqual(curve.points.at(-1)!.ts);
    expect(over.equity).toBeCloseTo(Number(alive['equity']) - Number(alive['netPnl']) + over.netPnl, 6);
    expect(Number.isFinite(over.heldDrift)).toBe(true);
    expect(over.spark.length).toBeGreaterThan(1);
    expect(curve.points.length).toBeGreaterThan(1);
    expect(curve.points.at(-1)).toMatchObject({ equity: over.equity, heldDrift: over.heldDrift });
    session = new PaperSession(folder, ['--dashboard', '0']);
    api = new Api(await session.link());
    expect(api.token).toBe(token);
    const again = await until('the session', async () => {
      const answer = await api.command<Accepted>({ command: 'cancel-all', reason: 'once' }, 'key-of-before');
      return answer.status === 202 ? answer : undefined;
    });
    expect(again.body.seq).toBe(before.body.seq);
    expect((await current()).strategies[0]?.state).toBe('paused');
  });

  it('stop ends it in order: followers are told, the address goes', async () => {
    await until('attached', async () => ((await current())['commandable'] === true ? true : undefined));
    const reader = api.stream('?topics=entries');
    await reader.first('snapshot');
    const { path, id } = await current();
    const stopped = await api.command<Accepted>({ command: 'stop', reason: 'home time' });
    expect(stopped.status).toBe(202);
    expect(await session.ended).toBe(0);
    expect(await reader.closed).toBe(1001);
    const kinds = reader.entries.map(({ kind }) => kind);
    expect(kinds.at(-1)).toBe('session');
    expect(() => statSync(join(path, 'dashboard.json'))).toThrow();
    // Of its result.
    const { stats, equity } = JSON.parse(readFileSync(join(path, 'result.json'), 'utf8')) as {
      readonly stats: Readonly<Record<string, number>>;
      readonly equity: readonly (readonly [number, number])[];
    };
    const { over, curve } = await seenFromOutside(id);
    // A human has paused its strategy.
    expect(over.state).toBe('left');
    expect([over.equity, over.netPnl, over.heldDrift]).toEqual([
      equity.at(-1)![1],
      stats['netPnl'],
      stats['heldDrift'],
    ]);
    expect(over.spark.at(-1)).toBe(over.equity);
    ended = id;
    expect(curve.points.at(-1)).toMatchObject({
      ts: equity.at(-1)![0],
      equity: over.equity,
      heldDrift: over.heldDrift,
    });
  });

  it('a strategy that was paused is paused in the next process too, until a human resumes it', async () => {
    session = new PaperSession(folder, ['--dashboard', '0']);
    api = new Api(await session.link());
    const paused = await until('attached', async () => {
      const known = await current();
      return known['commandable'] === true ? known : undefined;
    });
    expect([paused.id, paused.strategies[0]?.state]).toEqual([ended, 'paused']);
    expect((await api.command({ command: 'resume' })).status).toBe(202);
    expect((await current()).strategies[0]?.state).toBe('running');
  });
});

/** By a server that is not of the session. */
async function seenFromOutside(id: string): Promise<{ readonly over: Over; readonly curve: Curve }> {
  const other = await served({ root: join(folder, 'data/sessions') });
  try {
    const by = new Api({ url: other.server.url, token: SECRET });
    const over = await by.get<Over>(`/sessions/${id}`);
    return { over, curve: await by.get<Curve>(`/sessions/${id}/equity`) };
  } finally {
    await other.close();
  }
}
