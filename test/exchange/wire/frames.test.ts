import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChannelFrame } from '../../../src/exchange/client/sockets/channel-source.ts';
import { depthSchema, encodeDepth, LevelScratch, readDepth } from '../../../src/exchange/wire/market/depth.ts';
import { encodeOrder } from '../../../src/exchange/wire/orders.ts';
import { decodePrivateFrame } from '../../../src/exchange/wire/private-frames.ts';
import { decodeOrderBook, decodePublicFrame } from '../../../src/exchange/wire/market/public-frames.ts';
import { readClientMessage, readServerMessage, encodePush } from '../../../src/exchange/wire/socket-messages.ts';
import { encodeTrade, readTrade, tradeSchema } from '../../../src/exchange/wire/market/trades.ts';
import type { Instrument } from '../../../src/model/market/instrument.ts';
import type { DepthEvent } from '../../../src/model/market/market-event.ts';
import { instruments, mutated, orderReport, venueFill } from './samples.ts';

const btcusdt = instruments.find('BTCUSDT') as Instrument;

function frame(channel: string, data: unknown, seq: number | null = 3): ChannelFrame {
  return { channel, seq, ts: 1_700_000_000_000, data, receiveUs: 1_700_000_000_100_000, generation: 1 };
}

const level = fc
  .tuple(fc.integer({ min: 1, max: 1e10 }), fc.integer({ min: 0, max: 1e10 }))
  .map(([ticks, lots]) => [btcusdt.priceText(ticks), btcusdt.quantityText(lots)]);
const depthPayload = fc.record({
  type: fc.constantFrom('snapshot', 'update'),
  bids: fc.array(level, { maxLength: 8 }),
  asks: fc.array(level, { maxLength: 8 }),
});
const tradePayload = fc.record({
  tradeId: fc.stringMatching(/^[a-z0-9]{1,8}$/),
  price: fc.integer({ min: 1, max: 1e10 }).map((ticks) => btcusdt.priceText(ticks)),
  quantity: fc.integer({ min: 1, max: 1e10 }).map((lots) => btcusdt.quantityText(lots)),
  side: fc.constantFrom('buy', 'sell'),
  ts: fc.nat({ max: 4e12 }),
});

describe('depth by hand', () => {
  it('reads exactly what was written, with and without reused columns', () => {
    const scratch = new LevelScratch();
    fc.assert(
      fc.property(depthPayload, (payload) => {
        for (const reuse of [undefined, scratch]) {
          const result = readDepth('d', payload, btcusdt, reuse);
          expect(result.kind).toBe('value');
          if (result.kind === 'value') expect(encodeDepth(result.value, btcusdt)).toEqual(payload);
        }
      }),
    );
  });

  it('agrees with zod on what is a depth message, the grid aside', () => {
    let refusals = 0;
    fc.assert(
      fc.property(depthPayload.chain(mutated), (payload) => {
        const byHand = readDepth('d', payload, btcusdt);
        const byZod = depthSchema.safeParse(payload);
        if (byHand.kind === 'value') expect(byZod.success).toBe(true);
        else if (!/grid/.test(byHand.problem)) expect(byZod.success).toBe(false);
        if (!byZod.success) {
          expect(byHand.kind).toBe('failure');
          refusals += 1;
        }
      }),
      { numRuns: 500 },
    );
    expect(refusals).toBeGreaterThan(0);
  });

  it('refuses values off the grid and guesses no type', () => {
    const good = { type: 'update', bids: [['60000.01', '0.5']], asks: [] };
    expect(readDepth('d', good, btcusdt).kind).toBe('value');
    expect(readDepth('d', { ...good, bids: [['60000.011', '0.5']] }, btcusdt)).toMatchObject({ field: 'bids.0.0' });
    expect(readDepth('d', { ...good, bids: [['60000.01', '0.000001']] }, btcusdt)).toMatchObject({ field: 'bids.0.1' });
    expect(readDepth('d', { ...good, bids: [['0', '1']] }, btcusdt).kind).toBe('failure');
    expect(readDepth('d', { ...good, asks: [['1', '-1']] }, btcusdt).kind).toBe('failure');
    expect(readDepth('d', { bids: [], asks: [] }, btcusdt)).toMatchObject({ field: 'type' });
    expect(readDepth('d', { type: 'update', bids: [] }, btcusdt)).toMatchObject({ field: 'asks' });
  });
});

