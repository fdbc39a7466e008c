/** Transfers, transaction history, dictionaries and the referral program over plain http. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from './money-desk.ts';
import { RawSocket } from './raw-client.ts';

const ROUTES = '/api/v1/accounting/client/transfer/account/transfer-routes/list';
const TRANSFER = '/api/v1/accounting/client/transfer/account';
const TRANSACTIONS = '/api/v1/wallet/transactions/list/my';
const LINK = '/api/v2/referral-program/client/link';
const accounts = ['funding', 'unified-trading', 'p2p', 'referral-program', 'overdraft'];

interface TransactionRow {
  readonly transactionId: string;
  readonly type: string;
  readonly createdAt: number;
}

interface TransactionPage {
  readonly items: readonly TransactionRow[];
  readonly nextCursor: string | null;
}

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(31);
});
afterAll(() => desk.stop());

function transactions(query: string): Promise<TransactionPage> {
  return desk.good(desk.alice, 'GET', `${TRANSACTIONS}?${query}`);
}

describe('transfers', () => {
  it('lists the routes, and exactly what has a route is transferred', async () => {
    const routes = await desk.good<{ from: string; to: string; currencies: string[] | null }[]>(
      desk.alice,
      'GET',
      ROUTES,
    );
    expect(routes).toContainEqual({ from: 'funding', to: 'unified-trading', currencies: null });
    for (const from of accounts) {
      for (const to of accounts) {
        const reply = await desk.request(desk.alice, 'POST', TRANSFER, { from, to, currency: 'RUB', amount: '0.01' });
        const route = routes.find((each) => each.from === from && each.to === to);
        const served = route !== undefined && (route.currencies === null || route.currencies.includes('RUB'));
        if (!served) expect([reply.status, reply.json]).toMatchObject([422, { code: 'route_not_available' }]);
        // Nothing was ever earned on the referral account.
        else if (from === 'referral-program') expect(reply.json).toMatchObject({ code: 'insufficient_balance' });
        else expect([from, to, reply.status]).toEqual([from, to, 200]);
      }
    }
  });

  it('moves exactly the amount and answers the shape of the profile', async () => {
    const from = await desk.balance(desk.alice, 'funding', 'USDT');
    const to = await desk.balance(desk.alice, 'unified-trading', 'USDT');
    const body = { from: 'funding', to: 'unified-trading', currency: 'USDT', amount: '12.50' };
    expect(await desk.good(desk.alice, 'POST', TRANSFER, body)).toEqual({
      ...body,
      amount: '12.5',
      transferId: expect.any(String),
      createdAt: expect.any(Number),
    });
    expect(await desk.balance(desk.alice, 'funding', 'USDT')).toEqual({ ...from, available: from.available - 12.5 });
    expect(await desk.balance(desk.alice, 'unified-trading', 'USDT')).toEqual({
      ...to,
      available: to.available + 12.5,
    });
  });

  it('refuses what the balance does not cover, zero, and malformed fields', async () => {
    const body = { from: 'funding', to: 'p2p', currency: 'BTC', amount: '1' };
    const cases: readonly [number, string, object][] = [
      [422, 'insufficient_balance', { amount: '10.00000001' }],
      [422, 'below_minimum', { amount: '0' }],
      [422, 'route_not_available', { to: 'funding' }],
      [400, 'bad_request', { amount: '-1' }],
      [400, 'bad_request', { amount: '1e3' }],
      [400, 'bad_request', { currency: 'DOGE' }],
      [400, 'bad_request', { from: 'savings' }],
      [400, 'bad_request', { to: null }],
    ];
    for (const [status, code, change] of cases) {
      await desk.refused(status, code, desk.alice, 'POST', TRANSFER, { ...body, ...change });
    }
    expect(await desk.balance(desk.alice, 'funding', 'BTC')).toEqual({ available: 10, locked: 0 });
  });

  it('asks for the transfer permission at the right level', async () => {
    const reader = await desk.key(0, { transfer: 'read_only', trading_spot: 'full' });
    const trader = await desk.key(0, { trading_spot: 'full' });
    const body = { from: 'funding', to: 'p2p', currency: 'BTC', amount: '1' };
    expect((await desk.request(reader, 'GET', ROUTES)).status).toBe(200);
    for (const reply of [
      await desk.request(reader, 'POST', TRANSFER, body),
      await desk.request(trader, 'POST', TRANSFER, body),
      await desk.request(trader, 'GET', ROUTES),
    ]) {
      expect([reply.status, reply.text]).toEqual([401, 'insufficient permissions for this route']);
    }
    expect((await desk.request(trader, 'GET', TRANSACTIONS)).status).toBe(200);
  });
});

describe('events', () => {
  it('tell both sides of a transfer, as REST does', async () => {
    const socket = await RawSocket.open(desk.running.wsUrl);
    expect(await socket.login(desk.bob)).toMatchObject({ success: true });
    await socket.subscribe(1, ['CLNTF@my-balances', 'HLORD@my-balances']);
    await socket.onChannel('CLNTF@my-balances');
    await socket.onChannel('HLORD@my-balances');
    const body = { from: 'funding', to: 'unified-trading', currency: 'USDT', amount: '3' };
    await desk.good(desk.bob, 'POST', TRANSFER, body);
    const rows = await desk.good<{ account: string; currency: string }[]>(
      desk.bob,
      'GET',
      '/api/v1/accounting/client/report-account/accounts/overview',
    );
    const ofRest = (account: string): object | undefined =>
      rows.find((row) => row.account === account && row.currency === 'USDT');
    const { data } = await socket.onChannel('CLNTF@my-balances');
    expect(data).toEqual([ofRest('funding'), ofRest('unified-trading')]);
    expect((await socket.onChannel('HLORD@my-balances'))['data']).toEqual([ofRest('unified-trading')]);
    socket.close();
  });
});

describe('transactions', () => {
  it('are filtered by type, status and time, newest first', async () => {
    await desk.mint('alice', 'funding', 'ETH', '1.5');
    const { items } = await transactions('type=deposit');
    expect(items[0]).toEqual({
      transactionId: expect.any(String),
      type: 'deposit',
      status: 'completed',
      currency: 'ETH',
      amount: '1.5',
      fee: '0',
      account: 'funding',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    const all = await transactions('limit=1000');
    expect(new Set(all.items.map((row) => row.type))).toEqual(new Set(['transfer', 'deposit']));
    expect(all.items.map((row) => row.createdAt)).toEqual(
      all.items.map((row) => row.createdAt).toSorted((a, b) => b - a),
    );
    expect((await transactions('status=processing')).items).toEqual([]);
    const at = items[0]!.createdAt;
    expect((await transactions(`from=${at}&to=${at}`)).items).toContainEqual(items[0]);
    expect((await transactions(`from=${at + 1_000_000}`)).items).toEqual([]);
    expect((await transactions(`to=${at - 1_000_000}`)).items).toEqual([]);
    const ofBob = await desk.good<TransactionPage>(desk.bob, 'GET', `${TRANSACTIONS}?type=deposit`);
    expect(ofBob.items).toEqual([]);
  });

  it('page to their end without loss or repetition', async () => {
    const whole = await transactions('limit=1000');
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: TransactionPage = await transactions(`limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.items.map((row) => row.transactionId));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(whole.items.map((row) => row.transactionId));
    expect(seen.length).toBeGreaterThan(6);
  });

  it('refuse filters that do not exist', async () => {
    for (const query of ['type=gift', 'status=done', 'from=yesterday', 'limit=0', 'cursor=x']) {
      await desk.refused(400, 'bad_request', desk.alice, 'GET', `${TRANSACTIONS}?${query}`);
    }
  });
});

describe('dictionaries', () => {
  it('list assets and networks, for the dictionary permission', async () => {
    const assets = await desk.good(desk.alice, 'GET', '/api/v2/exchange/client/asset/list');
    expect(assets).toContainEqual({ currency: 'USDT', title: expect.any(String), isCoin: true, precision: 4 });
    expect(assets).toContainEqual({ currency: 'RUB', title: expect.any(String), isCoin: false, precision: 2 });
    const path = '/api/v1/currency-network/list';
    const { items } = await desk.good<{ items: object[] }>(desk.alice, 'GET', path);
    expect(items).toContainEqual({ network: 'TRC20', title: expect.any(String) });
    expect((await desk.good<{ items: object[] }>(desk.alice, 'GET', `${path}?limit=1`)).items).toEqual([items[0]]);
    await desk.refused(400, 'bad_request', desk.alice, 'GET', `${path}?limit=none`);
    const other = await desk.key(0, { trading_spot: 'full' });
    expect((await desk.request(other, 'GET', path)).text).toBe('insufficient permissions for this route');
  });
});

describe('the referral program', () => {
  it('has a link per user and pays a tenth of the fees of invited users', async () => {
    const link = await desk.good<{ linkId: string }>(desk.alice, 'GET', LINK);
    expect(link).toEqual({ linkId: expect.any(String), url: expect.stringContaining(link.linkId) });
    const path = `/api/v2/referral-program/client/reward/${link.linkId}`;
    expect(await desk.good(desk.alice, 'GET', path)).toEqual({ linkId: link.linkId, rewards: [] });
    const order = { symbol: 'BTCUSDT', type: 'limit', price: '50000', quantity: '0.1' };
    const create = '/api/v2/exchange/client/order/spot';
    await desk.good(desk.alice, 'POST', create, { ...order, side: 'buy' });
    await desk.good(desk.bob, 'POST', create, { ...order, side: 'sell' });
    // Bob takes: 5 bp of 5,000 USDT is 2.5, and a tenth of it is Alice's.
    expect(await desk.good(desk.alice, 'GET', path)).toEqual({
      linkId: link.linkId,
      rewards: [{ currency: 'USDT', amount: '0.25' }],
    });
    expect((await transactions('type=referral')).items).toMatchObject([
      { amount: '0.25', account: 'referral-program' },
    ]);
    expect((await transactions('type=trade_fee')).items).toMatchObject([{ amount: '0.00002', currency: 'BTC' }]);
    await desk.good(desk.alice, 'POST', TRANSFER, {
      from: 'referral-program',
      to: 'funding',
      currency: 'USDT',
      amount: '0.25',
    });
    expect(await desk.good(desk.alice, 'GET', path)).toMatchObject({ rewards: [] });
    await desk.refused(422, 'not_owner', desk.bob, 'GET', path);
    await desk.refused(404, 'not_found', desk.bob, 'GET', '/api/v2/referral-program/client/reward/none');
  });
});
