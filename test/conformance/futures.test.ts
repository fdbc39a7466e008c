/** Futures over plain HTTP and WebSocket, written from wire-profile.md alone. Bob's spot quotes set the mark. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from './money-desk.ts';
import { RawSocket, hmac, send, type KeyPair } from './raw-client.ts';
import { witness } from './sightings.ts';

const ORDER = '/api/v2/exchange/client/order/derivative';
const SPOT = '/api/v2/exchange/client/order/spot';
const ORDERS = '/api/v2/exchange/client/order';
const POSITIONS = '/api/v2/exchange/client/positions';
const TRADES = '/api/v2/exchange/client/trade/derivative/list/my';
const PUBLIC = '/api/v2/exchange/public/derivative';
const BALANCES = '/api/v1/accounting/client/report-account/accounts/overview';
const TRANSACTIONS = '/api/v1/wallet/transactions/list/my';
const PERP = 'BTCUSDTPERP';
const HOUR = 3_600_000;

type Json = Record<string, unknown>;
interface Page {
  readonly items: Json[];
  readonly nextCursor: string | null;
}

let desk: Desk;
let alice: KeyPair;
let bob: KeyPair;

beforeAll(async () => {
  desk = await openDesk(91);
  ({ alice, bob } = desk);
});
afterAll(() => desk.stop());

/** Nothing stands, leverage 10, cross, one-way. */
beforeEach(async () => {
  for (const key of [alice, bob]) {
    await desk.good(key, 'POST', `${ORDERS}/cancel-many`, {});
    for (const position of await positions(key)) await flatten(key, position);
    await desk.good(key, 'POST', `${ORDERS}/cancel-many`, {});
    await desk.good(key, 'POST', `${POSITIONS}/mode`, { mode: 'one-way' });
    await desk.good(key, 'POST', `${POSITIONS}/margin-type`, { symbol: PERP, marginType: 'cross' });
    await desk.good(key, 'POST', `${POSITIONS}/leverage`, { symbol: PERP, leverage: 10 });
  }
  await mark(20_000);
});

function positions(key: KeyPair): Promise<Json[]> {
  return desk.good<Json[]>(key, 'GET', `${POSITIONS}/list`);
}

/** The other user takes it over at the entry price. */
async function flatten(key: KeyPair, { positionSide, quantity, entryPrice }: Json): Promise<void> {
  const other = key === alice ? bob : alice;
  const isLong = positionSide === 'both' ? Number(quantity) > 0 : positionSide === 'long';
  const hedge = positionSide !== 'both';
  const size = String(quantity).replace('-', '');
  const price = String(Math.round(Number(entryPrice)));
  const order = { symbol: PERP, type: 'limit', price, quantity: size };
  const [mine, theirs] = isLong ? ['sell', 'buy'] : ['buy', 'sell'];
  await desk.good(other, 'POST', ORDER, { ...order, side: theirs });
  await desk.good(key, 'POST', ORDER, { ...order, side: mine, ...(hedge ? { positionSide } : {}) });
}

/** Moves the mid of the spot book. */
async function mark(price: number): Promise<void> {
  await desk.good(bob, 'POST', `${ORDERS}/cancel-many`, { symbol: 'BTCUSDT' });
  const quote = { symbol: 'BTCUSDT', type: 'limit', quantity: '0.01' };
  await desk.good(bob, 'POST', SPOT, { ...quote, side: 'buy', price: String(price - 1) });
  await desk.good(bob, 'POST', SPOT, { ...quote, side: 'sell', price: String(price + 1) });
}

function order(key: KeyPair, change: Json): Promise<Json> {
  return desk.good(key, 'POST', ORDER, { symbol: PERP, side: 'buy', type: 'limit', quantity: '1', ...change });
}

/** Alice trades with Bob at a price. */
async function trade(side: 'buy' | 'sell', price: number, quantity: string, change: Json = {}): Promise<Json> {
  await order(bob, { side: side === 'buy' ? 'sell' : 'buy', price: String(price), quantity });
  const filled = await order(alice, { side, type: 'market', quantity, ...change });
  expect(filled).toMatchObject({ status: 'filled', averagePrice: String(price) });
  return filled;
}

