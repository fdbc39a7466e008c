/**
 * Makes the fault list of a failing seed small: each kind is taken out, and stays out when the seed still breaks one of the
 * same laws without it. What is left is what the failure needs.
 */
import type { FaultKind } from './fault-plan.ts';
import { simulate, type SeedOptions, type SeedReport } from './simulate.ts';

/** `options`: those that led to the report. Answers the kinds that are left. */
export async function shrink(report: SeedReport, options: SeedOptions): Promise<readonly FaultKind[]> {
  const laws = lawsOf(report);
  const out = new Set(options.without);
  // Of the plan, whose keys are its kinds.
  const kinds = Object.keys(report.plan) as FaultKind[];
  for (const kind of kinds) {
    out.add(kind);
    const again = await simulate({ ...options, without: out, stopAtFirst: true });
    if (!lawsOf(again).some((law) => laws.includes(law))) out.delete(kind);
  }
  return kinds.filter((kind) => !out.has(kind));
}

function lawsOf({ violations }: SeedReport): readonly string[] {
  return violations.map((text) => text.slice(0, text.indexOf(':')));
}
