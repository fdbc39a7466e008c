import { describe, expect, it } from 'vitest';
import { createChannelTable, channelRows } from '../../../src/exchange/interface/channels.ts';
import { createEndpointTable, pathOf } from '../../../src/exchange/interface/endpoints.ts';
import {
  businessRefusals,
  findKeyRefusal,
  keyRefusals,
  loginRefusals,
} from '../../../src/exchange/interface/refusals.ts';
import { levelCovers } from '../../../src/exchange/interface/permissions.ts';
import { schemaRows } from '../../../src/exchange/wire/schema-table.ts';

/** Copied from the interface document, section "Endpoints", independently of the table. */
const documented = `
POST /api/v1/identity/client/api-key/create
GET /api/v1/auth/me
GET /api/v2/exchange/public/asset/instrument/spot/list
GET /api/v2/exchange/public/ticker
GET /api/v2/exchange/public/orderbook
GET /api/v2/exchange/public/candle
POST /api/v2/exchange/client/order/spot
GET /api/v2/exchange/client/trade/spot/list/my
POST /api/v2/exchange/client/order/derivative
GET /api/v2/exchange/client/positions/history/closed/positions
GET /api/v2/exchange/client/positions/history/closed/orders
GET /api/v1/accounting/client/report-account/accounts/overview
GET /api/v1/wallet/transactions/list/my
GET /api/v2/exchange/client/fee/personal
GET /api/v2/referral-program/client/link
GET /api/v2/referral-program/client/reward/{linkId}
GET /api/v1/accounting/client/transfer/account/transfer-routes/list
POST /api/v1/accounting/client/transfer/account
POST /api/v1/processing/fiat-application
PATCH /api/v1/processing/fiat-application
POST /api/v1/processing/create-and-submit-fiat-application
DELETE /api/v1/processing/fiat-application
GET /api/v1/wallet/crypto/address
POST /api/v1/wallet/get-new-crypto-address
GET /api/v2/withdrawals/currencies
POST /api/v1/wallet/create-and-submit-crypto-out
DELETE /api/v1/wallet/create-crypto-out/{transactionId}
GET /api/v1/currency-network/list
GET /api/v2/exchange/client/asset/list
POST /api/v1/code/create-api
POST /api/v1/code/redeem
GET /api/v1/code/my
POST /api/v1/code/full
GET /api/v2/credit/client/overdraft/me
GET /api/v2/credit/client/overdraft/loan
GET /api/v2/credit/client/overdraft/credit-fee
GET /api/v2/credit/client/overdraft/documents
POST /api/v2/credit/client/overdraft/pay
POST /api/v1/p2p/client/trade/confirm
POST /api/v1/p2p/client/trade/dispute
`
  .trim()
  .split('\n');

/** The assumed operations of the wire profile. */
const assumed = `
POST /api/v1/auth/login
GET /api/v1/identity/client/api-key/list
DELETE /api/v1/identity/client/api-key/{publicKey}
GET /api/v2/exchange/public/time
GET /api/v2/exchange/public/asset/instrument/derivative/list
GET /api/v2/exchange/public/derivative/risk-tiers
GET /api/v2/exchange/public/derivative/funding-rate
GET /api/v2/exchange/public/derivative/mark-price
GET /api/v2/exchange/client/order/active
GET /api/v2/exchange/client/order/history
GET /api/v2/exchange/client/order/{orderId}
DELETE /api/v2/exchange/client/order/{orderId}
POST /api/v2/exchange/client/order/cancel-many
GET /api/v2/exchange/client/trade/derivative/list/my
GET /api/v2/exchange/client/positions/list
POST /api/v2/exchange/client/positions/close
POST /api/v2/exchange/client/positions/leverage
POST /api/v2/exchange/client/positions/margin-type
POST /api/v2/exchange/client/positions/mode
GET /api/v1/p2p/client/advertisement/list
GET /api/v1/p2p/client/advertisement/my
GET /api/v1/p2p/client/advertisement/{id}
POST /api/v1/p2p/client/advertisement
PATCH /api/v1/p2p/client/advertisement/{id}
POST /api/v1/p2p/client/advertisement/{id}/activate
POST /api/v1/p2p/client/advertisement/{id}/deactivate
DELETE /api/v1/p2p/client/advertisement/{id}
POST /api/v1/p2p/client/trade
GET /api/v1/p2p/client/trade/list/my
GET /api/v1/p2p/client/trade/{id}
POST /api/v1/p2p/client/trade/start
POST /api/v1/p2p/client/trade/pay
POST /api/v1/p2p/client/trade/cancel
GET /api/v1/p2p/client/market/list
GET /api/v1/p2p/client/profile
GET /api/v1/p2p/client/payment-method/list
`
  .trim()
  .split('\n');

