/**
 * An opening is taken while external trades go on, so with differing clocks such a trade may be booked twice or not at
 * all. It contains exactly the trades up to one moment; such a difference belongs to it.
 */
import { ZERO, type Decimal } from '../model/money.ts';
import type { ResidualVerdict } from './residual.ts';

export type Residual = Extract<ResidualVerdict, { kind: 'residual' }>;

/** `moves`: effects of external trades, Unix ms of the exchange. */
export function isOfOpening(
  { difference, since }: Residual,
  openedAt: number,
  moves: readonly { readonly ts: number; readonly amount: Decimal }[],
  lagMs: number,
): boolean {
  if (since - openedAt > 2 * lagMs) return false;
  const beside = moves
    .filter(({ ts }) => Math.abs(ts - openedAt) <= lagMs)
    .toSorted((left, right) => left.ts - right.ts);
  const held = sums(beside.filter(({ ts }) => ts >= openedAt));
  const missed = sums(beside.filter(({ ts }) => ts < openedAt).toReversed());
  return held.some((sum) => sum.neg().eq(difference)) || missed.some((sum) => sum.eq(difference));
}

/** Running sums. */
function sums(moves: readonly { readonly amount: Decimal }[]): readonly Decimal[] {
  let sum = ZERO;
  return moves.map(({ amount }) => (sum = sum.plus(amount)));
}
