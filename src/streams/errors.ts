/** The errors of the streams room (docs/errors.md). */
import { defineErrors } from '../model/errors.ts';

export const streamsErrors = defineErrors({
  unknown_symbol: {
    exit: 2,
    meaning: 'A symbol was asked for that the venue, or the recording, does not have.',
    remedy: 'Use one of the symbols that the message names; `tidewire data info` lists those of a recording.',
  },
  bad_interval: {
    exit: 2,
    meaning:
      'A candle interval or sampling window is not a duration above zero (of an interval: in whole milliseconds).',
    remedy: 'Write it as a number with a unit: 1m, 5m, 15m, 1h, 4h, 1d, or any other such as 30s.',
  },
});
