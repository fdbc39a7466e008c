/** `tidewire futures` against a real sandbox: public data, orders by hand, positions and how they are held, refusals. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { createExchange } from '../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { Outcome } from '../../src/model/result.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { openCliDesk, type CliDesk, type Json, type Who } from './cli-desk.ts';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(76);
  await quoteSpot('60000');
});
afterAll(() => desk.stop());

const SYMBOL = 'BTCUSDTPERP';
const ORDER_PATH = '/api/v2/exchange/client/order/derivative';
const CLOSE_PATH = '/api/v2/exchange/client/positions/close';

/** Bob quotes on both sides of the spot book: its mid is the index, and the mark price without trades. */
async function quoteSpot(mid: string): Promise<void> {
  const { restUrl, wsUrl, users } = desk.running;
  const { publicKey, secretKey } = users.find(({ login }) => login === 'bob')!.apiKey;
  const exchange = createExchange({
    options: exchangeOptions.parse({ baseUrl: restUrl, gatewayUrl: restUrl, wsUrl }),
    credentials: createCredentials(publicKey, secretKey),
    clock: systemClock,
    random: seededRandom(1),
    logger: silentLogger,
  });
  for (const side of ['buy', 'sell'] as const) {
    const price = String(Number(mid) + (side === 'buy' ? -1 : 1));
    const quote = { market: 'spot', symbol: 'BTCUSDT', side, type: 'limit', timeInForce: 'gtc', price } as const;
    const outcome = await new Promise<Outcome>((resolve) => {
      exchange.orders.create({ ...quote, quantity: '0.1', clientOrderId: `spot-${side}` }, { lane: 'create' }, resolve);
    });
    expect(outcome.kind).toBe('accepted');
  }
  await exchange.close();
}

interface List {
  readonly complete?: boolean;
  readonly items: readonly Json[];
}

/** Price near the mark on the tick grid. */
async function near(factor: number): Promise<string> {
  const { markPrice } = await desk.json<{ markPrice: string }>('alice', 'futures', 'mark', SYMBOL);
  return (Math.round(Number(markPrice) * factor * 10) / 10).toFixed(1);
}

function order(who: Who, side: string, quantity: string, ...more: readonly string[]): Promise<Json> {
  return desk.json(who, 'futures', 'order', SYMBOL, side, quantity, ...more, '--yes');
}

/** Bob and alice trade with each other at one price; alice ends with `side`. */
async function fill(side: 'buy' | 'sell', quantity: string, ...more: readonly string[]): Promise<Json> {
  const price = await near(1);
  await order('bob', side === 'buy' ? 'sell' : 'buy', quantity, '--price', price);
  return order('alice', side, quantity, '--price', price, '--ioc', ...more);
}

describe('public data of perpetuals', () => {
  it('is shown without a key', async () => {
    const env = { TIDEWIRE_API_KEY: '', TIDEWIRE_API_SECRET: '' };
    const keyless = await desk.call('alice', ['futures', 'instruments', '--json'], { env });
    expect(keyless.code).toBe(0);
    expect((JSON.parse(keyless.stdout) as List).items).toContainEqual(
      expect.objectContaining({ symbol: SYMBOL, settle: 'USDT', tickSize: expect.any(String) }),
    );
    const { items } = await desk.json<List>('alice', 'futures', 'tiers', SYMBOL.toLowerCase());
    expect(items[0]).toMatchObject({
      tier: 1,
      maxLeverage: expect.any(Number),
      maintenanceMarginRate: expect.any(String),
    });
    expect(await desk.json('alice', 'futures', 'funding', SYMBOL, '--limit', '2')).toMatchObject({
      symbol: SYMBOL,
      rate: expect.any(String),
      nextFundingTime: expect.any(Number),
      history: expect.any(Array),
    });
    expect(await desk.json('alice', 'futures', 'mark', SYMBOL)).toMatchObject({ indexPrice: expect.any(String) });
    expect(await desk.fails(1, 'operation_refused', 'alice', 'futures', 'mark', 'NOPERP')).toMatchObject({
      code: 'unknown_symbol',
    });
  });
});