describe('the endpoint table', () => {
  const table = createEndpointTable();
  const byProvenance = (provenance: string): string[] =>
    table.rows.filter((row) => row.provenance === provenance).map((row) => `${row.method} ${row.path}`);

  it('has exactly the documented operations as documented rows', () => {
    expect(byProvenance('documented').toSorted()).toEqual(documented.toSorted());
  });

  it('has exactly the assumed operations as assumed rows', () => {
    expect(byProvenance('assumed').toSorted()).toEqual(assumed.toSorted());
  });

  it('gives each row a name of its own', () => {
    expect(new Set(table.rows.map((row) => row.name)).size).toBe(table.rows.length);
  });

  it('routes every row to itself, literal segments before parameters', () => {
    for (const row of table.rows) {
      const path = row.path.replace(/\{\w+\}/g, 'value-1');
      expect(table.match(row.method, path)?.endpoint.name, row.name).toBe(row.name);
    }
    expect(table.match('GET', '/api/v2/exchange/client/order/active')?.endpoint.name).toBe('activeOrders');
    expect(table.match('GET', '/api/v2/exchange/client/order/77')).toMatchObject({ params: { orderId: '77' } });
    expect(table.match('PUT', '/api/v2/exchange/client/order/77')).toBeUndefined();
    expect(table.match('GET', '/api/v2/exchange/client/order/%zz')).toBeUndefined();
    expect(table.match('GET', '/api/v2/exchange/client/order/')).toBeUndefined();
  });

  it('marks every operation that is not a GET as mutating, reading a code aside', () => {
    const odd = table.rows.filter((row) => (row.method === 'GET') !== (row.effect === 'read')).map((row) => row.name);
    expect(odd).toEqual(['codeDetail']);
  });

  it('needs `full` for what changes and `read_only` for what reads', () => {
    for (const { access, effect, name } of table.rows) {
      if (access.kind !== 'permission') continue;
      expect(access.level, name).toBe(effect === 'read' ? 'read_only' : 'full');
    }
    expect(levelCovers('full', 'read_only')).toBe(true);
    expect(levelCovers('read_only', 'full')).toBe(false);
  });

  it('overrides assumed rows and refuses documented and unknown ones', () => {
    const moved = createEndpointTable({ time: { path: '/api/v3/clock' } });
    expect(moved.match('GET', '/api/v3/clock')?.endpoint.name).toBe('time');
    expect(moved.match('GET', '/api/v2/exchange/public/time')).toBeUndefined();
    expect(() => createEndpointTable({ ticker: { path: '/x' } })).toThrow(/documented/);
    expect(() => createEndpointTable({ tikcer: { path: '/x' } })).toThrow(/no endpoint/);
  });

  it('fills path parameters percent-encoded and refuses missing and dotted ones', () => {
    const row = table.get('order');
    expect(pathOf(row, { orderId: 'a/b c' })).toBe('/api/v2/exchange/client/order/a%2Fb%20c');
    expect(() => pathOf(row)).toThrow(/orderId/);
    expect(() => pathOf(row, { orderId: '..' })).toThrow(/orderId/);
  });
});