describe('trades by hand', () => {
  it('reads exactly what was written', () => {
    fc.assert(
      fc.property(tradePayload, (payload) => {
        const result = readTrade('t', payload, btcusdt);
        expect(result.kind).toBe('value');
        if (result.kind === 'value') expect(encodeTrade(result.value, btcusdt)).toEqual(payload);
      }),
    );
  });

  it('agrees with zod, the grid aside', () => {
    fc.assert(
      fc.property(tradePayload.chain(mutated), (payload) => {
        const byHand = readTrade('t', payload, btcusdt);
        const byZod = tradeSchema.safeParse(payload);
        if (byHand.kind === 'value') expect(byZod.success).toBe(true);
        else if (!/grid/.test(byHand.problem)) expect(byZod.success).toBe(false);
        if (!byZod.success) expect(byHand.kind).toBe('failure');
      }),
      { numRuns: 500 },
    );
  });
});

describe('public frames', () => {
  it('turn depth into ticks and lots with the sequence as both ids', () => {
    const payload = {
      type: 'snapshot',
      bids: [
        ['60000.01', '0.5'],
        [60000, 0],
      ],
      asks: [['60001', '1']],
    };
    const result = decodePublicFrame(frame('BTCUSDT@depth', payload, 41), instruments, { clockShiftUs: -50 });
    expect(result).toMatchObject({ kind: 'events', channel: 'depth' });
    const event = (result.kind === 'events' ? result.events[0] : undefined) as DepthEvent;
    expect(event).toMatchObject({
      kind: 'depth',
      snapshot: true,
      firstId: 41,
      lastId: 41,
      exchangeUs: 1_700_000_000_000_000,
      receiveUs: 1_700_000_000_099_950,
    });
    const { sides, ticks, lots, from, to } = event.levels;
    expect(Array.from(sides.slice(from, to))).toEqual([0, 0, 1]);
    expect(Array.from(ticks.slice(from, to))).toEqual([6_000_001, 6_000_000, 6_000_100]);
    expect(Array.from(lots.slice(from, to))).toEqual([50_000, 0, 100_000]);
  });

  it('yield all trades of a frame or none', () => {
    const trade = { tradeId: 1, price: '1', quantity: '1', side: 'sell', ts: 5 };
    const good = decodePublicFrame(
      frame('BTCUSDT@trades', [trade, { ...trade, tradeId: 2, side: 'buy' }]),
      instruments,
    );
    expect(good).toMatchObject({
      events: [
        { tradeId: '1', takerBuys: false, exchangeUs: 5000 },
        { tradeId: '2', takerBuys: true },
      ],
    });
    expect(
      decodePublicFrame(frame('BTCUSDT@trades', [trade, { ...trade, price: '0.001' }]), instruments),
    ).toMatchObject({
      kind: 'failure',
      source: 'BTCUSDT@trades',
      field: '1.price',
      sample: '0.001',
    });
  });

  it('take a list bare or as items', () => {
    const trade = { tradeId: 't', price: '60000.01', quantity: '0.5', side: 'buy', ts: 5 };
    const candle = { openTime: 0, open: '1', high: '2', low: '1', close: '2', volume: '3', closed: true };
    for (const [channel, row] of [
      ['BTCUSDT@trades', trade],
      ['BTCUSDT.1m@candles', candle],
    ] as const) {
      const bare = decodePublicFrame(frame(channel, [row, row]), instruments);
      expect(bare).toMatchObject({ kind: 'events', events: { length: 2 } });
      expect(decodePublicFrame(frame(channel, { items: [row, row] }), instruments)).toEqual(bare);
      expect(decodePublicFrame(frame(channel, { items: null }), instruments).kind).toBe('failure');
    }
  });

  it('know candles, tickers, unknown symbols and channels that are not theirs', () => {
    const candle = { openTime: 60_000, open: '1', high: 2, low: '1', close: '2', volume: '3', closed: false };
    expect(decodePublicFrame(frame('BTCUSDT.1m@candles', candle), instruments)).toMatchObject({
      events: [{ kind: 'candle', intervalMs: 60_000, high: 2 }],
    });
    expect(decodePublicFrame(frame('XYZ@depth', {}), instruments)).toMatchObject({
      kind: 'failure',
      problem: 'unknown symbol',
    });
    expect(decodePublicFrame(frame('nonsense', {}), instruments)).toMatchObject({
      kind: 'failure',
      problem: 'no such channel',
    });
    expect(decodePublicFrame(frame('VOLUME@ratio', {}), instruments)).toEqual({ kind: 'ignored' });
    expect(decodePublicFrame(frame('BTCUSDT@my-trades', {}), instruments)).toEqual({ kind: 'ignored' });
  });

  it('never throw, whatever a frame holds', () => {
    const channels = [
      'BTCUSDT@depth',
      'BTCUSDT@trades',
      'BTCUSDT.1m@candles',
      'BTCUSDT@ticker',
      'BTCUSDT@order-info',
      'position-info',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...channels),
        fc.oneof(fc.jsonValue(), depthPayload.chain(mutated), tradePayload.chain(mutated)),
        (channel, data) => {
          decodePublicFrame(frame(channel, data), instruments);
          decodePrivateFrame(frame(channel, data));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the REST order book', () => {
  it('is a snapshot with the seq of the last push that it includes', () => {
    const body = { data: { symbol: 'BTCUSDT', seq: 9, ts: 5, bids: [['1', '1']], asks: [] } };
    expect(decodeOrderBook(body, btcusdt, 7)).toMatchObject({
      kind: 'depth',
      snapshot: true,
      lastId: 9,
      exchangeUs: 5000,
      receiveUs: 7,
    });
  });

  it('of another symbol is a failure', () => {
    expect(decodeOrderBook({ symbol: 'ETHUSDT', seq: 9, ts: 5, bids: [], asks: [] }, btcusdt, 7)).toMatchObject({
      field: 'symbol',
    });
  });
});

describe('private frames', () => {
  it('take one order or a list of them', () => {
    fc.assert(
      fc.property(fc.array(orderReport, { minLength: 1, maxLength: 3 }), (orders) => {
        const wire = orders.map(encodeOrder);
        expect(decodePrivateFrame(frame('BTCUSDT@order-info', wire))).toEqual({ kind: 'orders', orders });
        expect(decodePrivateFrame(frame('BTCUSDT@order-history', wire[0]))).toEqual({
          kind: 'orders',
          orders: orders.slice(0, 1),
        });
      }),
    );
  });

  it('take a list as items, too', () => {
    const row = encodeOrder(fc.sample(orderReport, { numRuns: 1, seed: 1 })[0]!);
    const bare = decodePrivateFrame(frame('BTCUSDT@order-info', [row, row]));
    expect(bare).toMatchObject({ kind: 'orders', orders: { length: 2 } });
    expect(decodePrivateFrame(frame('BTCUSDT@order-info', { items: [row, row] }))).toEqual(bare);
    expect(decodePrivateFrame(frame('CLNTF@my-balances', { items: [] }))).toEqual({ kind: 'balances', balances: [] });
    expect(decodePrivateFrame(frame('CLNTF@my-balances', { items: null })).kind).toBe('failure');
  });

  it('spoil whole when one row does not decode', () => {
    fc.assert(
      fc.property(venueFill, (fill) => {
        const result = decodePrivateFrame(frame('BTCUSDT@my-trades', [fill, { ...fill, fee: null }]));
        expect(result).toMatchObject({ kind: 'failure', source: 'BTCUSDT@my-trades', field: '1.fee' });
      }),
    );
  });
});

describe('socket messages', () => {
  it('read any text without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        readServerMessage(text);
        readClientMessage(text);
      }),
      { numRuns: 500 },
    );
  });

  it('carry a push with and without seq', () => {
    expect(readServerMessage(encodePush('BTCUSDT@depth', 4, 5, { a: 1 }))).toEqual({
      kind: 'push',
      channel: 'BTCUSDT@depth',
      seq: 4,
      ts: 5,
      data: { a: 1 },
    });
    expect(readServerMessage(encodePush('BTCUSDT@depth', null, 5, []))).toMatchObject({ kind: 'push', seq: null });
    expect(readServerMessage('{"channel":"x","seq":1.5,"data":1}').kind).toBe('unreadable');
  });
});
