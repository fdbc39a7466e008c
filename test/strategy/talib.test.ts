/** Indicators against vectors of TA-Lib and, for hurst, nolds; test/strategy/vectors/write.py makes them. */
import { expect, test } from 'vitest';
import { indicators } from '../../src/strategy/indicators/indicators.ts';
import vectors from './vectors/talib.json' with { type: 'json' };

const bars = vectors.bars.close.map((close, index) => {
  const at = (name: 'open' | 'high' | 'low' | 'volume'): number => vectors.bars[name][index] ?? Number.NaN;
  return { open: at('open'), high: at('high'), low: at('low'), close, volume: at('volume') };
});

/**
 * `expected` are the last values; before them there is none. `from` is where the seed of a recursion is forgotten, and
 * where none is given both are warm at the same bar.
 */
function agrees(got: readonly (number | undefined)[], expected: readonly number[], from?: number): void {
  const warm = got.length - expected.length;
  expect(expected.length).toBeGreaterThan(20);
  if (from === undefined) expect(got.slice(0, warm).filter((value) => value !== undefined)).toEqual([]);
  for (const [index, own] of got.entries()) {
    if (index < Math.max(warm, from ?? 0)) continue;
    const value = expected[index - warm] ?? Number.NaN;
    expect(Math.abs((own ?? Number.NaN) - value), `value ${index}`).toBeLessThan(1e-9);
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

const closes = bars.map((bar) => bar.close);

function each<Input, Value>(
  indicator: { next(input: Input): Value | undefined },
  inputs: readonly Input[],
): readonly (Value | undefined)[] {
  return inputs.map((input) => indicator.next(input));
}

test('indicators/talib/windows agree from the first value on', () => {
  agrees(each(indicators.stochasticRsi(5), closes), vectors.stochasticRsi);
  agrees(each(indicators.bop(), bars), vectors.bop);
  agrees(each(indicators.hma(4), closes), vectors.hma);
  agrees(each(indicators.mom(10), closes), vectors.mom);
  agrees(each(indicators.trima(5), closes), vectors.trima);
  agrees(each(indicators.ultimateOscillator(3, 6, 12), bars), vectors.ultimateOscillator);
  agrees(each(indicators.williamsR(14), bars), vectors.williamsR);
  agrees(each(indicators.ad(), bars), vectors.ad);
  agrees(each(indicators.adosc(2, 3), bars), vectors.adosc);
  agrees(
    each(
      indicators.vroc(14),
      bars.map((bar) => bar.volume),
    ),
    vectors.vroc,
  );
  agrees(each(indicators.percentB(20), closes), vectors.percentB);
  agrees(each(indicators.bollingerBandsWidth(20), closes), vectors.bollingerBandsWidth);
  agrees(each(indicators.vwma(20), bars), vectors.vwma);
  agrees(each(indicators.hurst(32), closes), vectors.hurst);
  const line = each(indicators.linearRegression(7), closes);
  agrees(
    line.map((value) => value?.prediction),
    vectors.linearRegression,
  );
  agrees(
    line.map((value) => value?.slope),
    vectors.slope,
  );
});

test('indicators/talib/recursions agree: parabolic sar and mama at once, the rest when their seed is forgotten', () => {
  agrees(
    each(indicators.parabolicSar(), bars).map((value) => value?.line),
    vectors.sar,
  );
  const adaptive = each(indicators.mama(), closes);
  agrees(
    adaptive.map((value) => value?.mama),
    vectors.mama,
  );
  agrees(
    adaptive.map((value) => value?.fama),
    vectors.fama,
  );
  agrees(each(indicators.tr(), bars), vectors.tr, 1);
  agrees(each(indicators.kama(5), closes), vectors.kama, 5);
  agrees(each(indicators.dx(2), bars), vectors.dx, 40);
  agrees(each(indicators.adxr(2), bars), vectors.adxr, 40);
  agrees(each(indicators.apo(2, 3), closes), vectors.apo, 40);
  agrees(each(indicators.ppo(2, 3), closes), vectors.ppo, 40);
  agrees(each(indicators.natr(2), bars), vectors.natr, 40);
  agrees(each(indicators.t3(2), closes), vectors.t3, 40);
  agrees(each(indicators.tema(2), closes), vectors.tema, 40);
  agrees(each(indicators.trix(2), closes), vectors.trix, 40);
});