describe('orders and positions', () => {
  it('are opened, closed in part and whole, and remembered', async () => {
    const price = await near(0.9);
    const resting = await order('alice', 'buy', '0.01', '--price', price);
    expect(resting).toMatchObject({ command: 'futures order', symbol: SYMBOL, status: 'new', timeInForce: 'gtc' });
    const active = await desk.json<List>('alice', 'futures', 'orders', SYMBOL);
    expect(active.items.map((row) => row['orderId'])).toEqual([resting['orderId']]);
    const canceled = await desk.json('alice', 'futures', 'cancel', String(resting['orderId']), '--yes');
    expect(canceled).toMatchObject({ status: 'canceled' });

    expect(await fill('buy', '0.02')).toMatchObject({ status: 'filled', filledQuantity: '0.02' });
    const { complete, items } = await desk.json<List>('alice', 'futures', 'positions', SYMBOL);
    expect([complete, items[0]]).toEqual([true, expect.objectContaining({ quantity: '0.02', marginType: 'cross' })]);
    const asked = await desk.call('alice', ['futures', 'close', SYMBOL]);
    expect([asked.code, asked.stderr.includes('close 0.02 of 0.02')]).toEqual([3, true]);

    await order('bob', 'buy', '0.02', '--price', await near(1));
    const part = await desk.json('alice', 'futures', 'close', SYMBOL, '--quantity', '0.005', '--yes');
    expect(part).toMatchObject({ command: 'futures close', side: 'sell', quantity: '0.005', reduceOnly: true });
    const most = await desk.fails(
      1,
      'operation_refused',
      'alice',
      'futures',
      'close',
      SYMBOL,
      '--quantity',
      '1',
      '--yes',
    );
    expect(most).toMatchObject({ code: 'reduce_only_violation', field: 'quantity' });
    await desk.json('alice', 'futures', 'close', SYMBOL, '--side', 'long', '--yes');
    expect((await desk.json<List>('alice', 'futures', 'positions')).items).toEqual([]);
    const none = await desk.fails(1, 'operation_refused', 'alice', 'futures', 'close', SYMBOL, '--yes');
    expect(none).toMatchObject({ code: 'reduce_only_violation' });

    const closed = await desk.json<List>('alice', 'futures', 'closed-positions', SYMBOL);
    expect(closed.items[0]).toMatchObject({ symbol: SYMBOL, closePrice: expect.any(String), fees: expect.any(String) });
    const orders = await desk.json<List>('alice', 'futures', 'closed-orders', SYMBOL);
    expect(orders.items.length).toBeGreaterThanOrEqual(3);
    const trades = await desk.json<List>('alice', 'futures', 'trades', SYMBOL, '--from', '2020-01-01T00:00:00Z');
    expect(trades.items[0]).toMatchObject({
      symbol: SYMBOL,
      tradeId: expect.any(String),
      realizedPnl: expect.any(String),
    });
    const past = await desk.json<List>('alice', 'futures', 'orders', '--history');
    expect(past.items.map((row) => row['status'])).toContain('canceled');
  });

  it('are checked before anything is sent', async () => {
    const call = ['futures', 'order', SYMBOL, 'buy'];
    const refused = async (...more: string[]): Promise<Json> =>
      desk.fails(1, 'operation_refused', 'alice', ...call, ...more, '--yes');
    expect(await refused('0.00001')).toMatchObject({ code: 'off_lot', field: 'quantity' });
    expect(await refused('99999999999999999999')).toMatchObject({ code: 'above_maximum', field: 'quantity' });
    expect(await refused('0.01', '--price', '60000.01')).toMatchObject({ code: 'off_tick', field: 'price' });
    expect(await refused('90', '--price', await near(1))).toMatchObject({ code: 'insufficient_balance' });
    await desk.fails(3, 'not_confirmed', 'alice', ...call, '0.01');
    await desk.fails(2, 'operation_invalid', 'alice', ...call, '0', '--yes');
    await desk.fails(1, 'operation_refused', 'alice', 'futures', 'order', 'BTCUSDT', 'buy', '1', '--yes');
  });

  it('says what became of an order whose answer was lost, and sends no second one without --again', async () => {
    await desk.fault(ORDER_PATH, 'dropAfterEffect');
    const price = await near(0.8);
    const call = ['futures', 'order', SYMBOL, 'buy', '0.010', '--price', price, '--yes'];
    const lost = await desk.call('alice', [...call, '--json']);
    await desk.clearFaults();
    const { items } = await desk.json<List>('alice', 'futures', 'orders');
    expect(items).toHaveLength(1);
    expect([lost.code, lost.stdout.includes(`IT HAPPENED as ${String(items[0]?.['orderId'])}`)]).toEqual([4, true]);
    await desk.fails(3, 'operation_happened', 'alice', 'futures', 'order', SYMBOL, 'buy', '0.01', ...call.slice(5));
    expect((await desk.json<List>('alice', 'futures', 'orders')).items).toHaveLength(1);
    // Other terms are another order.
    await order('alice', 'buy', '0.01', '--price', await near(0.81));
    await desk.json('alice', ...call, '--again');
    const all = await desk.json<List>('alice', 'futures', 'orders');
    expect(all.items).toHaveLength(3);
    expect(new Set(all.items.map((row) => row['clientOrderId'])).size).toBe(3);
    for (const { orderId } of all.items) await desk.json('alice', 'futures', 'cancel', String(orderId), '--yes');
  });
});

