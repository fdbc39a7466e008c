import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSide, type DesiredLeg, type Standing } from '../../../src/execution/rules/quoting.ts';

const exact = { priceTicks: 0, quantityFraction: 0 };

const standing = fc.array(fc.record({ ticks: fc.integer({ min: 1, max: 4 }), lots: fc.integer({ min: 1, max: 6 }) }), {
  maxLength: 6,
});
const desired = fc.uniqueArray(
  fc.record({ ticks: fc.integer({ min: 1, max: 4 }), lots: fc.integer({ min: 3, max: 8 }) }),
  { maxLength: 3, selector: (leg) => leg.ticks },
);
const minimum = fc.integer({ min: 1, max: 3 });

function levels(rows: readonly Standing[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { ticks, lots } of rows) sums[ticks] = (sums[ticks] ?? 0) + lots;
  return sums;
}

/** Fewest requests that lead from standing to desired: every subset of cancels, then what is missing at each price. */
function bruteForce(orders: readonly Standing[], legs: readonly DesiredLeg[], min: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let mask = 0; mask < 1 << orders.length; mask++) {
    const kept = orders.filter((_, index) => (mask & (1 << index)) !== 0);
    const have = levels(kept);
    let cost = orders.length - kept.length;
    for (const ticks of new Set([...Object.keys(have).map(Number), ...legs.map((leg) => leg.ticks)])) {
      const missing = (legs.find((leg) => leg.ticks === ticks)?.lots ?? 0) - (have[ticks] ?? 0);
      if (missing < 0 || (missing > 0 && missing < min)) cost = Number.POSITIVE_INFINITY;
      else if (missing > 0) cost++;
    }
    best = Math.min(best, cost);
  }
  return best;
}

describe('the quoting planner', () => {
  it('leads to exactly the desired quantity at each price', () => {
    fc.assert(
      fc.property(standing, desired, minimum, (orders, legs, min) => {
        const plan = planSide(orders, legs, exact, () => min);
        const left = orders.filter((order) => !plan.cancel.includes(order));
        expect(levels([...left, ...plan.create])).toEqual(levels(legs));
        for (const leg of plan.create) expect(leg.lots).toBeGreaterThanOrEqual(min);
      }),
      { numRuns: 2_000 },
    );
  });

  it('needs as few requests as brute force', () => {
    fc.assert(
      fc.property(standing, desired, minimum, (orders, legs, min) => {
        const plan = planSide(orders, legs, exact, () => min);
        expect(plan.cancel.length + plan.create.length).toBe(bruteForce(orders, legs, min));
      }),
      { numRuns: 2_000 },
    );
  });

  it('asks for nothing when the desired set stands', () => {
    fc.assert(
      fc.property(desired, (legs) => {
        expect(planSide(legs, legs, exact, () => 1)).toEqual({ cancel: [], create: [] });
      }),
    );
  });

  it('leaves orders within the tolerance alone and replaces those beyond it', () => {
    const resting = { ticks: 100, lots: 95 };
    expect(
      planSide([resting], [{ ticks: 102, lots: 100 }], { priceTicks: 2, quantityFraction: 0.05 }, () => 1),
    ).toEqual({ cancel: [], create: [] });
    expect(
      planSide([resting], [{ ticks: 103, lots: 100 }], { priceTicks: 2, quantityFraction: 0.05 }, () => 1),
    ).toEqual({
      cancel: [resting],
      create: [{ ticks: 103, lots: 100 }],
    });
  });

  it('tops a partly filled level up and keeps the older order in its queue place', () => {
    expect(planSide([{ ticks: 100, lots: 4 }], [{ ticks: 100, lots: 10 }], exact, () => 1)).toEqual({
      cancel: [],
      create: [{ ticks: 100, lots: 6 }],
    });
  });
});
