/** Oscillators and momentum of trading-signals: its class, its formula, our form. docs/indicators.md lists them. */
import * as lib from 'trading-signals';
import { row } from './row.ts';

export const momentum = {
  /** Accelerator oscillator. Takes candles. */
  ac: (fast = 5, slow = 34, signal = 5) => row('ac', [fast, slow, signal], [], () => new lib.AC(fast, slow, signal)),
  /** Awesome oscillator: fast less slow average of the median price. Takes candles. */
  ao: (fast = 5, slow = 34) => row('ao', [fast, slow], [], () => new lib.AO(fast, slow)),
  /** Absolute price oscillator: fast less slow exponential average. */
  apo: (fast = 12, slow = 26) =>
    row('apo', [fast, slow], [], () => new lib.APO({ fastPeriod: fast, slowPeriod: slow })),
  /** Balance of power, -1 to 1. Takes candles. */
  bop: () => row('bop', [], [], () => new lib.BOP()),
  /** Chande forecast oscillator: distance from the linear forecast, in per cent. */
  cfo: (n = 14) => row('cfo', [n], [], () => new lib.CFO(n)),
  /** Center of gravity (Ehlers). */
  cg: (n = 10, signal = 10) => row('cg', [n, signal], [], () => new lib.CG(n, signal)),
  /** Chande momentum oscillator, -100 to 100, over plain sums. TA-Lib smooths them. */
  cmo: (n = 14) => row('cmo', [n], [], () => new lib.CMO(n)),
  /** Connors RSI, 0 to 100. */
  connorsRsi: (n = 3, streak = 2, rank = 100) =>
    row(
      'connorsRsi',
      [n, streak, rank],
      [],
      () => new lib.ConnorsRSI({ rsiInterval: n, streakRsiInterval: streak, percentRankInterval: rank }),
    ),
  /** Coppock curve. */
  coppockCurve: (average = 10, long = 14, short = 11) =>
    row(
      'coppockCurve',
      [average, long, short],
      [],
      () => new lib.CoppockCurve({ wmaInterval: average, longRocInterval: long, shortRocInterval: short }),
    ),
  /** DeMarker. Takes candles. */
  deMarker: (n = 14) => row('deMarker', [n], [], () => new lib.DeMarker({ interval: n })),
  /** Derivative oscillator (Brown). */
  derivativeOscillator: (n = 14, first = 5, second = 3, signal = 9) =>
    row(
      'derivativeOscillator',
      [n, first, second, signal],
      [],
      () =>
        new lib.DerivativeOscillator({
          rsiInterval: n,
          ema1Interval: first,
          ema2Interval: second,
          smaInterval: signal,
        }),
    ),
  /** Distance from the moving average, in per cent. */
  disparityIndex: (n = 14) => row('disparityIndex', [n], [], () => new lib.DisparityIndex(n)),
  /** Detrended price oscillator. */
  dpo: (n = 20) => row('dpo', [n], [], () => new lib.DPO(n)),
  /** Elder's bull and bear power. Takes candles. */
  elderRay: (n = 13) => row('elderRay', [n], [], () => new lib.ElderRay(n)),
  /** Fisher transform (Ehlers). Takes candles. */
  fisherTransform: (n = 10) => row('fisherTransform', [n], [], () => new lib.FisherTransform(n)),
  /** Internal bar strength, 0 to 1. Takes candles. */
  ibs: () => row('ibs', [], [], () => new lib.IBS()),
  /** Intraday momentum index, 0 to 100. Takes candles. */
  imi: (n = 14) => row('imi', [n], [], () => new lib.IMI(n)),
  /** Know sure thing (Pring), with its usual periods. */
  kst: () => row('kst', [], [], () => new lib.KST()),
  /** Change over `n` values. */
  mom: (n = 10) => row('mom', [n], [], () => new lib.MOM(n)),
  /** (close − average) ÷ EMA of Wilder's average true range. Johnson's divides by an EMA of the true range. Takes candles. */
  pgo: (n = 14) => row('pgo', [n], [], () => new lib.PGO({ interval: n })),
  /** Price momentum oscillator (DecisionPoint). */
  pmo: (first = 35, second = 20, signal = 10) =>
    row(
      'pmo',
      [first, second, signal],
      [],
      () => new lib.PMO({ smoothing1: first, smoothing2: second, signalInterval: signal }),
    ),
  /** Percentage price oscillator. */
  ppo: (fast = 12, slow = 26) =>
    row('ppo', [fast, slow], [], () => new lib.PPO({ fastPeriod: fast, slowPeriod: slow })),
  /** Premier stochastic. Takes candles. */
  premierStochastic: (n = 8, smooth = 25) =>
    row(
      'premierStochastic',
      [n, smooth],
      [],
      () => new lib.PremierStochastic({ stochInterval: n, smoothInterval: smooth }),
    ),
  /** Psychological line: share of rising values, in per cent. */
  psl: (n = 12) => row('psl', [n], [], () => new lib.PSL({ interval: n })),
  /** Average of close less open. Takes candles. */
  qstick: (n = 8) => row('qstick', [n], [], () => new lib.Qstick(n)),
  /** Rank correlation index, -100 to 100. */
  rci: (n = 9) => row('rci', [n], [], () => new lib.RCI(n)),
  /** Range expansion index (DeMark), -100 to 100. Takes candles. */
  rei: (n = 8) => row('rei', [n], [], () => new lib.REI(n)),
  /** Relative vigor index with its signal. Takes candles. */
  relativeVigorIndex: (n = 10) => row('relativeVigorIndex', [n], [], () => new lib.RelativeVigorIndex(n)),
  /** Relative momentum index, 0 to 100. */
  rmi: (n = 14, momentum = 5) => row('rmi', [n, momentum], [], () => new lib.RMI({ interval: n, momentum })),
  /** Stochastic momentum index (Blau), -100 to 100. Takes candles. */
  smi: (n = 10, first = 3, second = 3) =>
    row('smi', [n, first, second], [], () => new lib.SMI({ interval: n, smooth1: first, smooth2: second })),
  /** Schaff trend cycle, 0 to 100. */
  stc: (cycle = 10, fast = 23, slow = 50) =>
    row(
      'stc',
      [cycle, fast, slow],
      [],
      () => new lib.STC({ cycleInterval: cycle, fastInterval: fast, slowInterval: slow }),
    ),
  /** DeMark's setup: 1 or -1 at the ninth value of a run, undefined between. */
  tds: () => row('tds', [], [], () => new lib.TDS()),
  /** True strength index (Blau), -100 to 100. */
  tsi: (long = 25, short = 13) =>
    row('tsi', [long, short], [], () => new lib.TSI({ longPeriod: long, shortPeriod: short })),
  /** Ultimate oscillator (Williams), 0 to 100. Takes candles. */
  ultimateOscillator: (short = 7, medium = 14, long = 28) =>
    row(
      'ultimateOscillator',
      [short, medium, long],
      [],
      () => new lib.UltimateOscillator({ shortPeriod: short, mediumPeriod: medium, longPeriod: long }),
    ),
  /** Wave trend, two lines. Takes candles. */
  waveTrend: (channel = 10, average = 21, smooth = 4) =>
    row(
      'waveTrend',
      [channel, average, smooth],
      [],
      () => new lib.WaveTrend({ channelInterval: channel, averageInterval: average, smoothingInterval: smooth }),
    ),
  /** Waddah Attar explosion, with its usual periods. Takes candles. */
  waddahAttarExplosion: () => row('waddahAttarExplosion', [], [], () => new lib.WaddahAttarExplosion()),
  /** Williams' %R, -100 to 0. Takes candles. */
  williamsR: (n = 14) => row('williamsR', [n], [], () => new lib.WilliamsR(n)),
  /** Wilder's swing index summed. `limit` is the greatest price change. Takes candles. */
  accumulativeSwingIndex: (limit = 300) =>
    row('accumulativeSwingIndex', [], [limit], () => new lib.AccumulativeSwingIndex(limit)),
  /** Wilder's swing index. `limit` is the greatest price change. Takes candles. */
  swingIndex: (limit = 300) => row('swingIndex', [], [limit], () => new lib.SwingIndex(limit)),
  /** Laguerre RSI (Ehlers). `gamma` is below 1. */
  laguerreRsi: (gamma = 0.5) => row('laguerreRsi', [], [gamma], () => new lib.LaguerreRSI({ gamma })),
  /** Quantitative qualitative estimation: smoothed RSI and its trailing stop. */
  qqe: (n = 14, smooth = 5, width = 4.236) =>
    row('qqe', [n, smooth], [width], () => new lib.QQE({ rsiInterval: n, smoothInterval: smooth, fastFactor: width })),
};
