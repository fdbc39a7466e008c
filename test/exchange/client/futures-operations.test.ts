/** The typed futures operations against the real sandbox: readings, changes, refusals, unknown outcomes, nothing sent twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import type { Answer } from '../../../src/exchange/client/operations/answer.ts';
import type { OnMoneyOutcome } from '../../../src/exchange/client/operations/money.ts';
import type { Dispatch } from '../../../src/exchange/client/operations/orders.ts';
import { createExchange, type Exchange } from '../../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../../src/exchange/options.ts';
import { denied } from '../../../src/model/trading/deny-reason.ts';
import type { OrderRequest } from '../../../src/model/trading/order.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import type { MoneyOutcome, Outcome, Reading } from '../../../src/model/result.ts';
import { startSandbox, type RunningSandbox } from '../../../src/sandbox/server.ts';
import { realClock } from '../clocks.ts';
import { json, startServer, type TestServer } from './http-server.ts';

const SYMBOL = 'BTCUSDTPERP';
const lane = { lane: 'reconcile' } as const;

let running: RunningSandbox;
let alice: Exchange;
let bob: Exchange;
let orders = 0;
const open: Exchange[] = [];

function exchangeAt(url: string, key: { publicKey: string; secretKey: string }): Exchange {
  const exchange = createExchange({
    options: exchangeOptions.parse({
      baseUrl: url,
      gatewayUrl: url,
      wsUrl: url,
      budget: { requestsPerSecond: 1000, ordersPerSecond: 1000 },
    }),
    credentials: createCredentials(key.publicKey, key.secretKey),
    clock: realClock,
    random: seededRandom(1),
    logger: silentLogger,
  });
  open.push(exchange);
  return exchange;
}

beforeAll(async () => {
  running = await startSandbox({ clock: realClock, seed: 43, market: 'none' });
  [alice, bob] = running.users.map(({ apiKey }) => exchangeAt(running.restUrl, apiKey)) as [Exchange, Exchange];
});
afterAll(async () => {
  for (const exchange of open) await exchange.close();
  await running.stop();
});

function outcome<T>(send: (dispatch: Dispatch, done: OnMoneyOutcome<T>) => void): Promise<MoneyOutcome<T>> {
  return new Promise((resolve) => send(lane, resolve));
}

async function value<T>(answer: Promise<Answer<T>>): Promise<T> {
  const result = await answer;
  if (result.kind === 'failed') throw result.error;
  return result.value;
}

async function items<T>(reading: Promise<Reading<T>>): Promise<readonly T[]> {
  const result = await reading;
  if (result.kind !== 'complete') throw new Error(result.reason);
  return result.items;
}

/** A limit order of the perpetual; `over` for sides and flags. */
function create(exchange: Exchange, side: 'buy' | 'sell', price: string, over: Partial<OrderRequest> = {}) {
  const order: OrderRequest = {
    market: 'derivative',
    symbol: SYMBOL,
    side,
    type: 'limit',
    timeInForce: 'gtc',
    price,
    quantity: '0.5',
    clientOrderId: `test-${++orders}`,
    ...over,
  };
  return new Promise<Outcome>((resolve) => exchange.orders.create(order, lane, resolve));
}

describe('public data', () => {
  it('reads instruments, tiers, funding, mark and index price', async () => {
    const instruments = await value(alice.futures.instruments());
    expect(instruments.map(({ symbol, market, settle }) => [symbol, market, settle])).toContainEqual([
      SYMBOL,
      'derivative',
      'USDT',
    ]);
    const tiers = await value(alice.futures.riskTiers(SYMBOL));
    expect(tiers[0]).toMatchObject({ tier: 1, maxLeverage: expect.any(Number), maxNotional: expect.any(String) });
    const funding = await value(alice.futures.fundingRate(SYMBOL, 5));
    expect(funding).toMatchObject({ symbol: SYMBOL, rate: expect.any(String) });
    expect(funding.nextFundingTime).toBeGreaterThan(running.sandbox.now());
  });

  it('an unknown symbol is a typed error with the code of the exchange', async () => {
    for (const answer of [
      alice.futures.riskTiers('NOPE'),
      alice.futures.fundingRate('NOPE'),
      alice.futures.markPrice('NOPE'),
    ])
      expect(await answer).toMatchObject({
        kind: 'failed',
        error: { code: 'exchange_refused', details: { code: 'unknown_symbol' } },
      });
  });
});

