/** Which model of the exchange a backtest uses over its data. */
import type { Tape } from '../../recording/tape/tape.ts';
import type { SimulationOptions } from '../../simulation/options.ts';

/** The model the data supports (rule M7). */
export function modelFor(tape: Tape, options: SimulationOptions): SimulationOptions {
  const { depth, trades, quotes, candles } = tape.counts;
  if (options.exchange !== 'partial-fill' || depth > 0) return options;
  if (candles > 0 && trades === 0 && quotes === 0) return { ...options, exchange: 'candles' };
  return { ...options, exchange: 'l1' };
}
