/** Decides on each trapped call: a session or an import. */
import type { Clock, Random } from '../../model/ports.ts';
import type { StrategyScope } from '../running/scope.ts';

export interface TrapHandler {
  /** Absent during import. */
  readonly clock: Clock | undefined;
  /** Undefined unless a strategy called. */
  caller(): StrategyScope | undefined;
  /** Once per strategy and kind. */
  warn(scope: StrategyScope, used: string, instead: string): void;
  /** Even if it catches the throw. */
  refuse(scope: StrategyScope, used: string, why: string): never;
  /** For `Math.random`. */
  randomOf(scope: StrategyScope): Random;
}
