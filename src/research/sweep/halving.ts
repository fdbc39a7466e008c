/**
 * Successive halving (Jamieson & Talwalkar 2016): the best third continues with three times the data. Parts begin at
 * the start of the data.
 */
export const REDUCTION = 3;
const RUNGS = 3;
/** Trials per bracket; one in nine reaches the last rung. */
export const BRACKET = REDUCTION ** RUNGS;

/** Rising to 1; without halving just 1. */
export function rungShares(isHalving: boolean): readonly number[] {
  if (!isHalving) return [1];
  return Array.from({ length: RUNGS }, (_, rung) => REDUCTION ** (rung + 1 - RUNGS));
}

/** How many of `count` continue. */
export function survivors(count: number): number {
  return Math.ceil(count / REDUCTION);
}