async function read(path: string): Promise<Json> {
  const reply = await send(desk.running.restUrl, 'GET', path, {});
  expect(reply.status).toBe(200);
  return reply.json as Json;
}

async function usdt(key: KeyPair): Promise<Json> {
  const rows = await desk.good<Json[]>(key, 'GET', BALANCES);
  return rows.find((row) => row['account'] === 'unified-trading' && row['currency'] === 'USDT') ?? {};
}

describe('orders', () => {
  it('answers the whole order, and it is active, then history, like a spot order', async () => {
    const placed = await order(alice, { price: '19000.5', quantity: 0.5, clientOrderId: 'f-1' });
    expect(placed).toEqual({
      orderId: expect.any(String),
      clientOrderId: 'f-1',
      market: 'derivative',
      symbol: PERP,
      side: 'buy',
      type: 'limit',
      timeInForce: 'gtc',
      price: '19000.5',
      quantity: '0.5',
      filledQuantity: '0',
      averagePrice: null,
      status: 'new',
      positionSide: 'both',
      reduceOnly: false,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    expect(await usdt(alice)).toMatchObject({ locked: '950.025' });
    const one = `${ORDERS}/${String(placed['orderId'])}`;
    expect(await desk.good(alice, 'GET', one)).toEqual(placed);
    expect(await desk.good(alice, 'GET', `${ORDERS}/active?symbol=${PERP}&market=derivative`)).toEqual([placed]);
    expect(await desk.good(alice, 'GET', `${ORDERS}/active?market=spot`)).toEqual([]);
    await desk.refused(422, 'not_owner', bob, 'DELETE', one);
    expect(await desk.good(alice, 'DELETE', one)).toMatchObject({ status: 'canceled' });
    await desk.refused(409, 'order_closed', alice, 'DELETE', one);
    expect(await usdt(alice)).toMatchObject({ locked: '0' });
    const { items } = await desk.good<Page>(alice, 'GET', `${ORDERS}/history?market=derivative&limit=1`);
    expect(items).toMatchObject([{ orderId: placed['orderId'], status: 'canceled' }]);
  });

  it('cancels many of both markets, as far as the key may', async () => {
    const futures = await order(alice, { price: '19000', quantity: '0.1' });
    const spot = await desk.good(alice, 'POST', SPOT, {
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      price: '10000',
      quantity: '0.01',
    });
    const key = await desk.key(0, { trading_futures: 'full' });
    expect(await desk.good(key, 'GET', `${ORDERS}/active`)).toEqual([futures]);
    expect(await desk.good(key, 'POST', `${ORDERS}/cancel-many`, { orderIds: [spot['orderId']] })).toEqual({
      canceled: [],
      failed: [{ orderId: spot['orderId'], code: 'unknown_order' }],
    });
    expect(await desk.good(key, 'POST', `${ORDERS}/cancel-many`, {})).toEqual({
      canceled: [futures['orderId']],
      failed: [],
    });
    expect(await desk.good(alice, 'GET', `${ORDERS}/active`)).toMatchObject([{ orderId: spot['orderId'] }]);
  });

  it('an order that the key may see and not cancel is no unknown order', async () => {
    const { orderId } = await order(alice, { price: '19000', quantity: '0.1' });
    const key = await desk.key(0, { trading_spot: 'full', trading_futures: 'read_only' });
    const path = `${ORDERS}/${String(orderId)}`;
    expect(await desk.good(key, 'GET', path)).toMatchObject({ status: 'new' });
    const refused = await desk.request(key, 'DELETE', path);
    expect([refused.status, refused.text]).toEqual([401, 'insufficient permissions for this route']);
    expect(await desk.good(key, 'POST', `${ORDERS}/cancel-many`, { orderIds: [orderId, '17'] })).toEqual({
      canceled: [],
      failed: [
        { orderId, code: 'insufficient_permissions' },
        { orderId: '17', code: 'unknown_order' },
      ],
    });
  });

  it('the rest of an ioc and a market order without anybody expire', async () => {
    expect(await order(alice, { type: 'market' })).toMatchObject({ status: 'expired', reason: 'no_liquidity' });
    await order(bob, { side: 'sell', price: '20000', quantity: '0.4' });
    const ioc = await order(alice, { price: '20000', timeInForce: 'ioc' });
    expect(ioc).toMatchObject({ status: 'expired', filledQuantity: '0.4', averagePrice: '20000' });
  });

  it.each<[string, Json, number, string, string]>([
    ['a symbol that is none', { symbol: 'NOPEPERP' }, 404, 'unknown_symbol', 'symbol'],
    ['a spot pair', { symbol: 'BTCUSDT' }, 404, 'unknown_symbol', 'symbol'],
    ['a side that is none', { side: 'long' }, 400, 'bad_request', 'side'],
    ['a position side that is none', { positionSide: 'up' }, 400, 'bad_request', 'positionSide'],
    ['reduceOnly as a text', { reduceOnly: 'yes' }, 400, 'bad_request', 'reduceOnly'],
    ['a negative quantity', { quantity: '-1' }, 400, 'bad_request', 'quantity'],
    ['a price of zero', { price: '0' }, 400, 'bad_request', 'price'],
    ['a market order with a price', { type: 'market' }, 400, 'bad_request', 'price'],
    ['a price off the tick', { price: '20000.05' }, 422, 'off_tick', 'price'],
    ['a quantity off the lot', { quantity: '0.00015' }, 422, 'off_lot', 'quantity'],
    ['less than the least quantity', { quantity: '0.00001' }, 422, 'below_minimum', 'quantity'],
    ['less than the least notional', { price: '1000', quantity: '0.0001' }, 422, 'below_minimum', 'quantity'],
    ['more than the greatest quantity', { quantity: '1001' }, 422, 'above_maximum', 'quantity'],
    ['more than the account has', { quantity: '600' }, 422, 'insufficient_balance', 'quantity'],
    ['reduce-only without a position', { reduceOnly: true }, 422, 'reduce_only_violation', 'quantity'],
    ['a hedge side in one-way mode', { positionSide: 'long' }, 409, 'illegal_transition', 'positionSide'],
  ])('refuses %s', async (_, change, status, code, field) => {
    const body = { symbol: PERP, side: 'buy', type: 'limit', price: '20000', quantity: '1', ...change };
    const reply = await desk.request(alice, 'POST', ORDER, body);
    expect([reply.status, reply.json]).toEqual([status, expect.objectContaining({ code, field })]);
    expect(await desk.good(alice, 'GET', `${ORDERS}/active`)).toEqual([]);
  });

  it('refuses a client order id twice, a halted symbol, leverage beyond the tier, and a key that may not', async () => {
    const body = { symbol: PERP, side: 'buy', type: 'limit', price: '19000', quantity: '0.1' };
    await order(alice, { ...body, clientOrderId: 'twice' });
    await desk.refused(409, 'duplicate_client_order_id', alice, 'POST', ORDER, { ...body, clientOrderId: 'twice' });
    const spotTwice = { ...body, symbol: 'BTCUSDT', clientOrderId: 'twice' };
    await desk.refused(409, 'duplicate_client_order_id', alice, 'POST', SPOT, spotTwice);
    const market = desk.running.sandbox.exchange.markets.get(PERP)!;
    market.halted = true;
    await desk.refused(422, 'symbol_halted', alice, 'POST', ORDER, body);
    market.halted = false;
    await desk.good(alice, 'POST', `${POSITIONS}/leverage`, { symbol: PERP, leverage: '50' });
    await desk.refused(422, 'leverage_too_high', alice, 'POST', ORDER, { ...body, quantity: '30' });
    const reader = await desk.key(0, { trading_spot: 'full', trading_futures: 'read_only' });
    const reply = await desk.request(reader, 'POST', ORDER, body);
    expect([reply.status, reply.text]).toEqual([401, 'insufficient permissions for this route']);
    expect(await desk.good(reader, 'GET', TRADES)).toMatchObject({ nextCursor: null });
    await desk.refused(400, 'bad_request', alice, 'GET', `${TRADES}?from=soon`);
  });
});

describe('the bound of active orders', () => {
  it('counts both markets', async () => {
    const small = await openDesk(92, { assumed: { activeOrdersMax: 2 } });
    const body = { symbol: PERP, side: 'buy', type: 'limit', price: '19000', quantity: '0.01' };
    await small.good(small.alice, 'POST', SPOT, { ...body, symbol: 'BTCUSDT' });
    await small.good(small.alice, 'POST', ORDER, body);
    await small.refused(422, 'limit_reached', small.alice, 'POST', ORDER, body);
    await small.stop();
  });
});

describe('positions', () => {
  it('lists them with margin, and pages own trades with what they realised', async () => {
    const before = Number((await usdt(alice))['total']);
    await trade('buy', 20_000, '1');
    await mark(21_000);
    expect(await positions(alice)).toEqual([
      {
        symbol: PERP,
        positionSide: 'both',
        quantity: '1',
        entryPrice: '20000',
        markPrice: '21000',
        leverage: '10',
        marginType: 'cross',
        margin: '2000',
        liquidationPrice: null,
        unrealizedPnl: '1000',
        realizedPnl: '0',
        updatedAt: expect.any(Number),
      },
    ]);
    expect(await desk.good(alice, 'GET', `${POSITIONS}/list?symbol=ETHUSDTPERP`)).toEqual([]);
    expect(await positions(bob)).toMatchObject([{ quantity: '-1', unrealizedPnl: '-1000' }]);
    await trade('sell', 21_000, '0.4');
    const after = await usdt(alice);
    // Taker fees 0.0005 · 20000 and 0.0005 · 8400
    expect(Number(after['total']) - before).toBeCloseTo(400 - 10 - 4.2, 6);
    expect(after['locked']).toBe('1200');
    const page = await desk.good<Page>(alice, 'GET', `${TRADES}?symbol=${PERP}&limit=1`);
    expect(page.items).toMatchObject([
      {
        market: 'derivative',
        side: 'sell',
        price: '21000',
        quantity: '0.4',
        fee: '4.2',
        feeCurrency: 'USDT',
        liquidity: 'taker',
        realizedPnl: '400',
        positionSide: 'both',
      },
    ]);
    const next = await desk.good<Page>(
      alice,
      'GET',
      `${TRADES}?symbol=${PERP}&limit=1&cursor=${String(page.nextCursor)}`,
    );
    expect(next.items).toMatchObject([{ side: 'buy', quantity: '1', fee: '10', realizedPnl: '0' }]);
    witness('sandbox/futures-start');
  });

  it('closes at market, whole or in part, and keeps position and orders in the history', async () => {
    const entry = await trade('buy', 20_000, '1');
    await order(bob, { price: '20500', quantity: '2' });
    const close = { symbol: PERP, positionSide: 'both' };
    const path = `${POSITIONS}/close`;
    await desk.refused(422, 'reduce_only_violation', alice, 'POST', path, { ...close, quantity: '1.5' });
    await desk.refused(422, 'off_lot', alice, 'POST', path, { ...close, quantity: '0.00015' });
    await desk.refused(422, 'below_minimum', alice, 'POST', path, { ...close, quantity: '0.00001' });
    await desk.refused(400, 'bad_request', alice, 'POST', path, { ...close, quantity: 'all' });
    await desk.refused(404, 'unknown_symbol', alice, 'POST', path, { symbol: 'BTCUSDT', positionSide: 'both' });
    await desk.refused(409, 'illegal_transition', alice, 'POST', path, { symbol: PERP, positionSide: 'long' });
    const market = desk.running.sandbox.exchange.markets.get(PERP)!;
    market.halted = true;
    await desk.refused(422, 'symbol_halted', alice, 'POST', path, close);
    market.halted = false;
    const part = await desk.good(alice, 'POST', path, { ...close, quantity: '0.4' });
    expect(part).toMatchObject({ side: 'sell', type: 'market', status: 'filled', reduceOnly: true, quantity: '0.4' });
    const rest = await desk.good(alice, 'POST', path, close);
    expect(rest).toMatchObject({ status: 'filled', quantity: '0.6' });
    await desk.refused(422, 'reduce_only_violation', alice, 'POST', path, close);
    expect(await positions(alice)).toEqual([]);
    const closed = await desk.good<Page>(alice, 'GET', `${POSITIONS}/history/closed/positions?symbol=${PERP}&limit=1`);
    expect(closed.items).toEqual([
      {
        symbol: PERP,
        positionSide: 'both',
        quantity: '1',
        entryPrice: '20000',
        markPrice: '20000',
        leverage: '10',
        marginType: 'cross',
        margin: '0',
        liquidationPrice: null,
        unrealizedPnl: '0',
        realizedPnl: '500',
        updatedAt: expect.any(Number),
        closePrice: '20500',
        openedAt: expect.any(Number),
        closedAt: expect.any(Number),
        fees: '20.25',
        funding: '0',
      },
    ]);
    const orders = await desk.good<Page>(alice, 'GET', `${POSITIONS}/history/closed/orders?symbol=${PERP}&limit=3`);
    expect(orders.items.map((each) => each['orderId'])).toEqual([rest, part, entry].map((each) => each['orderId']));
    await desk.refused(400, 'bad_request', alice, 'GET', `${POSITIONS}/history/closed/positions?limit=0`);
    await desk.refused(400, 'bad_request', alice, 'GET', `${POSITIONS}/history/closed/orders?cursor=here`);
  });

  it('holds both sides in hedge mode', async () => {
    await desk.good(alice, 'POST', `${POSITIONS}/mode`, { mode: 'hedge' });
    await trade('buy', 20_000, '1', { positionSide: 'long' });
    await trade('sell', 20_100, '0.5', { positionSide: 'short' });
    expect(await positions(alice)).toMatchObject([
      { positionSide: 'long', quantity: '1' },
      { positionSide: 'short', quantity: '0.5' },
    ]);
    await desk.refused(409, 'illegal_transition', alice, 'POST', ORDER, {
      symbol: PERP,
      side: 'buy',
      type: 'limit',
      price: '19000',
      quantity: '1',
    });
    const exit = { side: 'buy', price: '19000', positionSide: 'short', quantity: '0.5', reduceOnly: true };
    expect(await order(alice, exit)).toMatchObject({ status: 'new', positionSide: 'short', reduceOnly: true });
    await desk.refused(409, 'illegal_transition', alice, 'POST', `${POSITIONS}/mode`, { mode: 'one-way' });
  });

  it('leverage, margin type and mode: what is set, what is refused', async () => {
    const leverage = `${POSITIONS}/leverage`;
    expect(await desk.good(alice, 'POST', leverage, { symbol: PERP, leverage: 20 })).toEqual({
      symbol: PERP,
      leverage: '20',
    });
    await desk.refused(422, 'leverage_too_high', alice, 'POST', leverage, { symbol: PERP, leverage: 101 });
    await desk.refused(404, 'unknown_symbol', alice, 'POST', leverage, { symbol: 'BTCUSDT', leverage: 2 });
    for (const wrong of [0, 2.5, 'ten', null]) {
      await desk.refused(400, 'bad_request', alice, 'POST', leverage, { symbol: PERP, leverage: wrong });
    }
    await order(alice, { price: '19000', quantity: '60' });
    await desk.refused(422, 'insufficient_balance', alice, 'POST', leverage, { symbol: PERP, leverage: 1 });
    const marginType = `${POSITIONS}/margin-type`;
    await desk.refused(409, 'illegal_transition', alice, 'POST', marginType, { symbol: PERP, marginType: 'isolated' });
    await desk.refused(400, 'bad_request', alice, 'POST', marginType, { symbol: PERP, marginType: 'shared' });
    await desk.refused(404, 'unknown_symbol', alice, 'POST', marginType, { symbol: 'X', marginType: 'cross' });
    expect(await desk.good(alice, 'POST', marginType, { symbol: 'ETHUSDTPERP', marginType: 'isolated' })).toEqual({
      symbol: 'ETHUSDTPERP',
      marginType: 'isolated',
    });
    const mode = `${POSITIONS}/mode`;
    await desk.refused(409, 'illegal_transition', alice, 'POST', mode, { mode: 'hedge' });
    await desk.refused(400, 'bad_request', alice, 'POST', mode, { mode: 'both' });
    expect(await desk.good(alice, 'POST', mode, { mode: 'one-way' })).toEqual({ mode: 'one-way' });
  });
});

describe('the exchange by itself', () => {
  it('publishes tiers, mark, index and funding, which is paid every eight hours in order', async () => {
    const tiers = (await read(`${PUBLIC}/risk-tiers?symbol=${PERP}`)) as unknown as Json[];
    expect(tiers[0]).toEqual({ tier: 1, maxNotional: '50000', maxLeverage: 100, maintenanceMarginRate: '0.004' });
    await trade('buy', 20_000, '1');
    await mark(21_000);
    expect(await read(`${PUBLIC}/mark-price?symbol=${PERP}`)).toMatchObject({
      markPrice: '21000',
      indexPrice: '21000',
    });
    const before = await read(`${PUBLIC}/funding-rate?symbol=${PERP}`);
    const until = Number(before['nextFundingTime']) - desk.running.sandbox.now();
    await desk.advance(until + 16 * HOUR);
    const after = await read(`${PUBLIC}/funding-rate?symbol=${PERP}&limit=3`);
    const history = after['history'] as { rate: string; ts: number }[];
    const start = Number(before['nextFundingTime']);
    expect(history.map(({ ts }) => ts)).toEqual([start + 16 * HOUR, start + 8 * HOUR, start]);
    for (const [key, sign] of [
      [alice, -1],
      [bob, 1],
    ] as const) {
      const { items } = await desk.good<Page>(key, 'GET', `${TRANSACTIONS}?type=funding&limit=3`);
      expect(items.map((row) => [row['amount'], row['createdAt'], row['account'], row['currency']])).toEqual(
        history.map(({ rate, ts }) => [
          String(Number((sign * Number(rate) * 21_000).toFixed(8))),
          ts,
          'unified-trading',
          'USDT',
        ]),
      );
    }
  });
});

describe('events', () => {
  it('tell orders, trades, positions and balances as REST does', async () => {
    const socket = await RawSocket.open(desk.running.wsUrl);
    const login = await socket.login(alice, loginNow(alice));
    expect(login).toEqual({ method: 'auth', success: true });
    const names = [
      `${PERP}@order-info`,
      `${PERP}@order-history`,
      `${PERP}@my-trades`,
      'position-info',
      'HLORD@my-balances',
    ];
    expect(await socket.subscribe(1, names)).toMatchObject({ success: true });
    expect((await socket.onChannel('HLORD@my-balances'))['data']).toEqual([await usdt(alice)]);
    const filled = await trade('buy', 20_000, '0.5');
    const [own] = (await socket.onChannel(`${PERP}@my-trades`))['data'] as Json[];
    expect((await desk.good<Page>(alice, 'GET', `${TRADES}?limit=1`)).items).toEqual([own]);
    expect((await socket.onChannel(`${PERP}@order-history`))['data']).toEqual(filled);
    expect((await socket.onChannel('position-info'))['data']).toEqual(await positions(alice));
    expect((await socket.onChannel('HLORD@my-balances'))['data']).toEqual([await usdt(alice)]);
    await desk.good(alice, 'POST', `${POSITIONS}/leverage`, { symbol: PERP, leverage: 20 });
    expect((await socket.onChannel('position-info'))['data']).toEqual(await positions(alice));
    expect((await socket.onChannel('HLORD@my-balances'))['data']).toEqual([await usdt(alice)]);
    const resting = await order(alice, { price: '19000', quantity: '0.1' });
    expect((await socket.onChannel(`${PERP}@order-info`))['data']).toEqual(resting);
    await trade('sell', 20_000, '0.5');
    const flat = (await socket.onChannel('position-info'))['data'] as Json[];
    expect(flat).toMatchObject([{ symbol: PERP, quantity: '0', margin: '0', liquidationPrice: null }]);
    socket.close();
    witness('frame/push-positions');
  });

  it('need the futures permission, for the orders of a perpetual too', async () => {
    const key = await desk.key(0, { trading_spot: 'full' });
    const socket = await RawSocket.open(desk.running.wsUrl);
    await socket.login(key, loginNow(key));
    for (const channel of ['position-info', 'HLORD@my-balances', `${PERP}@order-info`, `${PERP}@my-trades`]) {
      expect(await socket.subscribe(1, [channel])).toMatchObject({
        success: false,
        error: 'insufficient_permissions',
        data: [channel],
      });
    }
    expect(await socket.subscribe(2, ['BTCUSDT@order-info'])).toMatchObject({ success: true });
    socket.close();
  });
});

/** Last: what the market takes over leaves the other user with a position that nobody else has. */
describe('liquidation', () => {
  it('an order that takes the money of a position is answered as it is then: cancelled', async () => {
    const own = await openDesk(92, { assumed: { futures: { leverageDefault: 10 } } });
    const limit = { type: 'limit', price: '20000', quantity: '4' };
    const quote = { symbol: 'BTCUSDT', type: 'limit', quantity: '0.01' };
    const out = { from: 'unified-trading', to: 'funding', currency: 'USDT', amount: '990000' };
    await own.good(own.alice, 'POST', '/api/v1/accounting/client/transfer/account', out);
    await own.good(own.bob, 'POST', ORDER, { symbol: PERP, side: 'sell', ...limit });
    await own.good(own.alice, 'POST', ORDER, { symbol: PERP, side: 'buy', ...limit });
    // The mark: alice, who has 10,000, loses 9,200.
    await own.good(own.bob, 'POST', SPOT, { ...quote, side: 'buy', price: '17699' });
    await own.good(own.bob, 'POST', SPOT, { ...quote, side: 'sell', price: '17701' });
    const buy = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '10000', quantity: '0.19' };
    const answer = await own.good(own.alice, 'POST', SPOT, buy);
    expect(answer).toMatchObject({ status: 'canceled', reason: 'liquidation' });
    expect(await own.good(own.alice, 'GET', `${ORDERS}/${String(answer['orderId'])}`)).toEqual(answer);
    await own.stop();
  });

  it('liquidates by the mark: orders first, then the position, with the reason in both histories', async () => {
    await desk.good(alice, 'POST', `${POSITIONS}/margin-type`, { symbol: PERP, marginType: 'isolated' });
    const before = Number((await usdt(alice))['total']);
    await trade('buy', 20_000, '1');
    const resting = await order(alice, { price: '15000', quantity: '0.1' });
    await order(bob, { side: 'sell', price: '15500', quantity: '0.05' });
    const partial = await desk.good(alice, 'POST', ORDER, {
      symbol: PERP,
      side: 'buy',
      type: 'limit',
      price: '15500',
      quantity: '0.1',
    });
    expect(partial).toMatchObject({ status: 'partially_filled' });
    expect(await positions(alice)).toHaveLength(1);
    await mark(10_000);
    expect(await positions(alice)).toEqual([]);
    const first = await desk.good(alice, 'GET', `${ORDERS}/${String(resting['orderId'])}`);
    expect(first).toMatchObject({ status: 'canceled', reason: 'liquidation' });
    const second = await desk.good(alice, 'GET', `${ORDERS}/${String(partial['orderId'])}`);
    expect(second).toMatchObject({ status: 'canceled', reason: 'liquidation', filledQuantity: '0.05' });
    const closed = await desk.good<Page>(alice, 'GET', `${POSITIONS}/history/closed/positions?limit=1`);
    expect(closed.items).toMatchObject([{ quantity: '1.05', marginType: 'isolated', reason: 'liquidation' }]);
    const { items } = await desk.good<Page>(alice, 'GET', `${ORDERS}/history?market=derivative&limit=1`);
    expect(items).toMatchObject([
      { type: 'market', side: 'sell', status: 'filled', reason: 'liquidation', quantity: '1.05', reduceOnly: true },
    ]);
    const { total, locked } = await usdt(alice);
    // The margins of 2000 and 77.5, and the taker fees 10 and 0.3875; what rounding to the tick leaves is the user's.
    expect(Number(total) - before).toBeCloseTo(-2000 - 77.5 - 10, 0);
    expect(locked).toBe('0');
  });
});

/** The clock of the sandbox has been moved. */
function loginNow(key: KeyPair): Json {
  const timestamp = desk.running.sandbox.now();
  return { timestamp, signature: hmac(key.secretKey, `${timestamp}\n${key.publicKey}`) };
}
