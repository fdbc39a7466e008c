/**
 * Absorbs the rounding of ticks × lots × a double: a value above the limit by rounding alone is at the limit. NaN is
 * never within.
 */
const ROUNDING = 1e-12;

export function isWithin(value: number, limit: number): boolean {
  return value <= limit + Math.abs(limit) * ROUNDING;
}
