/** Every read of the operations table by the API, against a real exchange on a socket: answers as they are stated, and no secret. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readsThrough } from '../../../src/bridge/operations-table/exchange-port.ts';
import { localExchange, type LocalExchange } from '../../../src/bridge/operations-table/local-exchange.ts';
import { operations } from '../../../src/bridge/operations-table/table.ts';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import type { PageRead } from '../../../src/exchange/client/page-read.ts';
import { exchangeOptions } from '../../../src/exchange/options.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { systemClock } from '../../../src/session/clock/system-clock.ts';
import { ask, bearer, SECRET, served, type Served } from '../served.ts';
import { tradedDesk, type TradedDesk } from './traded-desk.ts';

const READ_TOKEN = createHmac('sha256', SECRET).update('tidewire read').digest('hex');

let traded: TradedDesk;
let exchange: LocalExchange;
let keyless: LocalExchange;
let bridge: Served;
let withoutKey: Served;

function local(options: object = {}, isKeyless = false): LocalExchange {
  const { running, alice } = traded.desk;
  const { restUrl, wsUrl } = running;
  const budget = { requestsPerSecond: 1000, ordersPerSecond: 1000 };
  return localExchange({
    exchange: exchangeOptions.parse({ baseUrl: restUrl, gatewayUrl: restUrl, wsUrl, budget, ...options }),
    credentials: isKeyless ? null : createCredentials(alice.publicKey, alice.secretKey),
    clock: systemClock,
    logger: silentLogger,
  });
}

beforeAll(async () => {
  traded = await tradedDesk(71);
  exchange = local();
  keyless = local({}, true);
  bridge = await served({ exchange: exchange.port });
  withoutKey = await served({ exchange: keyless.port });
});
afterAll(async () => {
  for (const server of [bridge, withoutKey]) await server.close();
  for (const each of [exchange, keyless]) await each.close();
  await traded.desk.stop();
});

const reads = operations.flatMap((row) => (row.call.kind === 'read' ? [{ ...row, call: row.call }] : []));

/** What each row needs; nothing where it needs nothing. */
function queryOf(name: string): Readonly<Record<string, string>> {
  const rows: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'market.book': { symbol: 'BTCUSDT' },
    'market.candles': { symbol: 'BTCUSDT', interval: '1m' },
    'futures.tiers': { symbol: 'BTCUSDTPERP' },
    'futures.funding': { symbol: 'BTCUSDTPERP' },
    'futures.mark': { symbol: 'BTCUSDTPERP' },
    'orders.find': { orderId: traded.orderId },
    'wallet.addresses': { currency: 'USDT', network: 'TRC20' },
    'overdraft.fee': { amount: '1000' },
    'p2p.ad': { advertisementId: traded.advertisementId },
    'p2p.trade': { tradeId: traded.tradeId },
  };
  return rows[name] ?? {};
}

function addressOf(name: string, query: Readonly<Record<string, string>> = queryOf(name)): string {
  return `/api/v1/operations/${name.replace('.', '/')}?${String(new URLSearchParams(query))}`;
}

interface Reply {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>> & {
    readonly error?: { readonly code: string; readonly field?: string };
  };
  readonly text: string;
}

async function get(server: Served, address: string, token = SECRET): Promise<Reply> {
  const { status, text } = await ask(server.server.port, address, { headers: bearer(token) });
  return { status, text, json: JSON.parse(text) as Reply['json'] };
}

/** Lists of what nobody has on this exchange. */
const MAY_BE_EMPTY = new Set(['fiat.list', 'wallet.history', 'market.candles', 'spot.order-history']);

