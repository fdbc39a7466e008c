/**
 * An opening is taken as the first order waits for it, so a trade of others beside it may be booked although the opening holds
 * it, or be left out although it does not: the clocks differ, and the balance was asked for before it was answered. An opening
 * holds every trade up to one moment, and none after it: a difference that is exactly that is of the opening. Pure. Used by
 * the check of the account.
 */
import { ZERO, type Decimal } from '../model/money.ts';
import type { ResidualVerdict } from './residual.ts';

export type Residual = Extract<ResidualVerdict, { kind: 'residual' }>;

/** `moves`: what trades of others moved, by the exchange's stamp, Unix ms. Those from the opening on are booked. */
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

/** Of the first, of the first two, and so on. */
function sums(moves: readonly { readonly amount: Decimal }[]): readonly Decimal[] {
  let sum = ZERO;
  return moves.map(({ amount }) => (sum = sum.plus(amount)));
}
