/** Own positions (Σ fills less fees paid in base), spot included. */
import type { StrategyPosition } from '../../model/trading/account.ts';
import type { Engine } from '../engine.ts';

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