describe('positions', () => {
  it('open, are listed, close in part and in whole, and stand in the histories afterwards', async () => {
    expect(await create(bob, 'sell', '60000')).toMatchObject({ kind: 'accepted' });
    expect(await create(alice, 'buy', '60000')).toMatchObject({
      kind: 'accepted',
      order: { status: 'filled', market: 'derivative', positionSide: 'both' },
    });
    expect(await items(alice.futures.positions(SYMBOL))).toMatchObject([
      { symbol: SYMBOL, positionSide: 'both', quantity: '0.5', entryPrice: '60000' },
    ]);
    expect(await items(bob.futures.positions())).toMatchObject([{ quantity: '-0.5' }]);
    expect(await items(alice.futures.ownTrades({ symbol: SYMBOL, from: 0.5 }))).toMatchObject([
      { side: 'buy', quantity: '0.5', feeCurrency: 'USDT', market: 'derivative' },
    ]);

    await create(bob, 'buy', '61000');
    const part = { symbol: SYMBOL, positionSide: 'both', quantity: '0.20' } as const;
    expect(
      await outcome((dispatch, done) => alice.money.send({ kind: 'futuresClose', ...part }, dispatch, done)),
    ).toMatchObject({
      kind: 'accepted',
      value: { side: 'sell', type: 'market', quantity: '0.2', reduceOnly: true },
    });
    const whole = { symbol: SYMBOL, positionSide: 'both' } as const;
    expect(
      await outcome((dispatch, done) => alice.money.send({ kind: 'futuresClose', ...whole }, dispatch, done)),
    ).toMatchObject({
      kind: 'accepted',
      value: { quantity: '0.3', filledQuantity: '0.3' },
    });
    expect(await items(alice.futures.positions())).toEqual([]);
    expect(await items(alice.futures.closedPositions({ symbol: SYMBOL }))).toMatchObject([
      { entryPrice: '60000', closePrice: '61000', realizedPnl: '500', closedAt: expect.any(Number) },
    ]);
    const history = await items(alice.futures.closedPositionOrders({}));
    expect(history.map(({ side, quantity }) => [side, quantity])).toEqual([
      ['sell', '0.3'],
      ['sell', '0.2'],
      ['buy', '0.5'],
    ]);
  });

  it('what there is not cannot be closed: refused with the code of the exchange', async () => {
    const nothing = { symbol: SYMBOL, positionSide: 'both' } as const;
    expect(
      await outcome((dispatch, done) => alice.money.send({ kind: 'futuresClose', ...nothing }, dispatch, done)),
    ).toMatchObject({
      kind: 'refused',
      code: 'reduce_only_violation',
    });
    expect(await create(alice, 'sell', '60000', { reduceOnly: true })).toMatchObject({
      kind: 'refused',
      code: 'reduce_only_violation',
    });
  });
});

describe('funding', () => {
  it('is read as payments of the account once the exchange has settled it', async () => {
    await create(bob, 'sell', '60000', { quantity: '0.1' });
    await create(alice, 'buy', '60000', { quantity: '0.1' });
    const { nextFundingTime } = await value(alice.futures.fundingRate(SYMBOL));
    const from = running.sandbox.now();
    running.advance(nextFundingTime - from + 1000);
    for (const exchange of open) await exchange.clockOffset.measure();
    const [settled] = (await value(alice.futures.fundingRate(SYMBOL, 1))).history;
    expect(settled?.ts).toBe(nextFundingTime);
    const venue = alice.venue([{ symbol: SYMBOL, market: 'derivative' }]);
    const payments = await items(venue.query.funding!(from));
    expect(payments).toMatchObject([{ symbol: null, currency: 'USDT', id: expect.any(String), ts: nextFundingTime }]);
    expect(Math.sign(Number(payments[0]?.amount))).toBe(-Math.sign(Number(settled?.rate)));
    await create(bob, 'buy', '60000', { quantity: '0.1' });
    await create(alice, 'sell', '60000', { quantity: '0.1', reduceOnly: true });
    expect(await items(alice.futures.positions(SYMBOL))).toEqual([]);
    const [closed] = await items(alice.futures.closedPositions({}));
    expect(closed?.funding).toBe(payments[0]?.amount);
  });
});

