/** Indicators against vectors of TA-Lib, which test/strategy/vectors/write.py makes; warm at the same bar. */
import { expect, test } from 'vitest';
import { indicators } from '../../src/strategy/indicators/indicators.ts';
import vectors from './vectors/talib.json' with { type: 'json' };

const { bars } = vectors;

function agrees(got: readonly (number | undefined)[], expected: readonly (number | null)[]): void {
  expect(got).toHaveLength(expected.length);
  for (const [index, value] of expected.entries()) {
    const own = got[index];
    if (value === null) expect(own, `value ${index}`).toBeUndefined();
    else expect(Math.abs((own ?? Number.NaN) - value), `value ${index}`).toBeLessThan(1e-9);
  }
}

test('indicators/talib/obv-mfi-aroon-donchian-z-score', () => {
  const obv = indicators.obv();
  const mfi = indicators.mfi(14);
  const zScore = indicators.zScore(20);
  agrees(
    bars.map((bar) => obv.next(bar)),
    vectors.obv,
  );
  agrees(
    bars.map((bar) => mfi.next(bar)),
    vectors.mfi,
  );
  agrees(
    bars.map((bar) => zScore.next(bar.close)),
    vectors.zScore,
  );
  const aroon = indicators.aroon(14);
  const ages = bars.map((bar) => aroon.next(bar));
  agrees(
    ages.map((value) => value?.up),
    vectors.aroonUp,
  );
  agrees(
    ages.map((value) => value?.down),
    vectors.aroonDown,
  );
  const donchian = indicators.donchian(20);
  const bands = bars.map((bar) => donchian.next(bar));
  agrees(
    bands.map((value) => value?.upper),
    vectors.donchianUpper,
  );
  agrees(
    bands.map((value) => value?.lower),
    vectors.donchianLower,
  );
});
