import { expect, test } from 'vitest';
import { exposureOf } from '../../src/statistics/exposure.ts';
import type { FillRecord } from '../../src/statistics/inputs.ts';
import { seriesOf } from '../../src/statistics/series.ts';
import { valuesOf } from '../../src/statistics/valuation.ts';
import { BTC, fill } from './fixtures.ts';

function exposure(fills: readonly FillRecord[]) {
  return exposureOf({
    values: valuesOf(fills, { BTCUSDT: BTC, ETHUSDT: { ...BTC, base: 'ETH' } }),
    equity: seriesOf([
      [0, 1000],
      [20, 1000],
      [40, 1000],
      [60, 1000],
    ]),
    mids: {
      BTCUSDT: seriesOf([
        [0, 100],
        [40, 200],
      ]),
    },
    from: 0,
    to: 100,
  });
}

test('exposure and leverage are weighted by time', () => {
  const result = exposure([
    fill({ ts: 20, side: 'buy', price: '100', quantity: '5' }),
    fill({ ts: 60, side: 'sell', price: '200', quantity: '5' }),
  ]);
  expect(result.exposurePct).toBeCloseTo(40, 12);
  // 0.5 from 20 to 40, 1 from 40 to 60.
  expect(result.meanLeverage).toBeCloseTo(0.3, 12);
  expect(result.maxLeverage).toBe(1);
});

test('a short counts with its size, and two symbols at a time count once', () => {
  const result = exposure([
    fill({ ts: 0, side: 'sell', price: '100', quantity: '5' }),
    fill({ ts: 20, symbol: 'ETHUSDT', side: 'buy', price: '10', quantity: '5' }),
    fill({ ts: 40, side: 'buy', price: '100', quantity: '5' }),
  ]);
  expect(result.exposurePct).toBe(100);
  expect(result.maxLeverage).toBeCloseTo(0.55, 12);
});

test('what a fee in base leaves below a lot is no position', () => {
  const result = exposure([
    fill({ ts: 0, side: 'buy', price: '100', quantity: '1', fee: '0.000005', feeCurrency: 'BTC' }),
    fill({ ts: 50, side: 'sell', price: '100', quantity: '1' }),
  ]);
  expect(result.exposurePct).toBe(50);
});

test('what is quoted in another currency counts at the rate of each moment, of unknown worth with its time alone', () => {
  const of = (more: object) => {
    const symbols = { ETHBTC: { ...BTC, base: 'ETH', quote: 'BTC', ...more } };
    return exposureOf({
      values: valuesOf(
        [fill({ ts: 0, symbol: 'ETHBTC', side: 'buy', price: '0.5', quantity: '10', ...more })],
        symbols,
      ),
      equity: seriesOf([
        [0, 1000],
        [50, 1000],
      ]),
      mids: {
        ETHBTC: seriesOf([[0, 0.5]]),
        BTCUSDT: seriesOf([
          [0, 100],
          [50, 140],
        ]),
      },
      from: 0,
      to: 100,
    });
  };
  expect(of({ quoteRate: '140', rateBy: { symbol: 'BTCUSDT', inverse: false } }).meanLeverage).toBeCloseTo(
    (0.5 + 0.7) / 2,
    12,
  );
  // Without its path the rate of the fill.
  expect(of({ quoteRate: '120' }).meanLeverage).toBeCloseTo(0.6, 12);
  const unknown = { ETHBTC: { ...BTC, base: 'ETH', quote: 'BTC', quoteRate: null } };
  const values = valuesOf([fill({ symbol: 'ETHBTC', side: 'buy', price: '0.5', quantity: '10', ts: 0 })], unknown);
  expect(exposureOf({ values, equity: seriesOf([[0, 1000]]), mids: {}, from: 0, to: 100 })).toEqual({
    exposurePct: 100,
    meanLeverage: 0,
    maxLeverage: 0,
  });
});
