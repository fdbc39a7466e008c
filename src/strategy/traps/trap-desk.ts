/**
 * Who is asked, at each call of a trapped global, whether a strategy called it, and what becomes of the call: a session
 * (`trap-context.ts`), or the import of a strategy's file, before there is a session (`import-desk.ts`).
 */
import type { Clock, Random } from '../../model/ports.ts';
import type { StrategyScope } from '../scope.ts';

export interface TrapDesk {
  /** Absent while files are imported: there is no time yet. */
  readonly clock: Clock | undefined;
  /** The strategy that called, or undefined when the caller is not a strategy. */
  caller(): StrategyScope | undefined;
  /** Once per strategy and kind. */
  warn(scope: StrategyScope, used: string, instead: string): void;
  /** Stops the strategy, also when it catches what is thrown. */
  refuse(scope: StrategyScope, used: string, why: string): never;
  /** What `Math.random` gives. */
  randomOf(scope: StrategyScope): Random;
}
