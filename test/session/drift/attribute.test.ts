/** The parts of an order's drift add up to the whole of it, to the last digit, and each cause lands in its part. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dec, ZERO, type Decimal } from '../../../src/model/numbers/money.ts';
import { attributeOrder, type OrderEffects } from '../../../src/session/drift/attribute.ts';
import { TradeValue, type TradeFill } from '../../../src/session/drift/trade-value.ts';
import { feeRates } from '../../../src/clearing/fees.ts';
import { instruments } from '../../simulation/market.ts';

const value = new TradeValue({
  instruments,
  marks: new Map([['AAABBB', dec('101.235')]]),
  reporting: 'BBB',
  rates: feeRates({ maker: '0.0002', taker: '0.0005' }),
});

function fill(price: string, quantity: string, more: Partial<TradeFill> = {}): TradeFill {
  const side = more.side ?? 'buy';
  const liquidity = more.liquidity ?? 'maker';
  const feeCurrency = side === 'buy' ? 'AAA' : 'BBB';
  const traded = side === 'buy' ? dec(quantity) : dec(quantity).times(price);
  const fee = traded.times(liquidity === 'maker' ? '0.0002' : '0.0005').toFixed();
  return { symbol: 'AAABBB', side, price, quantity, fee, feeCurrency, liquidity, ts: 0, ...more };
}

function sum(effects: OrderEffects): Decimal {
  return Object.values(effects).reduce((total, amount) => total.plus(amount), ZERO);
}

function texts(effects: OrderEffects): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(effects).map(([part, amount]) => [part, amount.toFixed()]));
}

describe('the drift of one order', () => {
  it('is nothing where it was filled as simulated, in other pieces too', () => {
    const session = [fill('100', '1'), fill('100', '2')];
    expect(attributeOrder({ session, simulated: [fill('100', '3')], sure: dec('3') }, value)).toEqual({});
  });

  it('is missed where the last in line would have been filled, and queue where only some were', () => {
    const simulated = [fill('100', '3')];
    const effects = attributeOrder({ session: [], simulated, sure: dec('1') }, value);
    // 3 × 1.235 less the fee of 0.0002 × 101.235, a third of it missed.
    expect(texts(effects)).toEqual({ missedFills: '-1.214753', queue: '-2.429506' });
  });

  it('is queue where the session got more, and missed where a taker did', () => {
    const more = attributeOrder({ session: [fill('100', '1')], simulated: [], sure: ZERO }, value);
    expect(texts(more)).toEqual({ queue: '1.214753' });
    const taken = fill('100', '1', { liquidity: 'taker' });
    expect(Object.keys(attributeOrder({ session: [taken], simulated: [], sure: ZERO }, value))).toEqual([
      'missedFills',
    ]);
  });

  it('is fees where another rate was charged, and rest where another price was paid', () => {
    const dearer = fill('100', '1', { fee: '0.0003' });
    const same = { simulated: [fill('100', '1')], sure: dec('1') };
    expect(texts(attributeOrder({ session: [dearer], ...same }, value))).toEqual({ fees: '-0.0101235' });
    const worse = attributeOrder({ session: [fill('100.5', '1')], ...same }, value);
    expect(texts(worse)).toEqual({ rest: '-0.5' });
  });

  const hundredths = (max: number, places: number): fc.Arbitrary<string> =>
    fc.integer({ min: 1, max }).map((units) =>
      dec(units)
        .div(10 ** places)
        .toFixed(),
    );
  const fills = (side: 'buy' | 'sell'): fc.Arbitrary<TradeFill[]> =>
    fc.array(
      fc
        .record({
          price: hundredths(30_000, 2),
          quantity: hundredths(9999, 3),
          fee: hundredths(999_999, 7),
          liquidity: fc.constantFrom('maker' as const, 'taker' as const),
        })
        .map(({ price, quantity, ...more }) => fill(price, quantity, { side, ...more })),
      { maxLength: 6 },
    );

  it('adds up exactly, whatever was filled at whatever price and fee', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('buy' as const, 'sell' as const).chain((side) => fc.tuple(fills(side), fills(side))),
        hundredths(30_000, 3),
        ([session, simulated], sure) => {
          const effects = attributeOrder({ session, simulated, sure: dec(sure) }, value);
          expect(sum(effects).eq(value.total(session).minus(value.total(simulated)))).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('says so where a currency has no price', () => {
    expect(() => value.worth('CCC')).toThrow(expect.objectContaining({ code: 'drift_unpriced' }));
  });
});
