/** P2P on the wire: scaled integers both ways, both spellings of the counts, objects that are described as arrays. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { p2pTradeStatuses } from '../../../../src/exchange/interface/states.ts';
import { decodeObject } from '../../../../src/exchange/wire/body.ts';
import { advertisementSchema, encodeP2pTrade, p2pTradeSchema } from '../../../../src/exchange/wire/p2p/p2p.ts';
import type { P2pTrade } from '../../../../src/model/funds/p2p.ts';
import { p2pMarketSchema } from '../../../../src/exchange/wire/p2p/p2p-market.ts';
import { readScaled, scaledText } from '../../../../src/exchange/wire/p2p/p2p-scaled.ts';
import { unitsText } from '../../../../src/model/numbers/fixed-text.ts';
import { assumedDefaults } from '../../../../src/sandbox/core/assumptions.ts';
import { p2pMarketBody, p2pMarketsOf } from '../../../../src/sandbox/core/p2p/markets.ts';

const scales = { RUB: 2, USDT: 4 } as const;
const number = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const idText = fc.stringMatching(/^[A-Za-z0-9_-]{1,24}$/);
const time = fc.nat({ max: 4_000_000_000_000 });

const trade: fc.Arbitrary<P2pTrade> = fc
  .record({
    received: fc.constantFrom('RUB' as const, 'USDT' as const),
    numbers: fc.tuple(number, number, number),
    ids: fc.tuple(idText, idText, idText, idText, idText, idText, idText, idText),
    status: fc.constantFrom(...p2pTradeStatuses),
    times: fc.tuple(time, time),
  })
  .map(({ received, numbers, ids, status, times }) => {
    const sent = received === 'RUB' ? 'USDT' : 'RUB';
    return {
      tradeId: ids[0],
      idNumber: ids[1],
      volume: unitsText(numbers[0], scales[received]),
      volumeCurrency: received,
      amount: unitsText(numbers[1], scales[sent]),
      amountCurrency: sent,
      price: unitsText(numbers[2], 4),
      status,
      sellUserId: ids[2],
      buyUserId: ids[3],
      roomId: ids[4],
      advertisementId: ids[5],
      marketId: ids[6],
      paymentMethodId: ids[7],
      createdAt: times[0],
      updatedAt: times[1],
    };
  });

const sample = {
  id: 7,
  idNumber: '1',
  volume: '1000000',
  volumeCurrencyId: 'USDT',
  amount: 955000,
  amountCurrencyId: 'RUB',
  price: '955000',
  status: 'open',
  sellUserId: 'a',
  buyUserId: 'b',
  roomId: 'r',
  advertisementId: 'ad',
  marketId: 'USDTRUB',
  paymentMethodId: '1',
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: 1767323045000,
};

function problem(json: unknown): string {
  const result = decodeObject(p2pTradeSchema, 'test', json);
  return result.kind === 'failure' ? result.field : 'none';
}

describe('P2P trades on the wire', () => {
  it('come back as they were, through scaled integers', () => {
    fc.assert(
      fc.property(trade, (value) => {
        const wire: unknown = JSON.parse(JSON.stringify(encodeP2pTrade(value)));
        expect(decodeObject(p2pTradeSchema, 'test', wire)).toEqual({ kind: 'value', value });
      }),
    );
  });

  it('are divided by the precision of each currency', () => {
    expect(decodeObject(p2pTradeSchema, 'test', { data: sample })).toMatchObject({
      kind: 'value',
      value: { tradeId: '7', volume: '100', amount: '9550', price: '95.5', createdAt: 1767323045000 },
    });
  });

  it('are refused when a number is no scaled integer or its precision is not documented', () => {
    for (const volume of ['100.0', '-1', '1e3', '', null, undefined, 1.5, 2 ** 53, ' 1']) {
      expect(problem({ ...sample, volume })).toBe('volume');
    }
    expect(problem({ ...sample, amountCurrencyId: 'BTC' })).toBe('amount');
    expect(problem({ ...sample, status: 'lost' })).toBe('status');
    expect(() => scaledText('0.00001', 4)).toThrow(RangeError);
    expect(() => scaledText('-1', 4)).toThrow(RangeError);
    expect(readScaled('123', 2)).toBe('1.23');
  });
});

describe('P2P pairs on the wire', () => {
  const body = p2pMarketBody(p2pMarketsOf(assumedDefaults.p2p)[0]!) as Readonly<Record<string, unknown>>;
  const read = (json: unknown): unknown => decodeObject(p2pMarketSchema, 'test', json);

  it('are read with either spelling of the active counts, and not without', () => {
    const {
      advertisementMaxCountSell: sell,
      advertisementMaxCountBuy: buy,
      advertisementMaxCountActiveSell: activeSell,
      advertisementMaxCountActiveBuy: activeBuy,
      ...rest
    } = body;
    const expected = {
      kind: 'value',
      value: { marketId: 'USDTRUB', activeSellMax: 3, activeBuyMax: 3, basePrecision: 4, quotePrecision: 2 },
    };
    const short = { ...rest, advertisementMaxCountSell: sell, advertisementMaxCountBuy: buy };
    expect(read(short)).toMatchObject(expected);
    const long = { ...rest, advertisementMaxCountActiveSell: activeSell, advertisementMaxCountActiveBuy: activeBuy };
    expect(read(long)).toMatchObject(expected);
    expect(read(body)).toMatchObject(expected);
    expect(read(rest)).toMatchObject({ kind: 'failure', field: 'advertisementMaxCountSell' });
  });

  it('are read with the rule as object or array', () => {
    const rule = body['marketPriceValidationRule'] as Readonly<Record<string, unknown>>;
    const wrapped = { ...body, marketPriceValidationRule: [{ ...rule, params: [rule['params']] }] };
    for (const json of [body, wrapped]) {
      expect(read(json)).toMatchObject({
        value: { rule: { ruleType: 'anchor', ask: '10', bid: '10', price: '95' } },
      });
    }
    const advertisement = { id: '1', market: [] };
    expect(decodeObject(advertisementSchema, 'test', advertisement)).toMatchObject({ kind: 'failure' });
  });
});