describe('settings', () => {
  it('leverage: set, read back as it was set, refused above the tiers', async () => {
    const five = { symbol: SYMBOL, leverage: 5 };
    expect(await outcome((dispatch, done) => alice.futures.setLeverage(five, dispatch, done))).toEqual({
      kind: 'accepted',
      value: five,
    });
    const many = { symbol: SYMBOL, leverage: 999 };
    expect(await outcome((dispatch, done) => alice.futures.setLeverage(many, dispatch, done))).toMatchObject({
      kind: 'refused',
      code: 'leverage_too_high',
      field: 'leverage',
    });
  });

  it('margin type and mode, and hedge positions side by side', async () => {
    const isolated = { symbol: SYMBOL, marginType: 'isolated' } as const;
    expect(await outcome((dispatch, done) => alice.futures.setMarginType(isolated, dispatch, done))).toEqual({
      kind: 'accepted',
      value: isolated,
    });
    expect(await outcome((dispatch, done) => alice.futures.setMode('hedge', dispatch, done))).toEqual({
      kind: 'accepted',
      value: { mode: 'hedge' },
    });
    await create(bob, 'sell', '60000', { quantity: '0.1' });
    await create(alice, 'buy', '60000', { quantity: '0.1', positionSide: 'long' });
    await create(bob, 'buy', '59000', { quantity: '0.1' });
    await create(alice, 'sell', '59000', { quantity: '0.1', positionSide: 'short' });
    const sides = await items(alice.futures.positions(SYMBOL));
    expect(sides.map(({ positionSide, marginType }) => `${positionSide} ${marginType}`).toSorted()).toEqual([
      'long isolated',
      'short isolated',
    ]);
    expect(await outcome((dispatch, done) => alice.futures.setMode('one-way', dispatch, done))).toMatchObject({
      kind: 'refused',
      code: 'illegal_transition',
    });
  });
});

describe('before anything is sent', () => {
  it('refuses what is known to be wrong, with the field', async () => {
    const { futures } = alice;
    const both = 'both' as const;
    const wrong: readonly (readonly [string, Promise<MoneyOutcome<object>>])[] = [
      ['leverage', outcome((d, done) => futures.setLeverage({ symbol: SYMBOL, leverage: 0 }, d, done))],
      ['leverage', outcome((d, done) => futures.setLeverage({ symbol: SYMBOL, leverage: 2.5 }, d, done))],
      ['leverage', outcome((d, done) => futures.setLeverage({ symbol: SYMBOL, leverage: Number.NaN }, d, done))],
      ['symbol', outcome((d, done) => futures.setLeverage({ symbol: '', leverage: 2 }, d, done))],
      [
        'marginType',
        outcome((d, done) => futures.setMarginType({ symbol: SYMBOL, marginType: 'x' as never }, d, done)),
      ],
      ['mode', outcome((d, done) => futures.setMode('both' as never, d, done))],
      [
        'quantity',
        outcome((d, done) =>
          alice.money.send({ kind: 'futuresClose', symbol: SYMBOL, positionSide: both, quantity: '-1' }, d, done),
        ),
      ],
      [
        'quantity',
        outcome((d, done) =>
          alice.money.send({ kind: 'futuresClose', symbol: SYMBOL, positionSide: both, quantity: '1e3' }, d, done),
        ),
      ],
      [
        'positionSide',
        outcome((d, done) =>
          alice.money.send({ kind: 'futuresClose', symbol: SYMBOL, positionSide: 'up' as never }, d, done),
        ),
      ],
    ];
    for (const [field, ended] of wrong)
      expect(await ended).toMatchObject({ kind: 'refused', code: 'bad_request', field });
  });

  it('asks, and a denial leaves nothing behind', async () => {
    const stop = denied('killed', 'the kill switch is on');
    const ended = await new Promise<MoneyOutcome<object>>((resolve) =>
      alice.futures.setLeverage({ symbol: SYMBOL, leverage: 9 }, { ...lane, onDispatch: () => stop }, resolve),
    );
    expect(ended).toEqual({ kind: 'denied', denied: stop });
    const [held] = await items(alice.futures.positions(SYMBOL));
    expect(Number(held?.leverage)).toBe(5);
  });
});

describe('an answer that cannot be trusted', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  it.each([
    ['another symbol', { symbol: 'ETHUSDTPERP', leverage: 5 }],
    ['another leverage', { symbol: SYMBOL, leverage: 1 }],
    ['no answer at all', {}],
  ])('%s is unknown, and is not sent again', async (_what, body) => {
    server.handle = (_request, response) => json(response, 200, body);
    const before = server.seen.length;
    const lost = exchangeAt(server.url, running.users[0]!.apiKey);
    const ended = await outcome((dispatch, done) =>
      lost.futures.setLeverage({ symbol: SYMBOL, leverage: 5 }, dispatch, done),
    );
    expect(ended.kind).toBe('unknown');
    expect(server.seen.length - before).toBe(1);
  });
});
