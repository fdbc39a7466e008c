import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dec, decimalText, ZERO } from '../../../src/model/numbers/money.ts';
import { Position } from '../../../src/model/trading/position.ts';

const fills = fc.array(
  fc.record({
    side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
    price: fc.integer({ min: 1, max: 10_000_000 }).map((ticks) => dec(ticks).div(100)),
    quantity: fc.integer({ min: 1, max: 1_000_000 }).map((lots) => dec(lots).div(100_000)),
  }),
  { maxLength: 40 },
);

describe('a position', () => {
  it('is the sum of its fills', () => {
    fc.assert(
      fc.property(fills, (list) => {
        const position = new Position();
        let sum = ZERO;
        for (const { side, price, quantity } of list) {
          position.apply(side, price, quantity);
          sum = sum.plus(side === 'buy' ? quantity : quantity.neg());
          expect(position.quantity.eq(sum)).toBe(true);
        }
      }),
    );
  });

  it('makes realised plus unrealised equal to the change of cash plus value, exactly, at any mark', () => {
    fc.assert(
      fc.property(fills, fc.integer({ min: 1, max: 10_000_000 }), (list, markTicks) => {
        const position = new Position();
        let cash = ZERO;
        for (const { side, price, quantity } of list) {
          position.apply(side, price, quantity);
          cash = cash.minus(price.times(side === 'buy' ? quantity : quantity.neg()));
        }
        const mark = dec(markTicks).div(100);
        const equity = cash.plus(mark.times(position.quantity));
        expect(decimalText(position.realized.plus(position.unrealized(mark)))).toBe(decimalText(equity));
      }),
    );
  });

  it('answers the profits that add up to what is realised, and has no cost when flat', () => {
    fc.assert(
      fc.property(fills, (list) => {
        const position = new Position();
        let profit = ZERO;
        for (const { side, price, quantity } of list) {
          profit = profit.plus(position.apply(side, price, quantity));
          const average = position.quantity.isZero() ? null : position.cost.div(position.quantity);
          expect([position.entryPrice, position.entryPrice]).toEqual([average, average]);
          if (position.quantity.isZero()) {
            expect(position.cost.isZero()).toBe(true);
            expect(position.entryPrice).toBeNull();
          }
        }
        expect(profit.eq(position.realized)).toBe(true);
      }),
    );
  });

  it('keeps the entry price of the rest on a partial close and takes the new price through zero', () => {
    const position = new Position();
    position.apply('buy', dec('100'), dec('1'));
    position.apply('buy', dec('110'), dec('1'));
    expect(decimalText(position.apply('sell', dec('120'), dec('0.5')))).toBe('7.5');
    expect(decimalText(position.entryPrice ?? ZERO)).toBe('105');
    position.apply('sell', dec('90'), dec('2'));
    expect(decimalText(position.quantity)).toBe('-0.5');
    expect(decimalText(position.entryPrice ?? ZERO)).toBe('90');
  });

  it('books a fee in base as a sale at the given price, so that equity pays it and nothing is made', () => {
    fc.assert(
      fc.property(
        fills,
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 1, max: 10_000_000 }),
        (list, feeLots, priceTicks) => {
          const position = new Position();
          for (const { side, price, quantity } of list) position.apply(side, price, quantity);
          const mark = dec(priceTicks).div(100);
          const before = position.realized.plus(position.unrealized(mark));
          position.remove(dec(feeLots).div(100_000), mark);
          expect(decimalText(position.realized.plus(position.unrealized(mark)))).toBe(decimalText(before));
        },
      ),
    );
  });
});
