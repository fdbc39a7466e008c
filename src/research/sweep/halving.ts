/**
 * Successive halving (Jamieson & Talwalkar 2016): many trials on a first part of the data, the best third of them on three
 * times as much, the best third of those on all. The parts begin at the start of the data, so that each holds the one
 * before it. Pure.
 */
export const REDUCTION = 3;
const RUNGS = 3;
/** Trials that compete with each other: they leave one on the last rung for each nine. */
export const BRACKET = REDUCTION ** RUNGS;

/** Shares of the data, rising to 1. Without halving the whole at once. */
export function rungShares(isHalving: boolean): readonly number[] {
  if (!isHalving) return [1];
  return Array.from({ length: RUNGS }, (_, rung) => REDUCTION ** (rung + 1 - RUNGS));
}

/** How many of `count` go on. */
export function survivors(count: number): number {
  return Math.ceil(count / REDUCTION);
}
