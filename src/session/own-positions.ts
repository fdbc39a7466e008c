/** What strategies hold as their own (Σ fills less fees paid in base), spot included. */
import type { StrategyPosition } from '../model/account.ts';
import type { Engine } from './engine.ts';

export function ownPositions(
  engine: Engine,
  strategies: readonly { readonly tag: string }[],
): readonly StrategyPosition[] {
  return strategies
    .flatMap(({ tag }) => engine.executor.account(tag).positions())
    .filter(({ quantity }) => quantity !== '0');
}
