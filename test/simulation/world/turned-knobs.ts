/**
 * Limits of our own, turned (BUGGIFY, reliability §3.3): each start of a process draws which ones and how far. Floors keep what
 * is survived by contract: a request that cannot come back within its deadline, or a list of a page an item, would never
 * agree again.
 */
import type { Knob, Knobs } from '../../../src/model/knobs.ts';
import type { Random } from '../../../src/model/ports.ts';
import type { FaultKind, FaultPlan } from './fault-plan.ts';

interface KnobRow {
  readonly kind: Extract<FaultKind, `knob-${string}`>;
  readonly floor: number;
}

const rows: Readonly<Record<Knob, KnobRow>> = {
  'request-deadline': { kind: 'knob-deadlines', floor: 300 },
  'request-wait': { kind: 'knob-deadlines', floor: 300 },
  'socket-opening': { kind: 'knob-deadlines', floor: 500 },
  'request-queue': { kind: 'knob-capacities', floor: 8 },
  'requests-under-way': { kind: 'knob-capacities', floor: 1 },
  strays: { kind: 'knob-capacities', floor: 1 },
  'depth-buffer': { kind: 'knob-capacities', floor: 1 },
  page: { kind: 'knob-pages', floor: 5 },
  'channels-per-request': { kind: 'knob-pages', floor: 1 },
  'cancels-per-request': { kind: 'knob-pages', floor: 1 },
  'socket-again': { kind: 'knob-waits', floor: 250 },
  'private-silence': { kind: 'knob-waits', floor: 50 },
  'snapshot-wait': { kind: 'knob-waits', floor: 500 },
};

export function turnedKnobs(plan: FaultPlan, random: Random): Knobs {
  return (knob, written) => {
    const { kind, floor } = rows[knob];
    // Of each its own: in which order the parts ask changes nothing.
    const own = random.fork(knob);
    const isTurned = own.next() < plan.strength(kind);
    // Mostly far down: what is a little less is hardly another program.
    const share = own.next() ** 4;
    if (!isTurned) return written;
    plan.count(kind);
    return Math.min(written, Math.max(floor, Math.round(written * share)));
  };
}
