/** Volume and money flow of trading-signals: its class, its formula, our form. docs/indicators.md lists them. */
import * as lib from 'trading-signals';
import { row } from './row.ts';

export const volume = {
  /** Chaikin's accumulation and distribution line. Takes candles. */
  ad: () => row('ad', [], [], () => new lib.AD()),
  /** Chaikin oscillator. Takes candles. */
  adosc: (fast = 3, slow = 10) =>
    row('adosc', [fast, slow], [], () => new lib.ADOSC({ fastPeriod: fast, slowPeriod: slow })),
  /** Ease of movement (Arms). Takes candles. */
  emv: (n = 14, scale = 100_000_000) => row('emv', [n], [scale], () => new lib.EMV(n, scale)),
  /** Elder's force index. Takes candles. */
  forceIndex: (n = 13) => row('forceIndex', [n], [], () => new lib.ForceIndex(n)),
  /** Klinger's volume oscillator. Takes candles. */
  kvo: (short = 34, long = 55) => row('kvo', [short, long], [], () => new lib.KVO(short, long)),
  /** Range per volume (Williams). Takes candles. */
  marketFacilitationIndex: () => row('marketFacilitationIndex', [], [], () => new lib.MarketFacilitationIndex()),
  /** Negative volume index. Takes candles. */
  nvi: () => row('nvi', [], [], () => new lib.NVI()),
  /** Positive volume index. Takes candles. */
  pvi: () => row('pvi', [], [], () => new lib.PVI()),
  /** Percentage volume oscillator. Takes volumes. */
  pvo: (fast = 12, slow = 26) =>
    row('pvo', [fast, slow], [], () => new lib.PVO({ fastPeriod: fast, slowPeriod: slow })),
  /** Price volume trend. Takes candles. */
  pvt: () => row('pvt', [], [], () => new lib.PVT()),
  /** Volume ÷ its average. Takes volumes. */
  rvol: (n = 20) => row('rvol', [n], [], () => new lib.RVOL(n)),
  /** Rate of change of the volume, in per cent. Takes volumes. */
  vroc: (n = 14) => row('vroc', [n], [], () => new lib.VROC(n)),
  /** Volume-weighted moving average. Takes candles. */
  vwma: (n = 20) => row('vwma', [n], [], () => new lib.VWMA(n)),
  /** Williams' accumulation and distribution. Takes candles. */
  wad: () => row('wad', [], [], () => new lib.WAD()),
};
