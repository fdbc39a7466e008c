/** Turning points; a value at the inputs that complete one, undefined between of trading-signals: its class, its formula, our form. docs/indicators.md lists them. */
import * as lib from 'trading-signals';
import { row } from './row.ts';

export const patterns = {
  /** Low of a candle whose high is above the `lookback` highs before it. Takes candles. */
  breakoutBarLow: (lookback = 3) => row('breakoutBarLow', [lookback], [], () => new lib.BreakoutBarLow({ lookback })),
  /** A low that the `lookback` lows after it stay above, when it is higher than the last such. Takes candles. */
  higherLowTrail: (lookback = 3) => row('higherLowTrail', [lookback], [], () => new lib.HigherLowTrail({ lookback })),
  /** A high above `lookback` highs on both sides. Takes candles. */
  swingHigh: (lookback = 3) => row('swingHigh', [lookback], [], () => new lib.SwingHigh({ lookback })),
  /** A low below `lookback` lows on both sides. Takes candles. */
  swingLow: (lookback = 3) => row('swingLow', [lookback], [], () => new lib.SwingLow({ lookback })),
  /** An extreme that the price has left by `deviation` per cent of the swing before it. Takes candles. */
  zigZag: (deviation = 5) => row('zigZag', [], [deviation], () => new lib.ZigZag({ deviation })),
};
