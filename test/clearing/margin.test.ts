/** Margin arithmetic: every formula worked by hand, and the laws that join them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ZERO, dec, type Decimal } from '../../src/model/numbers/money.ts';
import { Position } from '../../src/model/trading/position.ts';
import {
  bankruptcyCollaterals,
  marginState,
  unneeded,
  type MarkedPosition,
} from '../../src/clearing/margin/cross-account.ts';
import { exposureOf, fundingPayment, notionalOf, unrealizedOf } from '../../src/clearing/margin/exposure.ts';
import { initialMargin, openingLoss, openingValue } from '../../src/clearing/margin/initial-margin.ts';
import { bankruptcyPrice, liquidationPrices } from '../../src/clearing/margin/liquidation.ts';
import { RiskTiers, flatTiers } from '../../src/clearing/margin/risk-tiers.ts';

const table = new RiskTiers([
  { tier: 1, maxNotional: '10000', maxLeverage: 50, maintenanceMarginRate: '0.004' },
  { tier: 2, maxNotional: '50000', maxLeverage: 20, maintenanceMarginRate: '0.01' },
  { tier: 3, maxNotional: '200000', maxLeverage: 5, maintenanceMarginRate: '0.05' },
]);

const long = (quantity: string, entry: string) => ({ quantity: dec(quantity), cost: dec(quantity).times(entry) });
const short = (quantity: string, entry: string) => long(`-${quantity}`, entry);
const at = (exposure: { quantity: Decimal; cost: Decimal }, mark: string): MarkedPosition => ({
  exposure,
  mark: dec(mark),
  tiers: table,
});

describe('risk tiers', () => {
  it('charge each part of the notional with the rate of its tier', () => {
    expect(table.maintenance(dec('10000')).toFixed()).toBe('40');
    expect(table.maintenance(dec('30000')).toFixed()).toBe('240');
    expect(table.maintenance(dec('50000')).toFixed()).toBe('440');
    expect(table.maintenance(dec('60000')).toFixed()).toBe('940');
    expect(table.maintenance(dec('300000')).toFixed()).toBe('12940');
    expect(table.brackets.map(({ amount }) => amount.toFixed())).toEqual(['0', '60', '2060']);
  });

  it('bound leverage by notional, both ways', () => {
    expect([1, 10_000, 10_001, 50_000, 200_000, 200_001].map((value) => table.maxLeverage(dec(value)))).toEqual([
      50,
      50,
      20,
      20,
      5,
      null,
    ]);
    expect([1, 5, 6, 20, 50, 51].map((leverage) => table.maxNotional(leverage).toFixed())).toEqual([
      '200000',
      '200000',
      '50000',
      '50000',
      '10000',
      '0',
    ]);
  });

  it('are refused when they do not rise', () => {
    expect(() => new RiskTiers([])).toThrow(RangeError);
    expect(() => new RiskTiers([table.rows[1]!, table.rows[0]!])).toThrow(/risk tier 1/);
    expect(() => flatTiers('1', 10)).toThrow(RangeError);
  });
});

describe('initial margin', () => {
  it('is cost over leverage, rounded up to 1e-18', () => {
    expect(initialMargin(dec('50000'), 10).toFixed()).toBe('5000');
    expect(initialMargin(dec('-100'), 3).toFixed()).toBe('33.333333333333333334');
  });

  it('counts what the orders of a side open after what they close', () => {
    const orders = [
      { side: 'buy', price: dec('99'), quantity: dec('2') },
      { side: 'sell', price: dec('102'), quantity: dec('0.9') },
      { side: 'sell', price: dec('101'), quantity: dec('0.6') },
    ] as const;
    expect(openingValue('sell', dec('1'), orders).toFixed()).toBe('51');
    expect(openingValue('buy', dec('1'), orders).toFixed()).toBe('198');
    expect(openingValue('buy', dec('-1.5'), orders).toFixed()).toBe('49.5');
    expect(openingValue('sell', dec('-1.5'), orders).toFixed()).toBe('152.4');
  });

  it('an order away from the mark opens with a loss on one side only', () => {
    const order = { price: dec('105'), quantity: dec('2') };
    expect(openingLoss({ side: 'buy', ...order }, dec('100')).toFixed()).toBe('10');
    expect(openingLoss({ side: 'sell', ...order }, dec('100')).toFixed()).toBe('0');
    expect(openingLoss({ side: 'sell', ...order }, dec('106')).toFixed()).toBe('2');
  });
});

describe('liquidation and bankruptcy by hand', () => {
  it('of a long: (50000 − 5000 − 60) / 0.99 in the second tier', () => {
    const position = long('1', '50000');
    expect(liquidationPrices([position], dec('5000'), table)[0]?.toDecimalPlaces(6).toFixed()).toBe('45393.939394');
    expect(bankruptcyPrice(position, dec('5000'), ZERO).toFixed()).toBe('45000');
    expect(bankruptcyPrice(position, dec('5000'), dec('0.1')).toFixed()).toBe('50000');
  });

  it('of a short whose rise takes it to another tier: (40000 + 12000 + 2060) / 1.05', () => {
    const position = short('1', '40000');
    expect(liquidationPrices([position], dec('12000'), table)[0]?.toDecimalPlaces(6).toFixed()).toBe('51485.714286');
    expect(bankruptcyPrice(position, dec('12000'), ZERO).toFixed()).toBe('52000');
    expect(bankruptcyPrice(position, dec('12000'), dec('0.3')).toFixed()).toBe('40000');
  });

  it('a long whose collateral covers its cost is never liquidated', () => {
    expect(liquidationPrices([long('1', '100')], dec('100'), table)).toEqual([]);
    expect(liquidationPrices([{ quantity: ZERO, cost: ZERO }], dec('100'), table)).toEqual([]);
  });

  it('of a cross account: equity, maintenance, ratio', () => {
    const btc = at(long('1', '20000'), '19000');
    const eth = at(short('10', '1000'), '1050');
    const state = marginState(dec('2000'), [btc, eth]);
    expect([state.equity.toFixed(), state.maintenance.toFixed(), state.isLiquidated]).toEqual(['500', '175', false]);
    expect(state.ratio?.toFixed()).toBe('0.35');
    expect(unneeded(dec('2000'), [eth]).toFixed()).toBe('1455');
    expect(marginState(dec('1675'), [btc, eth])).toMatchObject({ isLiquidated: true });
    expect(marginState(dec('1000'), [btc, eth]).ratio).toBeNull();
    expect(marginState(dec('0'), []).isLiquidated).toBe(false);
  });
});

describe('funding', () => {
  it('longs pay a positive rate, shorts get it', () => {
    expect(fundingPayment(long('0.5', '1'), dec('0.0001'), dec('60000')).toFixed()).toBe('-3');
    expect(fundingPayment(short('0.5', '1'), dec('0.0001'), dec('60000')).toFixed()).toBe('3');
    expect(fundingPayment(short('0.5', '1'), dec('-0.0001'), dec('60000')).toFixed()).toBe('-3');
  });
});

const size = fc.integer({ min: 1, max: 400 }).map((lots) => dec(lots).div(100));
const price = fc.integer({ min: 1000, max: 90_000 }).map(dec);
const leverage = fc.integer({ min: 2, max: 50 });

describe('laws', () => {
  it('maintenance margin is continuous, rises, and is never below the first rate nor above the last', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400_000 }), (value) => {
        const here = table.maintenance(dec(value));
        expect(here.gte(dec(value).times('0.004')) && here.lte(dec(value).times('0.05'))).toBe(true);
        const step = table.maintenance(dec(value + 1)).minus(here);
        expect(step.gte('0.004') && step.lte('0.05')).toBe(true);
      }),
    );
  });

  it('at the liquidation price equity is the maintenance margin; closing at the bankruptcy price leaves nothing', () => {
    fc.assert(
      fc.property(size, price, leverage, fc.boolean(), (quantity, entry, times, isLong) => {
        const position = new Position();
        position.apply(isLong ? 'buy' : 'sell', entry, quantity);
        const exposure = exposureOf(position, dec('1'));
        const margin = initialMargin(exposure.cost, times);
        const [liquidation = null] = liquidationPrices([exposure], margin, table);
        const fee = dec('0.002');
        const bankruptcy = bankruptcyPrice(exposure, margin, fee);
        const left = margin.plus(unrealizedOf(exposure, bankruptcy)).minus(notionalOf(exposure, bankruptcy).times(fee));
        expect(left.abs().lt('1e-15')).toBe(true);
        if (liquidation === null) throw new Error('leverage of two or more has a liquidation price');
        const equity = margin.plus(unrealizedOf(exposure, liquidation));
        expect(
          equity
            .minus(table.maintenance(notionalOf(exposure, liquidation)))
            .abs()
            .lt('1e-15'),
        ).toBe(true);
      }),
    );
  });

  it('at each liquidation price of both sides of hedge mode equity is what both must keep', () => {
    fc.assert(
      fc.property(size, price, size, price, leverage, (bought, entry, sold, exit, times) => {
        const sides = [
          { quantity: bought, cost: bought.times(entry) },
          { quantity: sold.neg(), cost: sold.neg().times(exit) },
        ];
        const balance = sides.reduce((sum, { cost }) => sum.plus(initialMargin(cost, times)), ZERO);
        const prices = liquidationPrices(sides, balance, table);
        const lacks = (mark: Decimal): Decimal => {
          const { equity, maintenance } = marginState(
            balance,
            sides.map((exposure) => ({ exposure, mark, tiers: table })),
          );
          return maintenance.minus(equity);
        };
        expect(prices.length).toBeLessThanOrEqual(2);
        for (const found of prices) expect(lacks(found).abs().lt('1e-12')).toBe(true);
        // Where it is safe at one price and due at another, one of them lies between.
        const [safe, due] = [entry, exit].map(lacks).toSorted((one, other) => one.cmp(other));
        if (safe!.isNegative() && due!.gt(0)) expect(prices.length).toBeGreaterThan(0);
      }),
    );
  });

  it('of both sides of hedge mode by hand', () => {
    // Near 21,500 the long is in the third tier, the short in the second one: 3 · 0.05 − 2060 and 2 · 0.01 − 60.
    const sides = [long('3', '50000'), short('2', '50000')];
    const expected = (150_000 - 100_000 - 30_000 - 2060 - 60) / (3 - 2 - 3 * 0.05 - 2 * 0.01);
    expect(liquidationPrices(sides, dec('30000'), table)[0]?.toNumber()).toBeCloseTo(expected, 9);
  });

  it('closing a whole cross account at its bankruptcy prices leaves nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(size, price, price, fc.boolean()), { minLength: 1, maxLength: 4 }), (rows) => {
        const positions = rows.map(([quantity, entry, mark, isLong]) => {
          const signed = isLong ? quantity : quantity.neg();
          return { exposure: { quantity: signed, cost: signed.times(entry) }, mark, tiers: table };
        });
        const balance = dec('12345');
        const fee = dec('0.002');
        const collaterals = bankruptcyCollaterals(balance, positions);
        let left = balance;
        for (const [index, { exposure }] of positions.entries()) {
          const bankruptcy = bankruptcyPrice(exposure, collaterals[index]!, fee);
          left = left
            .plus(unrealizedOf(exposure, bankruptcy))
            .minus(exposure.quantity.abs().times(bankruptcy).times(fee));
        }
        expect(left.abs().lt('1e-12')).toBe(true);
      }),
    );
  });
});
