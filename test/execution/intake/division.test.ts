/** Shares of a liquidation: exact, in lots, never more than was liquidated. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choicesOf, quantitiesOf, sharesOf } from '../../../src/execution/intake/division.ts';
import type { VenueFill } from '../../../src/model/trading/fill.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../../src/model/numbers/money.ts';

const LOT = dec('0.001');

function fillOf(lots: number, index = 0): VenueFill {
  return {
    tradeId: `t${index}`,
    orderId: 'liq',
    symbol: 'P',
    market: 'derivative',
    side: 'sell',
    price: '50000',
    quantity: decimalText(LOT.times(lots)),
    fee: '0.7',
    feeCurrency: 'USDT',
    liquidity: 'taker',
    ts: 1,
  };
}

const holdersOf = (lots: readonly number[]) =>
  lots.map((each, index) => ({ strategy: `s${index}`, quantity: decimalText(LOT.times(each)) }));

const texts = (quantities: ReadonlyMap<string, Decimal> | undefined): string[] =>
  [...(quantities ?? [])].map(([strategy, quantity]) => `${strategy} ${decimalText(quantity)}`);

const sum = (amounts: readonly string[]): Decimal => amounts.reduce((all, one) => all.plus(one), ZERO);

describe('a division', () => {
  it('gives what rounding leaves to the largest remainders', () => {
    const one = { fills: [fillOf(10)], holders: holdersOf([5, 4, 3]) };
    // 4.17, 3.33 and 2.5 lots.
    expect(texts(quantitiesOf(one, 'pro-rata', LOT))).toEqual(['s0 0.004', 's1 0.003', 's2 0.003']);
  });

  it('leaves to others what nobody held', () => {
    const one = { fills: [fillOf(10)], holders: holdersOf([5, 4]) };
    expect(texts(quantitiesOf(one, 'pro-rata', LOT))).toEqual(['s0 0.005', 's1 0.004']);
  });

  it('has the choices of its holders and no other', () => {
    const one = { fills: [fillOf(10)], holders: holdersOf([5, 4]) };
    expect(choicesOf({ id: 'l', ...one })).toEqual(['pro-rata', 'all:s0', 'all:s1', 'none']);
    expect(quantitiesOf(one, 'all:s2', LOT)).toBeUndefined();
    expect(texts(quantitiesOf(one, 'none', LOT))).toEqual([]);
  });

  it('adds up to the last digit of quantity and fee, however many trades and holders', () => {
    const lots = fc.integer({ min: 1, max: 1_000 });
    const lists = [
      fc.array(lots, { minLength: 1, maxLength: 6 }),
      fc.array(lots, { minLength: 2, maxLength: 5 }),
    ] as const;
    fc.assert(
      fc.property(...lists, (traded, heldLots) => {
        const fills = traded.map(fillOf);
        const holders = holdersOf(heldLots);
        const whole = sum(fills.map(({ quantity }) => quantity));
        const held = sum(holders.map(({ quantity }) => quantity));
        for (const choice of choicesOf({ id: 'l', fills, holders })) {
          const quantities = quantitiesOf({ fills, holders }, choice, LOT)!;
          const shares = sharesOf(fills, quantities, LOT);
          for (const [strategy, quantity] of quantities) {
            const own = shares.filter((share) => share.strategy === strategy);
            expect(decimalText(sum(own.map(({ fill }) => fill.quantity)))).toBe(decimalText(quantity));
            expect(quantity.over(LOT, 3, 'down').isInteger()).toBe(true);
            const most = holders.find((one) => one.strategy === strategy)?.quantity ?? '0';
            if (choice === 'pro-rata') expect(quantity.lte(most)).toBe(true);
          }
          const isWhole = choice !== 'none' && (choice !== 'pro-rata' || held.gte(whole));
          for (const fill of isWhole ? fills : []) {
            const parts = shares.filter((share) => share.fill.tradeId === fill.tradeId);
            expect(decimalText(sum(parts.map((part) => part.fill.quantity)))).toBe(fill.quantity);
            expect(decimalText(sum(parts.map((part) => part.fill.fee)))).toBe(fill.fee);
          }
        }
      }),
    );
  });
});
