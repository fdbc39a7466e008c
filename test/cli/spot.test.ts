/** `tidewire spot` against a real sandbox: public data, orders by hand, lists with their filters, refusals. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CliEnd } from './call-cli.ts';
import { openCliDesk, type CliDesk, type Json, type Who } from './cli-desk.ts';
import { limitedKey } from './limited-key.ts';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(77);
  for (const [side, price] of [
    ['buy', '59999'],
    ['sell', '60001'],
  ] as const)
    await order('bob', side, '0.1', '--price', price);
});
afterAll(() => desk.stop());

const SYMBOL = 'BTCUSDT';
const ORDER_PATH = '/api/v2/exchange/client/order/spot';

interface List {
  readonly complete?: boolean;
  readonly items: readonly Json[];
}

function order(who: Who, side: string, quantity: string, ...more: readonly string[]): Promise<Json> {
  return desk.json(who, 'spot', 'order', SYMBOL, side, quantity, ...more, '--yes');
}

const idsOf = ({ items }: List): unknown[] => items.map((row) => row['orderId']);

describe('spot/public-data', () => {
  it('is shown without a key', async () => {
    const env = { TIDEWIRE_API_KEY: '', TIDEWIRE_API_SECRET: '' };
    const keyless = await desk.call('alice', ['spot', 'instruments', '--json'], { env });
    expect(keyless.code).toBe(0);
    expect((JSON.parse(keyless.stdout) as List).items).toContainEqual(
      expect.objectContaining({ symbol: SYMBOL, tickSize: '0.01', status: 'trading' }),
    );
    const { items } = await desk.json<List>('alice', 'spot', 'ticker', SYMBOL.toLowerCase());
    expect(items).toMatchObject([{ symbol: SYMBOL, bid: 59999, ask: 60001 }]);
    expect((await desk.json<List>('alice', 'spot', 'ticker')).items.length).toBeGreaterThan(1);
    expect(await desk.json('alice', 'spot', 'book', SYMBOL, '--limit', '1')).toMatchObject({
      bids: [['59999', '0.1']],
      asks: [['60001', '0.1']],
    });
    expect(await desk.json('alice', 'spot', 'candles', SYMBOL, '--interval', '5m', '--limit', '3')).toMatchObject({
      symbol: SYMBOL,
      interval: '5m',
      items: expect.any(Array),
    });
    expect(await desk.json('alice', 'spot', 'time')).toMatchObject({ serverTime: expect.any(Number) });
    const unknown = await desk.fails(1, 'operation_refused', 'alice', 'spot', 'book', 'NOSUCH');
    expect(unknown).toMatchObject({ code: 'unknown_symbol' });
    await desk.fails(2, 'operation_invalid', 'alice', 'spot', 'book', SYMBOL, '--limit', '0');
  });
});

describe('spot/orders', () => {
  it('rest, trade, are found by their filters and canceled', async () => {
    const mine = ['--price', '50000', '--client-order-id', 'my-first'];
    const resting = await order('alice', 'buy', '0.01', ...mine);
    expect(resting).toMatchObject({
      command: 'spot order',
      status: 'new',
      timeInForce: 'gtc',
      clientOrderId: 'my-first',
    });
    expect(idsOf(await desk.json<List>('alice', 'spot', 'orders', SYMBOL, '--status', 'new'))).toEqual([
      resting['orderId'],
    ]);
    expect((await desk.json<List>('alice', 'spot', 'orders', 'ETHUSDT')).items).toEqual([]);
    expect((await desk.json<List>('alice', 'futures', 'orders')).items).toEqual([]);
    const one = await desk.json<List>('alice', 'spot', 'orders', '--id', String(resting['orderId']));
    expect(one.items).toMatchObject([{ clientOrderId: 'my-first' }]);

    const bought = await order('alice', 'buy', '0.02');
    expect(bought).toMatchObject({ type: 'market', status: 'filled', filledQuantity: '0.02' });
    const sold = await order('alice', 'sell', '0.01', '--price', '59999', '--ioc');
    expect(sold).toMatchObject({ type: 'limit', timeInForce: 'ioc', status: 'filled' });
    const trades = await desk.json<List>('alice', 'spot', 'trades', SYMBOL, '--from', '2020-01-01T00:00:00Z');
    expect(trades.items.map((row) => [row['side'], row['quantity'], row['feeCurrency']])).toEqual([
      ['sell', '0.01', 'USDT'],
      ['buy', '0.02', 'BTC'],
    ]);
    const newest = await desk.json<List>('alice', 'spot', 'trades', '--limit', '1');
    expect([newest.complete, newest.items.length]).toEqual([false, 1]);
    const ended = await desk.json<List>('alice', 'spot', 'orders', '--status', 'filled', '--limit', '1');
    expect([ended.complete, idsOf(ended)]).toEqual([false, [sold['orderId']]]);
    expect(await desk.json<List>('alice', 'spot', 'orders', '--history', '--limit', '2')).toMatchObject({
      complete: true,
      items: [{ orderId: sold['orderId'] }, { orderId: bought['orderId'] }],
    });

    expect(await desk.json('alice', 'spot', 'cancel', String(resting['orderId']), '--yes')).toMatchObject({
      command: 'spot cancel',
      status: 'canceled',
    });
    const late = await desk.call('alice', ['spot', 'cancel', String(resting['orderId']), '--yes', '--json']);
    expect([late.code, JSON.parse(late.stdout)]).toMatchObject([1, { error: { details: { code: 'order_closed' } } }]);
  });

  it('are canceled many at once, and what is not open is named', async () => {
    const ids: string[] = [];
    for (const price of ['50000', '50001', '50002'])
      ids.push(String((await order('alice', 'buy', '0.001', '--price', price))['orderId']));
    const [first = '', second = '', third = ''] = ids;
    const some = await desk.call('alice', ['spot', 'cancel', first, second, '999999', '--yes', '--json']);
    expect([some.code, JSON.parse(some.stdout)]).toEqual([
      1,
      { command: 'spot cancel', canceled: expect.arrayContaining([first, second]), failed: ['999999'] },
    ]);
    const asked = await desk.call('alice', ['spot', 'cancel', '--symbol', SYMBOL]);
    expect([asked.code, asked.stderr.includes(`buy 0.001 ${SYMBOL} at 50002`)]).toEqual([3, true]);
    expect(await desk.json('alice', 'spot', 'cancel', '--symbol', SYMBOL, '--yes')).toMatchObject({
      canceled: [third],
    });
    expect(await desk.json('alice', 'spot', 'cancel', '--symbol', SYMBOL, '--yes')).toMatchObject({ canceled: [] });
    await desk.fails(2, 'operation_invalid', 'alice', 'spot', 'cancel', '--yes');
    await desk.fails(2, 'operation_invalid', 'alice', 'spot', 'cancel', first, '--symbol', SYMBOL, '--yes');
  });

  it('are checked before anything is sent', async () => {
    const call = ['spot', 'order', SYMBOL, 'buy'];
    const refused = (...more: string[]): Promise<Json> =>
      desk.fails(1, 'operation_refused', 'alice', ...call, ...more, '--yes');
    expect(await refused('0.000001')).toMatchObject({ code: 'off_lot', field: 'quantity' });
    expect(await refused('0.01', '--price', '60000.001')).toMatchObject({ code: 'off_tick', field: 'price' });
    expect(await refused('90', '--price', '60000')).toMatchObject({ code: 'insufficient_balance' });
    expect(await refused('0.01', '--price', '50000', '--client-order-id', 'my-first')).toMatchObject({
      code: 'duplicate_client_order_id',
    });
    await desk.fails(3, 'not_confirmed', 'alice', ...call, '0.01');
    await desk.fails(2, 'operation_invalid', 'alice', ...call, '0', '--yes');
    await desk.fails(2, 'operation_invalid', 'alice', ...call, '0.01', '--client-order-id', 'tw-b1-1', '--yes');
    await desk.fails(1, 'operation_refused', 'alice', 'spot', 'order', 'BTCUSDTPERP', 'buy', '1', '--yes');
  });
});

describe('spot/permissions', () => {
  it('a key that may only read reads, and its order and cancellation are refused', async () => {
    const { orderId } = await order('alice', 'buy', '0.001', '--price', '49000');
    const env = await limitedKey(desk.running, [{ category: 'trading_spot', accessLevel: 'read_only' }]);
    const call = (...argv: string[]): Promise<CliEnd> => desk.call('alice', [...argv, '--yes', '--json'], { env });
    const listed = await desk.call('alice', ['spot', 'orders', '--json'], { env });
    expect(idsOf(JSON.parse(listed.stdout) as List)).toEqual([orderId]);
    for (const tried of [
      await call('spot', 'order', SYMBOL, 'buy', '0.001', '--price', '49000'),
      await call('spot', 'cancel', String(orderId)),
    ])
      expect([tried.code, JSON.parse(tried.stdout)]).toMatchObject([
        1,
        { error: { code: 'operation_refused', details: { code: 'insufficient_permissions' } } },
      ]);
    await desk.json('alice', 'spot', 'cancel', String(orderId), '--yes');
  });
});

describe('spot/lost-answer', () => {
  it('says what became of an order, and sends no second one without --again', async () => {
    await desk.fault(ORDER_PATH, 'dropAfterEffect');
    const call = ['spot', 'order', SYMBOL, 'buy', '0.010', '--price', '48000', '--yes'];
    const lost = await desk.call('alice', [...call, '--json']);
    await desk.clearFaults();
    const { items } = await desk.json<List>('alice', 'spot', 'orders');
    expect(items).toHaveLength(1);
    expect([lost.code, lost.stdout.includes(`IT HAPPENED as ${String(items[0]?.['orderId'])}`)]).toEqual([4, true]);
    await desk.fails(3, 'operation_happened', 'alice', ...call.with(4, '0.01'));
    expect((await desk.json<List>('alice', 'spot', 'orders')).items).toHaveLength(1);
    await desk.json('alice', ...call, '--again');
    expect((await desk.json<List>('alice', 'spot', 'orders')).items).toHaveLength(2);
    await desk.json('alice', 'spot', 'cancel', '--symbol', SYMBOL, '--yes');
  });

  it('of an order that never arrived denies the same until its absence is proved', async () => {
    const call = ['spot', 'order', SYMBOL, 'buy', '0.01', '--price', '47000', '--yes'];
    await desk.fault(ORDER_PATH, 'drop');
    await desk.fails(4, 'operation_unknown', 'alice', ...call);
    await desk.clearFaults();
    expect(await desk.fails(3, 'operation_denied', 'alice', ...call)).toMatchObject({ reason: 'unresolved_money' });
    const { items } = await desk.json<List>('alice', 'money', 'list', '--unresolved');
    expect(items).toMatchObject([{ fate: 'unknown', request: { kind: 'spotOrder' } }]);
    desk.running.advance(90_000);
    expect(await desk.json('alice', ...call)).toMatchObject({ status: 'new', price: '47000' });
    await desk.json('alice', 'spot', 'cancel', '--symbol', SYMBOL, '--yes');
  });

  it('of a cancellation is unknown, and to cancel again is harmless', async () => {
    const { orderId } = await order('alice', 'buy', '0.01', '--price', '46000');
    await desk.fault(`/api/v2/exchange/client/order/${String(orderId)}`, 'dropAfterEffect', {
      match: { path: `/api/v2/exchange/client/order/${String(orderId)}`, method: 'DELETE' },
    });
    await desk.fails(4, 'operation_unknown', 'alice', 'spot', 'cancel', String(orderId), '--yes');
    await desk.clearFaults();
    expect((await desk.json<List>('alice', 'spot', 'orders')).items).toEqual([]);
  });
});
