/** Faults that a mutant needs, added to those that the seed has drawn. */
import type { Clock } from '../../../src/model/ports.ts';
import { faultKinds, type FaultPlan } from '../world/fault-plan.ts';
import type { Watch } from '../world/simulate.ts';
import type { Mutant } from './mutant.ts';

export function addFaults(plan: FaultPlan, clock: Clock, { faults = {}, faultsFromS = 0 }: Mutant): Watch {
  const { rates } = plan;
  if (!(rates instanceof Map)) throw new TypeError('the rates of a plan are a Map');
  const raise = (share: number): void => {
    for (const kind of faultKinds) {
      const rate = faults[kind];
      // Named from the start, so that nobody takes the world for one in which nothing fails.
      if (rate !== undefined) rates.set(kind, Math.max(rate * share, Number(rates.get(kind) ?? 0)));
    }
  };
  raise(faultsFromS === 0 ? 1 : 0);
  if (faultsFromS > 0) clock.after(faultsFromS * 1000, () => raise(1));
  return {};
}
