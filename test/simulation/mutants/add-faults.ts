/** Faults that a mutant needs, added to those that the seed has drawn. */
import { faultKinds, type FaultKind, type FaultPlan } from '../world/fault-plan.ts';

export function addFaults(plan: FaultPlan, faults: Partial<Readonly<Record<FaultKind, number>>>): void {
  if (!(plan.rates instanceof Map)) throw new TypeError('the rates of a plan are a Map');
  for (const kind of faultKinds) {
    const rate = faults[kind];
    if (rate !== undefined) plan.rates.set(kind, Math.max(rate, plan.rates.get(kind) ?? 0));
  }
}