describe('the channel table', () => {
  const table = createChannelTable();

  it('has the ten documented channels and the assumed one', () => {
    const templates = channelRows.filter((row) => row.provenance === 'documented').map((row) => row.template);
    expect(templates.toSorted()).toEqual(
      [
        '<SYMBOL>@depth',
        '<SYMBOL>@trades',
        '<SYMBOL>.1m@candles',
        '<SYMBOL>@ticker',
        'CLNTF@my-balances',
        'HLORD@my-balances',
        '<SYMBOL>@order-info',
        '<SYMBOL>@order-history',
        '<SYMBOL>@my-trades',
        'position-info',
      ].toSorted(),
    );
    expect(channelRows.filter((row) => row.provenance === 'assumed').map((row) => row.kind)).toEqual(['volumeRatio']);
  });

  it('builds and parses every name', () => {
    for (const row of table.rows) {
      const symbol = row.template.includes('<SYMBOL>') ? 'BTCUSDTPERP' : undefined;
      const name = table.name(row.kind, symbol);
      expect(table.parse(name)).toMatchObject({ kind: row.kind, symbol: symbol ?? null });
    }
  });

  it('parses nothing else', () => {
    for (const name of [
      '',
      '@depth',
      'btcusdt@depth',
      'BTCUSDT@depths',
      'BTC-USDT@depth',
      'BTCUSDT.5m@candles',
      'constructor',
    ]) {
      expect(table.parse(name), name).toBeUndefined();
    }
    expect(() => table.name('depth')).toThrow(/symbol missing/);
    expect(() => table.name('positions', 'BTCUSDT')).toThrow(/not expected/);
  });

  it('overrides the assumed channel alone', () => {
    expect(createChannelTable({ volumeRatio: 'RATIO' }).parse('RATIO')?.kind).toBe('volumeRatio');
    expect(() => createChannelTable({ depth: 'x' })).toThrow(/documented/);
    expect(() => createChannelTable({ dept: 'x' })).toThrow(/no channel/);
  });
});

describe('the refusal tables', () => {
  it('has the eleven documented texts in the order in which they are tried', () => {
    expect(keyRefusals.map((row) => row.text)).toEqual([
      'missing X-API-Timestamp or X-API-Signature',
      'invalid API key format',
      'invalid timestamp format',
      'api key not found',
      'api key is not active',
      'api key expired',
      'timestamp expired',
      'ip address not in whitelist',
      'invalid signature',
      'route not allowed for API key access',
      'insufficient permissions for this route',
    ]);
  });

  it('has the five login codes', () => {
    expect(loginRefusals.toSorted()).toEqual([
      'invalid_key_format',
      'invalid_signature',
      'key_expired',
      'key_not_found',
      'timestamp_out_of_range',
    ]);
  });

  it('has each business code once, with a status that can carry it', () => {
    expect(new Set(businessRefusals.map((row) => row.code)).size).toBe(businessRefusals.length);
    for (const row of businessRefusals) expect([400, 404, 409, 422]).toContain(row.status);
  });

  it('finds a text exactly', () => {
    expect(findKeyRefusal('invalid signature\n')?.code).toBe('invalid_signature');
    expect(findKeyRefusal('Invalid signature')).toBeUndefined();
  });
});

describe('the schema table', () => {
  it('names each endpoint at most once and has a schema for every channel with a payload', () => {
    const names = schemaRows.flatMap((row) => row.endpoints);
    expect(new Set(names).size).toBe(names.length);
    const kinds = schemaRows.flatMap((row) => row.channels);
    const described = channelRows.map((row) => row.kind).filter((kind) => kind !== 'volumeRatio');
    expect(kinds.toSorted()).toEqual(described.toSorted());
  });

  it('reads nothing out of nothing', () => {
    for (const row of schemaRows) expect(row.schema.safeParse({}).success, row.resource).toBe(false);
  });
});
