/** Ranges and deviations of trading-signals: its class, its formula, our form. docs/indicators.md lists them. */
import * as lib from 'trading-signals';
import { row } from './row.ts';

export const volatility = {
  /** Headley's bands. Takes candles. */
  accelerationBands: (n = 20, width = 4) =>
    row('accelerationBands', [n], [width], () => new lib.AccelerationBands(n, width)),
  /** (upper − lower) ÷ middle of the Bollinger bands. */
  bollingerBandsWidth: (n = 20, width = 2) =>
    row('bollingerBandsWidth', [n], [width], () => new lib.BollingerBandsWidth(new lib.BollingerBands(n, width))),
  /** Choppiness index, 0 to 100. Takes candles. */
  chop: (n = 14) => row('chop', [n], [], () => new lib.CHOP(n)),
  /** Chaikin's volatility, in per cent. Takes candles. */
  cvi: (n = 10) => row('cvi', [n], [], () => new lib.CVI(n)),
  /** Gopalakrishnan range index. Takes candles. */
  gapo: (n = 14) => row('gapo', [n], [], () => new lib.GAPO(n)),
  /** Interquartile range between the medians of the two halves, without the middle value of an odd `n`. */
  iqr: (n = 13) => row('iqr', [n], [], () => new lib.IQR(n)),
  /** Mean absolute deviation. */
  mad: (n = 14) => row('mad', [n], [], () => new lib.MAD(n)),
  /** Mass index (Dorsey). Takes candles. */
  massIndex: (n = 25) => row('massIndex', [n], [], () => new lib.MassIndex(n)),
  /** Average true range in per cent of the close. Takes candles. */
  natr: (n = 14) => row('natr', [n], [], () => new lib.NATR(n)),
  /** Place within the Bollinger bands: 0 is the lower, 1 the upper. */
  percentB: (n = 20, width = 2) =>
    row('percentB', [n], [width], () => new lib.PercentB({ interval: n, deviationMultiplier: width })),
  /** Projection oscillator (Widner), 0 to 100. Takes candles. */
  projectionOscillator: (n = 14) =>
    row('projectionOscillator', [n], [], () => new lib.ProjectionOscillator({ interval: n })),
  /** Relative volatility index (Dorsey), 0 to 100. */
  relativeVolatilityIndex: (n = 14, deviation = 10) =>
    row(
      'relativeVolatilityIndex',
      [n, deviation],
      [],
      () => new lib.RelativeVolatilityIndex({ interval: n, stddevInterval: deviation }),
    ),
  /** Rogers and Satchell (1991), a fraction per candle. Takes candles. */
  rogersSatchellVolatility: (n = 14) =>
    row('rogersSatchellVolatility', [n], [], () => new lib.RogersSatchellVolatility(n)),
  /** True range. Takes candles. */
  tr: () => row('tr', [], [], () => new lib.TR()),
  /** Carter's squeeze and its momentum. Takes candles. */
  ttmSqueeze: (n = 20, bands = 2, channel = 20, width = 1.5) =>
    row(
      'ttmSqueeze',
      [n, channel],
      [bands, width],
      () => new lib.TTMSqueeze({ bbInterval: n, bbMultiplier: bands, kcInterval: channel, kcMultiplier: width }),
    ),
  /** Ulcer index (Martin). */
  ulcerIndex: (n = 14) => row('ulcerIndex', [n], [], () => new lib.UlcerIndex(n)),
};
