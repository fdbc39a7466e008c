/** Money on its way: it has a state, an entry among the transactions, and maybe a timer. */
import type { Amount } from './amount.ts';
import type { Person } from './world.ts';

export interface Moving {
  readonly id: string;
  readonly owner: Person;
  readonly currency: string;
  readonly amount: Amount;
  readonly entry: { become(status: string): void };
  status: string;
  cancelStep: () => void;
}

export function become(moving: Moving, status: string): void {
  moving.status = status;
  moving.entry.become(status);
}
