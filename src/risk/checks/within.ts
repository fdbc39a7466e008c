/**
 * Values are ticks × lots, which are exact, times a double of tick, lot and rate, which is not: 6 may be
 * 6.000000000000001. A value that is above a limit by rounding alone is at the limit. NaN is within nothing. Pure.
 */
const ROUNDING = 1e-12;

export function isWithin(value: number, limit: number): boolean {
  return value <= limit + Math.abs(limit) * ROUNDING;
}
