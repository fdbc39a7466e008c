/**
 * The seam between the exchange and whatever makes its market live: synthetic agents, a replay, nothing. A driver acts
 * only inside `operate`, which gives it the exchange's time and publishes what it changed.
 */
import type { Clock, Random } from '../../model/ports.ts';
import type { Exchange } from '../core/exchange.ts';

export interface DrivenExchange {
  readonly exchange: Exchange;
  /** The port's clock, for timers: its time does not jump when a test advances the sandbox. */
  readonly clock: Clock;
  readonly random: Random;
  /** Runs one operation at the exchange's time and publishes its effects, all at once. */
  operate(run: (now: number) => void): void;
}

export interface MarketDriver {
  /** Fills the books before it returns, so that a new sandbox has a market at once. */
  start(driven: DrivenExchange): void;
  stop(): void;
}
