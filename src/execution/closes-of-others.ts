/**
 * Trades that were booked as of others although they could have closed what strategies held: with what each of those held then.
 * When the history, which was silent about their order for longer than it may lag, shows a liquidation after all, this says
 * whose it was. Part of the state that is built from the journal; the oldest are forgotten.
 */
import type { Decimal } from '../model/money.ts';
import type { HeldPosition, Positions } from './positions.ts';
import { positionName } from './positions.ts';

const KEPT_MAX = 1_000;

export interface HeldThen {
  readonly held: HeldPosition;
  /** Above zero, base units. */
  readonly quantity: Decimal;
}

export class ClosesOfOthers {
  readonly #beside = new Map<string, readonly HeldThen[]>();

  /** A trade that moved this position by so much is booked under this key. */
  note(key: string, name: string, moved: Decimal, positions: Positions): void {
    const holders = positions.all().filter(({ instrument, positionSide, position: { quantity } }) => {
      const isNamed = positionName(instrument.symbol, positionSide) === name;
      return isNamed && !quantity.isZero() && quantity.isPositive() !== moved.isPositive();
    });
    if (holders.length === 0) return;
    const then = holders.map((held) => ({ held, quantity: held.position.quantity.abs() }));
    this.#beside.set(
      key,
      then.toSorted((left, right) => right.quantity.cmp(left.quantity)),
    );
    if (this.#beside.size > KEPT_MAX) this.#forgetOldest();
  }

  /** Who held what it could have closed, the largest first. */
  heldBeside(key: string): readonly HeldThen[] {
    return this.#beside.get(key) ?? [];
  }

  #forgetOldest(): void {
    for (const oldest of this.#beside.keys()) {
      this.#beside.delete(oldest);
      return;
    }
  }
}
