/** Port for whatever trades in the sandbox. A driver acts only inside `operate`. */
import type { Clock, Random } from '../../model/ports.ts';
import type { Exchange } from '../core/exchange.ts';

export interface DrivenExchange {
  readonly exchange: Exchange;
  /** Port clock: unaffected by a test's time advance. */
  readonly clock: Clock;
  readonly random: Random;
  /** Runs at exchange time and publishes all effects. */
  operate(run: (now: number) => void): void;
}

export interface MarketDriver {
  /** Fills the books before it returns. */
  start(driven: DrivenExchange): void;
  stop(): void;
}
