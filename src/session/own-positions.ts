/** What strategies hold as their own (Σ fills less fees paid in base), spot included, and whose it is. */
import type { StrategyPosition } from '../model/account.ts';
import type { Engine } from './engine.ts';

/** `tag`: of the strategy. */
export type OwnPosition = StrategyPosition & { readonly tag: string };

export function ownPositions(engine: Engine, strategies: readonly { readonly tag: string }[]): readonly OwnPosition[] {
  return strategies
    .flatMap(({ tag }) =>
      engine.executor
        .account(tag)
        .positions()
        .map((position) => ({ ...position, tag })),
    )
    .filter(({ quantity }) => quantity !== '0');
}
