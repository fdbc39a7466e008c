/** Sizing: never above what was asked for, monotone, in whole lots, nothing below the least order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { size } from '../../src/index.ts';
import { Instrument } from '../../src/model/market/instrument.ts';
import { dec } from '../../src/model/numbers/money.ts';

const instrument = new Instrument({
  symbol: 'BTCUSDT',
  market: 'spot',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.0001',
  minQuantity: '0.0002',
  maxQuantity: '50',
  minNotional: '10',
  status: 'trading',
});

const price = fc.integer({ min: 1, max: 9_000_000 }).map((ticks) => instrument.priceText(ticks));
const money = fc.integer({ min: 0, max: 1_000_000_000 }).map((cents) => dec(cents).div(100).toFixed());
const part = fc.integer({ min: 0, max: 1000 }).map((mille) => dec(mille).div(1000).toFixed());

test('fixed risk loses at most the part asked for, is maximal, and grows with it', () => {
  fc.assert(
    fc.property(money, part, part, price, price, (equity, one, other, entry, stop) => {
      fc.pre(entry !== stop);
      const [small, large] = dec(one).lte(other) ? [one, other] : [other, one];
      const less = size.fixedRisk({ equity, fraction: small, entry, stop, instrument });
      const more = size.fixedRisk({ equity, fraction: large, entry, stop, instrument });
      const distance = dec(entry).minus(stop).abs();
      expect(dec(more).times(distance).lte(dec(equity).times(large))).toBe(true);
      expect(dec(less).lte(more)).toBe(true);
      expect(Number.isInteger(instrument.lotsOf(more))).toBe(true);
      if (more === '0') return;
      expect(dec(more).times(entry).gte(10)).toBe(true);
      const next = dec(more).plus('0.0001');
      expect(next.gt(50) || next.times(distance).gt(dec(equity).times(large))).toBe(true);
    }),
  );
});

test('volatility and kelly stay within their budget', () => {
  fc.assert(
    fc.property(money, part, part, part, price, (equity, a, b, cap, at) => {
      if (b !== '0') {
        const held = size.volatility({ equity, target: a, volatility: b, price: at, instrument });
        expect(dec(held).times(at).times(b).lte(dec(equity).times(a))).toBe(true);
      }
      const bet = size.kelly({ winRate: a, payoff: 1.5, cap, equity, price: at, instrument });
      expect(dec(bet).times(at).lte(dec(equity).times(cap))).toBe(true);
      if (Number(a) <= 0.4) expect(bet).toBe('0');
    }),
  );
});

test('worked examples', () => {
  expect(size.fixedRisk({ equity: 10_000, fraction: 0.01, entry: 60_000, stop: 59_000, instrument })).toBe('0.1');
  expect(size.volatility({ equity: 10_000, target: 0.1, volatility: 0.5, price: 60_000, instrument })).toBe('0.0333');
  expect(size.kelly({ winRate: 0.6, payoff: 1, cap: 1, equity: 10_000, price: 50_000, instrument })).toBe('0.04');
  expect(size.fixedRisk({ equity: 1, fraction: 0.01, entry: 60_000, stop: 59_000, instrument })).toBe('0');
});

test('bad input throws by a stable code', () => {
  const good = { equity: 100, fraction: 0.1, entry: 10, stop: 9, instrument };
  for (const bad of [
    { equity: Number.NaN },
    { equity: -1 },
    { fraction: 1.1 },
    { stop: 10 },
    { entry: 0 },
    { entry: 'x' },
  ]) {
    expect(() => size.fixedRisk({ ...good, ...bad })).toThrow(
      expect.objectContaining({ code: 'strategy_size_invalid' }),
    );
  }
});
