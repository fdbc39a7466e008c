/** What the sandbox sends, the client's codecs read: every public and private push of spot, and the lists of REST. */
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { Instruments } from '../../src/model/market/instrument.ts';
import { decodeList, decodeObject, decodePage } from '../../src/exchange/wire/body.ts';
import { balanceSchema } from '../../src/exchange/wire/balances.ts';
import { feeSchema, meSchema, timeSchema } from '../../src/exchange/wire/account.ts';
import { fillSchema } from '../../src/exchange/wire/fills.ts';
import { derivativeInstrumentSchema, spotInstrumentSchema } from '../../src/exchange/wire/market/instruments.ts';
import { candleSchema, tickerSchema } from '../../src/exchange/wire/market/market-data.ts';
import { orderSchema } from '../../src/exchange/wire/orders.ts';
import { decodePrivateFrame } from '../../src/exchange/wire/private-frames.ts';
import { decodeOrderBook, decodePublicFrame } from '../../src/exchange/wire/market/public-frames.ts';
import { instrumentSpecs } from '../../src/sandbox/core/market/instruments.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { RawSocket, signed, type Frame } from './raw-client.ts';
import { witness } from './sightings.ts';

const instruments = new Instruments(instrumentSpecs);
const publicChannels = [
  'BTCUSDT@depth',
  'BTCUSDT@trades',
  'BTCUSDT.1m@candles',
  'BTCUSDT@ticker',
  'BTCUSDTPERP@depth',
  'ETHUSDTPERP@trades',
];
const privateChannels = [
  'CLNTF@my-balances',
  'HLORD@my-balances',
  'BTCUSDT@order-info',
  'BTCUSDT@order-history',
  'BTCUSDT@my-trades',
];

function envelope(frame: Frame): Parameters<typeof decodePrivateFrame>[0] {
  const { channel, seq, ts, data } = frame as unknown as { channel: string; seq: number; ts: number; data: unknown };
  expect([typeof channel, typeof seq, typeof ts]).toEqual(['string', 'number', 'number']);
  return { channel, seq, ts, data, receiveUs: systemClock.nowUs(), generation: 1 };
}

describe('codecs against the sandbox', () => {
  it('read every push', async () => {
    const running = await startSandbox({ clock: systemClock, seed: 21 });
    const key = running.users[0]!.apiKey;
    const socket = await RawSocket.open(running.wsUrl);
    await socket.login(key);
    await socket.subscribe(1, [...publicChannels, ...privateChannels]);
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', quantity: '0.01' };
    const resting = await signed(running.restUrl, key, 'POST', '/api/v2/exchange/client/order/spot', {
      ...order,
      price: '40000',
    });
    await signed(running.restUrl, key, 'POST', '/api/v2/exchange/client/order/spot', { ...order, type: 'market' });
    await signed(
      running.restUrl,
      key,
      'DELETE',
      `/api/v2/exchange/client/order/${(resting.json as { orderId: string }).orderId}`,
    );
    for (const channel of publicChannels) {
      for (let count = 0; count < 2; count++) {
        const decoded = decodePublicFrame(envelope(await socket.onChannel(channel)), instruments);
        expect(decoded).toMatchObject({ kind: 'events', instrument: { symbol: channel.split(/[@.]/)[0] } });
      }
    }
    const kinds = {
      'my-balances': 'balances',
      'order-info': 'orders',
      'order-history': 'orders',
      'my-trades': 'fills',
    } as const;
    for (const channel of privateChannels) {
      const name = channel.split('@')[1] as keyof typeof kinds;
      expect(decodePrivateFrame(envelope(await socket.onChannel(channel)))).toMatchObject({ kind: kinds[name] });
    }
    socket.close();
    await running.stop();
  });

  it('read every answer', async () => {
    const running = await startSandbox({ clock: systemClock, seed: 22 });
    const key = running.users[0]!.apiKey;
    const get = async (path: string): Promise<unknown> => (await signed(running.restUrl, key, 'GET', path)).json;
    const market = '/api/v2/exchange/public';
    const client = '/api/v2/exchange/client';
    const order = { symbol: 'ETHUSDT', side: 'sell', type: 'market', quantity: '2', clientOrderId: 'c-1' };
    await signed(running.restUrl, key, 'POST', `${client}/order/spot`, order);
    await signed(running.restUrl, key, 'POST', `${client}/order/spot`, {
      ...order,
      type: 'limit',
      price: '9000',
      clientOrderId: 'c-2',
    });
    const list = async <T>(schema: z.ZodType<T>, path: string): Promise<readonly T[]> => {
      const result = decodeList(schema, path, await get(path));
      expect(result, path).toMatchObject({ kind: 'value' });
      return result.kind === 'value' ? result.value : [];
    };
    expect(
      (await list(spotInstrumentSchema, `${market}/asset/instrument/spot/list`)).map((spec) => spec.symbol),
    ).toContain('ETHBTC');
    expect(await list(derivativeInstrumentSchema, `${market}/asset/instrument/derivative/list`)).toHaveLength(2);
    expect(await list(tickerSchema, `${market}/ticker`)).toHaveLength(6);
    expect(await list(candleSchema, `${market}/candle?symbol=ETHUSDT&interval=1h&limit=5`)).toHaveLength(5);
    expect(await list(orderSchema, `${client}/order/active`)).toMatchObject([{ clientOrderId: 'c-2', status: 'new' }]);
    expect(await list(balanceSchema, '/api/v1/accounting/client/report-account/accounts/overview')).toHaveLength(12);
    expect(await list(feeSchema, `${client}/fee/personal`)).toHaveLength(6);
    const history = decodePage(orderSchema, 'history', await get(`${client}/order/history`));
    expect(history).toMatchObject({ kind: 'value', value: { items: [{ clientOrderId: 'c-1' }], nextCursor: null } });
    const trades = decodePage(fillSchema, 'trades', await get(`${client}/trade/spot/list/my`));
    if (trades.kind === 'failure') throw new Error(trades.problem);
    expect(trades.value.items.length).toBeGreaterThan(0);
    for (const fill of trades.value.items)
      expect(fill).toMatchObject({ feeCurrency: 'USDT', side: 'sell', liquidity: 'taker' });
    expect(decodeObject(meSchema, 'me', await get('/api/v1/auth/me'))).toMatchObject({ kind: 'value' });
    expect(decodeObject(timeSchema, 'time', await get(`${market}/time`))).toMatchObject({ kind: 'value' });
    const book = decodeOrderBook(await get(`${market}/orderbook?symbol=ETHUSDT`), instruments.find('ETHUSDT')!, 1);
    expect(book).toMatchObject({ kind: 'depth', snapshot: true });
    await running.stop();
  });

  it('read depth however a profile sends it: snapshots alone, updates without seq, both', () => {
    const channel = 'BTCUSDT@depth';
    const book = { bids: [['50000', '1']], asks: [['50001', '1']] };
    const kinds = [
      { seq: 4, data: { type: 'snapshot', ...book }, snapshot: true },
      { seq: 5, data: { type: 'update', ...book }, snapshot: false },
      { data: { type: 'update', ...book }, snapshot: false },
      { data: { type: 'snapshot', ...book }, snapshot: true },
    ];
    for (const { snapshot, ...frame } of kinds) {
      const pushed = { channel, seq: null, ts: 1, receiveUs: systemClock.nowUs(), generation: 1, ...frame };
      const decoded = decodePublicFrame(pushed, instruments);
      expect(decoded).toMatchObject({ kind: 'events', events: [{ kind: 'depth', snapshot }] });
    }
    witness('frame/depth-profiles');
  });
});
