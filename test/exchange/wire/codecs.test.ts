import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { balanceByZod, balanceSchema, encodeBalance } from '../../../src/exchange/wire/balances.ts';
import { decodeList, decodeObject, decodePage, parseJson } from '../../../src/exchange/wire/body.ts';
import { encodeFill, fillByZod, fillSchema } from '../../../src/exchange/wire/fills.ts';
import {
  derivativeInstrumentSchema,
  encodeInstrument,
  spotInstrumentSchema,
} from '../../../src/exchange/wire/market/instruments.ts';
import {
  candleSchema,
  encodeCandle,
  encodeTicker,
  tickerSchema,
} from '../../../src/exchange/wire/market/market-data.ts';
import {
  encodeOrder,
  encodeOrderRequest,
  orderByZod,
  orderRequestSchema,
  orderSchema,
} from '../../../src/exchange/wire/orders.ts';
import { encodePosition, positionSchema } from '../../../src/exchange/wire/positions.ts';
import { readDecimal, readTime } from '../../../src/exchange/wire/scalars.ts';
import {
  amountText,
  balance,
  btc,
  decimalText,
  mutated,
  orderReport,
  perpetual,
  venueFill,
  venuePosition,
} from './samples.ts';

function throughText(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

interface Codec {
  readonly name: string;
  readonly schema: z.ZodType<object>;
  /** Each value beside its wire form. */
  readonly pairs: fc.Arbitrary<{ readonly value: object; readonly wire: unknown }>;
}

function codec<T extends object>(
  name: string,
  schema: z.ZodType<T>,
  values: fc.Arbitrary<T>,
  encode: (value: T) => Record<string, unknown>,
): Codec {
  return { name, schema, pairs: values.map((value) => ({ value, wire: throughText(encode(value)) })) };
}

const codecs = [
  codec('order', orderSchema, orderReport, encodeOrder),
  codec('fill', fillSchema, venueFill, encodeFill),
  codec('balance', balanceSchema, balance, encodeBalance),
  codec('position', positionSchema, venuePosition, encodePosition),
];

describe.each(codecs)('the codec of $name', ({ name, schema, pairs }) => {
  it('reads what it wrote, bare and wrapped, with unknown fields beside it', () => {
    fc.assert(
      fc.property(pairs, ({ value, wire }) => {
        expect(decodeObject(schema, name, wire)).toEqual({ kind: 'value', value });
        expect(decodeObject(schema, name, { data: wire })).toEqual({ kind: 'value', value });
        expect(decodeObject(schema, name, { ...(wire as object), newField: { deep: [1] } })).toEqual({
          kind: 'value',
          value,
        });
      }),
    );
  });

  it('answers a value or a failure that names the place for anything mutated, and never throws', () => {
    fc.assert(
      fc.property(
        pairs.chain(({ wire }) => mutated(wire)),
        (json) => {
          const result = decodeObject(schema, name, json);
          if (result.kind === 'value') return;
          expect(result.source).toBe(name);
          expect(result.problem).not.toBe('');
          expect(result.sample.length).toBeLessThan(200);
        },
      ),
    );
  });
});

describe('instruments', () => {
  it('read what they wrote', () => {
    expect(decodeObject(spotInstrumentSchema, 'spot', throughText(encodeInstrument(btc)))).toEqual({
      kind: 'value',
      value: btc,
    });
    expect(decodeObject(derivativeInstrumentSchema, 'perp', throughText(encodeInstrument(perpetual)))).toEqual({
      kind: 'value',
      value: perpetual,
    });
  });

  it('are refused without a tick', () => {
    const { tickSize: _tick, ...rest } = encodeInstrument(btc);
    expect(decodeObject(spotInstrumentSchema, 'spotInstruments', rest)).toMatchObject({
      kind: 'failure',
      source: 'spotInstruments',
      field: 'tickSize',
    });
    expect(decodeObject(spotInstrumentSchema, 'spot', { ...rest, tickSize: '0' }).kind).toBe('failure');
  });
});

describe('tickers and candles', () => {
  it('read what they wrote', () => {
    const ticker = {
      symbol: 'BTCUSDT',
      last: 1.5,
      bid: 1e-7,
      ask: 2,
      open: 1,
      high: 3,
      low: 0,
      volume: 1e9,
      quoteVolume: 5,
      ts: 7,
    };
    const candle = { openTime: 60_000, open: 1, high: 2.25, low: 0.000_001, close: 2, volume: 10, closed: true };
    expect(decodeObject(tickerSchema, 'ticker', throughText(encodeTicker(ticker)))).toEqual({
      kind: 'value',
      value: ticker,
    });
    expect(decodeObject(candleSchema, 'candle', throughText(encodeCandle(candle)))).toEqual({
      kind: 'value',
      value: candle,
    });
    expect(JSON.stringify(encodeTicker(ticker))).not.toMatch(/e-7/);
  });
});

describe('order requests', () => {
  const request = {
    market: 'spot',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    timeInForce: 'gtc',
    price: '60000.5',
    quantity: '0.001',
    clientOrderId: 'maker-1',
  } as const;

  it('carry the client order id only where the exchange keeps it', () => {
    expect(encodeOrderRequest(request, true)).toHaveProperty('clientOrderId', 'maker-1');
    expect(encodeOrderRequest(request, false)).not.toHaveProperty('clientOrderId');
  });

  it('carry no price and no time in force on market orders', () => {
    const body = encodeOrderRequest({ ...request, type: 'market', price: null, timeInForce: 'ioc' }, true);
    expect(Object.keys(body)).toEqual(['symbol', 'side', 'type', 'quantity', 'clientOrderId']);
    expect(orderRequestSchema.safeParse(body).success).toBe(true);
  });

  it('are refused by the reader when a limit order has no price', () => {
    const { price: _price, ...body } = encodeOrderRequest(request, true);
    expect(orderRequestSchema.safeParse(body).success).toBe(false);
  });
});

describe('order reports', () => {
  const wire = throughText(
    encodeOrder({
      orderId: '1',
      market: 'spot',
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      timeInForce: 'gtc',
      price: '1',
      quantity: '1',
      filledQuantity: '0',
      averagePrice: null,
      status: 'new',
      createdAt: 1,
      updatedAt: 1,
    }),
  ) as Record<string, unknown>;

  it('take times as ms, text or ISO, and decimals as numbers or text', () => {
    const tolerant = {
      ...wire,
      price: 1.5,
      quantity: '1.500',
      averagePrice: 0,
      createdAt: '1700000000000',
      updatedAt: '2024-01-02T03:04:05Z',
    };
    expect(decodeObject(orderSchema, 'order', tolerant)).toMatchObject({
      kind: 'value',
      value: {
        price: '1.5',
        quantity: '1.5',
        averagePrice: null,
        createdAt: 1_700_000_000_000,
        updatedAt: 1_704_164_645_000,
      },
    });
  });

  it('know their market by their symbol when they do not say it', () => {
    const { market: _market, ...silent } = wire;
    expect(decodeObject(orderSchema, 'order', silent)).toMatchObject({ value: { market: 'spot' } });
    expect(decodeObject(orderSchema, 'order', { ...silent, symbol: 'BTCUSDTPERP' })).toMatchObject({
      value: { market: 'derivative' },
    });
  });

  it('fail on a limit order without a price and on an unsafe id', () => {
    expect(decodeObject(orderSchema, 'order', { ...wire, price: null })).toMatchObject({
      kind: 'failure',
      field: 'price',
    });
    expect(decodeObject(orderSchema, 'order', { ...wire, orderId: 2 ** 53 + 2 })).toMatchObject({
      kind: 'failure',
      field: 'orderId',
    });
  });
});

describe('rows by hand', () => {
  const odd = fc.constantFrom('007.50', '-0', '1e3', '1.', '', ' 1', '0.10', 5, 0.1, -0, 1e-9, 2 ** 60, null, true, []);
  const rows = [
    { name: 'orders', byHand: orderSchema, byZod: orderByZod, wire: orderReport.map(encodeOrder) },
    { name: 'own trades', byHand: fillSchema, byZod: fillByZod, wire: venueFill.map(encodeFill) },
    { name: 'balances', byHand: balanceSchema, byZod: balanceByZod, wire: balance.map(encodeBalance) },
  ];

  it.each(rows)('read $name as zod does, values and failures alike', ({ byHand, byZod, wire }) => {
    const withOddField = wire.chain((row) =>
      fc.tuple(fc.constantFrom(...Object.keys(row)), odd).map(([field, value]) => ({ ...row, [field]: value })),
    );
    let refusals = 0;
    fc.assert(
      fc.property(fc.oneof(wire, withOddField, wire.chain(mutated)), (row) => {
        const told = decodeObject<unknown>(byHand, 's', row);
        expect(told).toEqual(decodeObject<unknown>(byZod, 's', row));
        if (told.kind === 'failure') refusals += 1;
      }),
      { numRuns: 600 },
    );
    expect(refusals).toBeGreaterThan(0);
  });
});

describe('lists', () => {
  const row = { account: 'funding', currency: 'BTC', available: '1', locked: '0', total: '1' };

  it('are read bare, wrapped and with items, and say what they know of the next page', () => {
    const items = [row];
    expect(decodePage(balanceSchema, 'balances', items)).toEqual({
      kind: 'value',
      value: { items, nextCursor: undefined },
    });
    expect(decodePage(balanceSchema, 'balances', { items, nextCursor: null })).toEqual({
      kind: 'value',
      value: { items, nextCursor: null },
    });
    expect(decodePage(balanceSchema, 'balances', { data: { items, nextCursor: 'n' } })).toEqual({
      kind: 'value',
      value: { items, nextCursor: 'n' },
    });
    expect(decodePage(balanceSchema, 'balances', { data: items, nextCursor: 5 })).toEqual({
      kind: 'value',
      value: { items, nextCursor: '5' },
    });
  });

  it.each([null, {}, { data: null }, { items: null }, { data: {} }, 'text', 7])(
    'are failures, not empty, when the list is missing: %j',
    (json) => {
      expect(decodeList(balanceSchema, 'balances', json)).toMatchObject({
        kind: 'failure',
        source: 'balances',
        field: 'items',
      });
    },
  );

  it('fail whole when one row fails, and name the row and the field', () => {
    expect(decodeList(balanceSchema, 'balances', [row, { ...row, total: 'much' }])).toMatchObject({
      kind: 'failure',
      field: '1.total',
      sample: 'much',
    });
  });

  it('fail on text that is not JSON', () => {
    expect(parseJson('balances', '<html>')).toMatchObject({ kind: 'failure', problem: 'not JSON', sample: '<html>' });
  });
});

describe('scalars', () => {
  it('keep every canonical decimal as it is', () => {
    fc.assert(fc.property(fc.oneof(amountText, decimalText), (text) => readDecimal(text) === text));
  });

  it('write a JSON number without exponent, and refuse one whose digits are lost', () => {
    expect(readDecimal(1e-8)).toBe('0.00000001');
    expect(readDecimal(0.1)).toBe('0.1');
    expect(readDecimal(2 ** 53 + 2)).toBeUndefined();
  });

  it.each(['1e5', ' 1', '+1', '0x10', '1.', '.5', '', 'Infinity', Number.NaN, Number.POSITIVE_INFINITY, null, [1]])(
    'refuse %j as a decimal',
    (value) => {
      expect(readDecimal(value)).toBeUndefined();
    },
  );

  it.each(['yesterday', '', -1, 9e15, Number.NaN, null, {}])('refuse %j as a time', (value) => {
    expect(readTime(value)).toBeUndefined();
  });
});