describe('a close whose answer was lost', () => {
  const part = ['futures', 'close', SYMBOL, '--quantity', '0.004', '--yes'];

  it('ends with 4 and says what is held by now; the same part is not closed again', async () => {
    await fill('buy', '0.01');
    await order('bob', 'buy', '0.01', '--price', await near(1));
    await desk.fault(CLOSE_PATH, 'dropAfterEffect');
    const lost = await desk.call('alice', [...part, '--json']);
    await desk.clearFaults();
    expect([lost.code, lost.stdout.includes('0.01 was held, 0.006 is held now')]).toEqual([4, true]);
    expect(lost.stdout).toContain('IT HAPPENED as');
    await desk.fails(3, 'operation_happened', 'alice', ...part);
    const { items } = await desk.json<List>('alice', 'futures', 'positions');
    expect(items[0]).toMatchObject({ quantity: '0.006' });
    await desk.json('alice', 'futures', 'close', SYMBOL, '--yes');
  });

  it('is not repeated while nothing proves how it ended, but for all of the position', async () => {
    const otherPart = part.with(4, '0.003');
    await fill('buy', '0.01');
    await order('bob', 'buy', '0.01', '--price', await near(1));
    await desk.fault(CLOSE_PATH, 'drop', { times: 2 });
    await desk.fails(4, 'operation_unknown', 'alice', ...otherPart);
    await desk.fails(4, 'operation_unknown', 'alice', 'futures', 'close', SYMBOL, '--yes');
    await desk.clearFaults();
    expect(await desk.fails(3, 'operation_denied', 'alice', ...otherPart, '--again')).toMatchObject({
      reason: 'unresolved_money',
    });
    const whole = await desk.call('alice', ['futures', 'close', SYMBOL, '--yes', '--json']);
    expect([whole.code, whole.stdout.includes('--again'), whole.stdout.includes('money decide')]).toEqual([
      3,
      true,
      true,
    ]);
    await desk.json('alice', 'futures', 'close', SYMBOL, '--yes', '--again');
    expect((await desk.json<List>('alice', 'futures', 'positions')).items).toEqual([]);
  });
});

describe('settings', () => {
  it('change leverage, margin type and mode, and say why not', async () => {
    expect(await desk.json('alice', 'futures', 'leverage', SYMBOL, '5', '--yes')).toMatchObject({
      command: 'futures leverage',
      symbol: SYMBOL,
      leverage: 5,
    });
    expect(
      await desk.fails(1, 'operation_refused', 'alice', 'futures', 'leverage', SYMBOL, '999', '--yes'),
    ).toMatchObject({
      code: 'leverage_too_high',
      field: 'leverage',
    });
    await desk.fails(2, 'operation_invalid', 'alice', 'futures', 'leverage', SYMBOL, '2.5', '--yes');
    expect(await desk.json('alice', 'futures', 'margin-type', SYMBOL, 'isolated', '--yes')).toMatchObject({
      marginType: 'isolated',
    });
    await desk.fails(3, 'not_confirmed', 'alice', 'futures', 'mode', 'hedge');
    expect(await desk.json('alice', 'futures', 'mode', 'hedge', '--yes')).toMatchObject({ mode: 'hedge' });
  });

  it('are refused while a position stands', async () => {
    const price = await near(1);
    await order('bob', 'sell', '0.01', '--price', price);
    await order('alice', 'buy', '0.01', '--price', price, '--ioc', '--position', 'long');
    const { items } = await desk.json<List>('alice', 'futures', 'positions');
    expect(items[0]).toMatchObject({ positionSide: 'long', leverage: '5', marginType: 'isolated' });
    const refused = await desk.fails(1, 'operation_refused', 'alice', 'futures', 'mode', 'one-way', '--yes');
    expect(refused).toMatchObject({ code: 'illegal_transition' });
  });
});
