/** The positions of a snapshot. */
import { Position } from '../../model/position.ts';
import type { HeldPosition } from '../positions.ts';
import { decimalOf, savedDecimal } from './saved-decimal.ts';
import type { SpecTable } from './spec-table.ts';

type Plain = Omit<HeldPosition, 'instrument' | 'position' | 'past' | 'funding' | 'told'>;

export interface SavedPosition extends Plain {
  readonly instrument: number;
  readonly quantity: string;
  readonly cost: string;
  readonly realized: string;
  readonly past: readonly (readonly [ts: number, quantity: string])[];
  readonly funding: string;
}

export function savedPosition(held: HeldPosition, specs: SpecTable): SavedPosition {
  const { instrument, position, past, funding, told: _told, ...plain } = held;
  return {
    ...plain,
    instrument: specs.numberOf(instrument),
    quantity: savedDecimal(position.quantity),
    cost: savedDecimal(position.cost),
    realized: savedDecimal(position.realized),
    past: past.map(({ ts, quantity }) => [ts, savedDecimal(quantity)]),
    funding: savedDecimal(funding),
  };
}

export function heldPosition(saved: SavedPosition, specs: SpecTable): HeldPosition {
  const { instrument, quantity, cost, realized, past, funding, ...plain } = saved;
  const position = new Position();
  position.quantity = decimalOf(quantity);
  position.cost = decimalOf(cost);
  position.realized = decimalOf(realized);
  return {
    ...plain,
    instrument: specs.at(instrument),
    position,
    past: past.map(([ts, moved]) => ({ ts, quantity: decimalOf(moved) })),
    funding: decimalOf(funding),
    told: undefined,
  };
}
