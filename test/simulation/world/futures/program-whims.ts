/** Programs of the strategy that trades the perpetual: those of spot, for a side of it, with triggers by other prices. */
import type { Action } from '../../../../src/index.ts';
import type { PositionSide } from '../../../../src/model/trading/order.ts';
import { programWhim } from '../program-whims.ts';
import { PERPETUAL } from './terms.ts';

/** `positionSide`: `both` in one-way mode. */
export function perpetualProgramWhim(random: () => number, mid: number, positionSide: PositionSide): Action {
  const chance = random();
  const by = chance < 0.2 ? 'mark' : chance < 0.3 ? 'last' : chance < 0.4 ? 'mid' : 'bid-ask';
  const onStale = random() < 0.2 ? 'exit' : 'hold';
  const action = ofSide(programWhim(random, mid, PERPETUAL), positionSide);
  return action.kind === 'target' ? action : ({ ...action, by, onStale } as Action);
}

function ofSide(action: Action, positionSide: PositionSide): Action {
  if (positionSide === 'both') return action;
  if (action.kind === 'bracket') return { ...action, entry: { ...action.entry, positionSide } };
  if (action.kind !== 'oco') return { ...action, positionSide } as Action;
  const [first, second] = action.legs;
  return {
    ...action,
    legs: [
      { ...first, positionSide },
      { ...second, positionSide },
    ],
  };
}
