/** Averages, lines and stops that follow a trend of trading-signals: its class, its formula, our form. docs/indicators.md lists them. */
import * as lib from 'trading-signals';
import { direction, type TrendLineValue } from '../trend.ts';
import { mapped, row } from './row.ts';

export const trend = {
  /** Williams' alligator, with its usual periods. Takes candles. */
  alligator: () => row('alligator', [], [], () => new lib.Alligator()),
  /** Distances of the alligator's lines. Takes candles. */
  gatorOscillator: () => row('gatorOscillator', [], [], () => new lib.GatorOscillator()),
  /** Arnaud Legoux's moving average. */
  alma: (n = 9, offset = 0.85, sigma = 6) => row('alma', [n], [offset, sigma], () => new lib.ALMA(n, offset, sigma)),
  /** Highest high and lowest low less and plus `width` average true ranges. Takes candles. */
  chandelierExit: (n = 22, width = 3) =>
    row('chandelierExit', [n], [width], () => new lib.ChandelierExit({ interval: n, multiplier: width })),
  /** Chande and Kroll's stops of long and short positions. Takes candles. */
  chandeKrollStop: (n = 10, width = 1, stop = 9) =>
    row(
      'chandeKrollStop',
      [n, stop],
      [width],
      () => new lib.ChandeKrollStop({ interval: n, multiplier: width, stopInterval: stop }),
    ),
  /** Two simple averages. */
  dma: (short = 10, long = 50) => row('dma', [short, long], [], () => new lib.DMA(short, long)),
  /** Fractal adaptive moving average (Ehlers). `n` is even. */
  frama: (n = 16) => row('frama', [n], [], () => new lib.FRAMA(n)),
  /** Gann's high-low activator. Takes candles. */
  gannHiLo: (high = 13, low = 21) =>
    mapped(
      row('gannHiLo', [high, low], [], () => new lib.GannHiLo({ highInterval: high, lowInterval: low })),
      ({ line, trend }): TrendLineValue => ({ line, trend: direction(trend) }),
    ),
  /** Hull's moving average. */
  hma: (n = 16) => row('hma', [n], [], () => new lib.HMA(n)),
  /** Hilbert transform's instantaneous trend line (Ehlers). */
  htTrendline: () => row('htTrendline', [], [], () => new lib.HTTrendline()),
  /** Kaufman's adaptive moving average. */
  kama: (n = 10) => row('kama', [n], [], () => new lib.KAMA(n)),
  /** Line of least squares: slope, intercept and the prediction of the next value. */
  linearRegression: (n = 14) => row('linearRegression', [n], [], () => new lib.LinearRegression(n)),
  /** MESA adaptive moving average and its follower (Ehlers). */
  mama: (fast = 0.5, slow = 0.05) =>
    row('mama', [], [fast, slow], () => new lib.MAMA({ fastLimit: fast, slowLimit: slow })),
  /** McGinley's dynamic average. */
  mcGinleyDynamic: (n = 14) => row('mcGinleyDynamic', [n], [], () => new lib.McGinleyDynamic(n)),
  /** Poulos' random walk index of highs and lows. Takes candles. */
  randomWalkIndex: (n = 14) => row('randomWalkIndex', [n], [], () => new lib.RandomWalkIndex(n)),
  /** Spencer's 15-value average. */
  sma15: () => row('sma15', [], [], () => new lib.SMA15(15)),
  /** Super smoother (Ehlers). */
  superSmoother: (n = 10) => row('superSmoother', [n], [], () => new lib.SuperSmoother(n)),
  /** Tillson's T3. */
  t3: (n = 5, volume = 0.7) => row('t3', [n], [volume], () => new lib.T3(n, volume)),
  /** Triple exponential moving average. */
  tema: (n = 10) => row('tema', [n], [], () => new lib.TEMA(n)),
  /** Triangular moving average. */
  trima: (n = 10) => row('trima', [n], [], () => new lib.TRIMA(n)),
  /** Vertical horizontal filter. */
  vhf: (n = 28) => row('vhf', [n], [], () => new lib.VHF(n)),
  /** Variable index dynamic average (Chande). */
  vidya: (n = 14) => row('vidya', [n], [], () => new lib.VIDYA(n)),
  /** Wilder's volatility stop. Takes candles. */
  volatilityStop: (n = 5, width = 3.5) =>
    mapped(
      row('volatilityStop', [n], [width], () => new lib.VolatilityStop({ interval: n, multiplier: width })),
      ({ stop, signal }): TrendLineValue => ({ line: stop, trend: direction(signal) }),
    ),
  /** Vortex, two lines. Takes candles. */
  vortexIndicator: (n = 14) => row('vortexIndicator', [n], [], () => new lib.VortexIndicator(n)),
  /** Zero-lag exponential moving average. */
  zlema: (n = 10) => row('zlema', [n], [], () => new lib.ZLEMA(n)),
};
