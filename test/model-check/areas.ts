/** The areas: which commands, and how often each. `mixed` draws from all, so that they compete for the same money. */
import fc from 'fast-check';
import { moneyStep } from './money.ts';
import type { Step } from './session.ts';
import { spotStep } from './spot.ts';

/** Short waits run on the port's clock, long ones through the control operation. */
function wait(...choices: readonly number[]): fc.Arbitrary<Step> {
  return fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(...choices) });
}

export const areas = {
  spot: fc.oneof({ weight: 20, arbitrary: spotStep }, { weight: 1, arbitrary: wait(7, 1500, 60_000) }),
  money: fc.oneof(
    { weight: 20, arbitrary: moneyStep },
    { weight: 4, arbitrary: wait(1500, 20_000, 59_999, 89_999, 120_000, 420_000, 86_400_000) },
  ),
} as const satisfies Readonly<Record<string, fc.Arbitrary<Step>>>;

export type AreaName = keyof typeof areas;
export const areaNames = Object.keys(areas) as readonly AreaName[];