describe('bridge/operations/reads', () => {
  it.each(reads.map((row) => [row.name, row] as const))('%s answers all that the exchange said', async (name, row) => {
    const { status, json, text } = await get(bridge, addressOf(name));
    expect([name, status, status === 200 ? '' : text]).toEqual([name, 200, '']);
    const items = json['items'];
    if (Array.isArray(items) && !MAY_BE_EMPTY.has(name)) expect(items.length).toBeGreaterThan(0);
    // The stated output drops nothing of what was read.
    const again = await row.call.run(readsThrough(exchange.port, systemClock), row.params.parse(queryOf(name)));
    expect(shapeOf(json)).toEqual(shapeOf(JSON.parse(JSON.stringify(again))));
  });

  it('shows neither a key, a secret, the text of a code nor the token', async () => {
    const { alice } = traded.desk;
    const texts = await Promise.all(reads.map(async ({ name }) => (await get(bridge, addressOf(name))).text));
    for (const secret of [alice.secretKey, alice.publicKey, traded.code, SECRET])
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  });

  it('lists every operation, with the address of those that it has', async () => {
    const { json } = await get(bridge, '/api/v1/operations', READ_TOKEN);
    const rows = json['operations'] as readonly {
      name: string;
      api: { method: string; path: string } | null;
      surface: string[];
    }[];
    expect(rows.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
    const onApi = rows.filter(({ api }) => api?.method === 'GET').map(({ name }) => name);
    expect(onApi).toEqual(reads.map(({ name }) => name));
    const alone = { api: null, surface: ['cli'], terminalOnly: 'no withdrawal by the API, ever' };
    expect(rows.find(({ name }) => name === 'wallet.withdraw')).toMatchObject(alone);
  });

  it('lets the role `read` read, and nobody without a token', async () => {
    expect((await get(bridge, addressOf('account.overview'), READ_TOKEN)).status).toBe(200);
    expect((await ask(bridge.server.port, addressOf('account.overview'))).status).toBe(401);
    expect((await get(bridge, addressOf('account.overview'), 'x'.repeat(43))).status).toBe(401);
  });

  it('answers public ones without a key, and the others with 409 that says where the key would be', async () => {
    for (const name of ['market.ticker', 'spot.instruments', 'futures.mark', 'market.book'])
      expect([name, (await get(withoutKey, addressOf(name))).status]).toEqual([name, 200]);
    for (const name of ['account.overview', 'spot.orders', 'p2p.trades', 'codes.my']) {
      const { status, json } = await get(withoutKey, addressOf(name));
      expect([name, status, json.error?.code]).toEqual([name, 409, 'operation_no_key']);
      expect(json.error).toHaveProperty('hint');
    }
  });

  it('has no way to what changes something, with either method', async () => {
    for (const { name } of operations.filter(({ surface }) => !surface.includes('api'))) {
      for (const asking of [{}, { method: 'POST', body: JSON.stringify({ reason: 'a test' }) }]) {
        const answer = await ask(bridge.server.port, addressOf(name, {}), { ...asking, headers: bearer() });
        expect([name, asking, answer.status]).toEqual([name, asking, 404]);
      }
    }
    const transfer = { from: 'funding', to: 'p2p', currency: 'USDT', amount: '1', reason: 'a test' };
    const asking = { method: 'POST', headers: bearer(), body: JSON.stringify(transfer) };
    const moved = await ask(bridge.server.port, addressOf('transfer.make'), asking);
    // The server of no session moves nothing.
    expect([moved.status, moved.text]).toEqual([409, expect.stringContaining('bridge_not_commandable')]);
    const posted = await ask(bridge.server.port, addressOf('market.time'), {
      method: 'POST',
      headers: bearer(),
      body: '{}',
    });
    expect(posted.status).toBe(405);
  });

  it('takes eight at a time and no more, and takes others after them', async () => {
    const held = Promise.withResolvers<void>();
    let waiting = 0;
    const read = async (): Promise<PageRead> => {
      waiting += 1;
      await held.promise;
      return { kind: 'ok', json: [] };
    };
    const server = await served({ exchange: { ownTradeSide: 'own', read } });
    const eight = Array.from({ length: 8 }, () => get(server, addressOf('market.ticker')));
    await expect.poll(() => waiting).toBe(8);
    const more = await ask(server.server.port, addressOf('market.ticker'), { headers: bearer() });
    expect([more.status, more.headers['retry-after']]).toEqual([429, '1']);
    held.resolve();
    expect((await Promise.all(eight)).map(({ status }) => status)).toEqual(eight.map(() => 200));
    expect((await get(server, addressOf('market.ticker'))).status).toBe(200);
    await server.close();
  });

  it('says of an exchange that cannot be reached that it cannot', async () => {
    const gone = local({ baseUrl: 'http://127.0.0.1:9', gatewayUrl: 'http://127.0.0.1:9' });
    const server = await served({ exchange: gone.port });
    const { status, json } = await get(server, addressOf('market.time'));
    expect([status, json.error?.code]).toEqual([503, 'exchange_unreachable']);
    await server.close();
    await gone.close();
  });
});

/** Hostile or mistyped, and the field that is named. */
const REFUSED: readonly (readonly [name: string, query: Readonly<Record<string, string>>, field: string])[] = [
  ['market.book', {}, 'symbol'],
  ['market.book', { symbol: '' }, 'symbol'],
  ['market.book', { symbol: '../../etc/passwd' }, 'symbol'],
  ['market.book', { symbol: 'BTC USDT' }, 'symbol'],
  ['market.book', { symbol: '<script>alert(1)</script>' }, 'symbol'],
  ['market.book', { symbol: 'A'.repeat(10_000) }, 'symbol'],
  ['market.book', { symbol: 'BTCUSDT\r\nX-API-Key: 1' }, 'symbol'],
  ['market.book', { symbol: 'NOSUCHPAIR' }, 'symbol'],
  ['market.book', { symbol: 'BTCUSDT', limit: '0' }, 'limit'],
  ['market.book', { symbol: 'BTCUSDT', limit: '1e9' }, 'limit'],
  ['market.book', { symbol: 'BTCUSDT', limit: 'NaN' }, 'limit'],
  ['market.candles', { symbol: 'BTCUSDT', interval: '7m' }, 'interval'],
  ['market.candles', { symbol: 'BTCUSDT', from: '-1' }, 'from'],
  ['market.candles', { symbol: 'BTCUSDT', to: '9e99' }, 'to'],
  ['market.ticker', { symbol: 'BTCUSDT&side=buy' }, 'symbol'],
  ['market.ticker', { __proto__x: '1', constructor: 'y' }, '__proto__x'],
  ['account.transactions', { type: "withdrawal' OR 1=1" }, 'type'],
  ['account.transactions', { cursor: 'x'.repeat(600) }, 'cursor'],
  ['account.overview', { account: 'everybody' }, 'account'],
  ['orders.find', { orderId: '..' }, 'orderId'],
  ['orders.find', { orderId: '%2e%2e/%2e%2e' }, 'orderId'],
  ['p2p.ad', { advertisementId: 'a/b?c=d' }, 'advertisementId'],
  ['overdraft.fee', { amount: '-1' }, 'amount'],
  ['overdraft.fee', { amount: '1e5' }, 'amount'],
  ['codes.my', { activated: 'maybe' }, 'activated'],
];

describe('bridge/operations/bad-input', () => {
  it.each(REFUSED)('%s with %o is 400 and names %s', async (name, query, field) => {
    const { status, json, text } = await get(bridge, addressOf(name, query));
    expect([status, json.error?.field, text.length < 2_000]).toEqual([400, field, true]);
  });

  it('is 404 where the exchange has no such thing', async () => {
    expect((await get(bridge, addressOf('orders.find', { orderId: '999999' }))).status).toBe(404);
    expect(
      (await get(bridge, addressOf('wallet.addresses', { currency: 'BTC', network: 'TRC20' }))).status,
    ).toBeGreaterThanOrEqual(400);
  });
});

/** Names of fields at every depth, of one row of each list: values move on between two requests. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}
