/** An order of exactly the greatest value was denied where tick × lot is no double: 600,000 × (0.01 × 0.001) is 6.000000000000001. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWithin } from '../../src/risk/check.ts';

describe('a limit on a value', () => {
  it('is reached, not passed, by what is worth exactly as much', () => {
    expect(600_000 * (0.01 * 0.001)).toBeGreaterThan(6);
    expect(isWithin(600_000 * (0.01 * 0.001), 6)).toBe(true);
  });

  it('holds for every grid, and to the last lot', () => {
    const grid = fc.constantFrom(1, 0.1, 0.01, 0.001, 0.0001, 0.5, 0.25);
    const count = fc.integer({ min: 1, max: 10_000_000 });
    fc.assert(
      fc.property(grid, grid, count, count, (tick, lot, ticks, lots) => {
        const limit = Number((ticks * lots * Math.round(tick * 1e4) * Math.round(lot * 1e4)).toPrecision(15)) / 1e8;
        expect(isWithin(ticks * lots * (tick * lot), limit)).toBe(true);
        // One lot in a hundred million more is more.
        expect(isWithin(ticks * lots * (tick * lot) * (1 + 1e-8), limit)).toBe(false);
      }),
    );
  });

  it('is not kept by an unknown value', () => {
    expect(isWithin(Number.NaN, 120)).toBe(false);
    expect(isWithin(1, Number.POSITIVE_INFINITY)).toBe(true);
    expect(isWithin(0, 0)).toBe(true);
    expect(isWithin(1e-9, 0)).toBe(false);
  });
});
