/** Lanes of the REST client. */
import type { Knobs } from '../../model/knobs.ts';
import type { Lane } from '../../model/ports.ts';
import { concurrencyMax, type RequestClass } from './http-transport.ts';

export interface LaneRule {
  readonly lane: Lane;
  readonly class: RequestClass;
  /** To the last byte. */
  readonly deadlineMs: number;
  readonly queueMsMax: number;
  /** Connections left to more urgent lanes. */
  readonly keepFree: number;
}

const LANES: readonly LaneRule[] = [
  { lane: 'kill', class: 'orders', deadlineMs: 4000, queueMsMax: 30_000, keepFree: 0 },
  { lane: 'cancel', class: 'orders', deadlineMs: 4000, queueMsMax: 10_000, keepFree: 0 },
  { lane: 'reduce', class: 'orders', deadlineMs: 6000, queueMsMax: 5000, keepFree: 1 },
  { lane: 'create', class: 'orders', deadlineMs: 6000, queueMsMax: 5000, keepFree: 2 },
  { lane: 'reconcile', class: 'reconcile', deadlineMs: 8000, queueMsMax: 15_000, keepFree: 0 },
  { lane: 'history', class: 'reconcile', deadlineMs: 15_000, queueMsMax: 60_000, keepFree: 1 },
  { lane: 'public', class: 'public', deadlineMs: 8000, queueMsMax: 15_000, keepFree: 0 },
  { lane: 'page', class: 'reconcile', deadlineMs: 6000, queueMsMax: 2000, keepFree: 2 },
];

export const laneNames: readonly Lane[] = LANES.map(({ lane }) => lane);

export function lanesOf(knobs: Knobs): readonly LaneRule[] {
  return LANES.map((rule) => turned(rule, knobs));
}

function turned(rule: LaneRule, knobs: Knobs): LaneRule {
  const { deadlineMs, queueMsMax } = rule;
  return { ...rule, deadlineMs: knobs('request-deadline', deadlineMs), queueMsMax: knobs('request-wait', queueMsMax) };
}

export function underWayMax(knobs: Knobs): Readonly<Record<RequestClass, number>> {
  const most = (name: RequestClass): number => {
    const kept = LANES.filter((rule) => rule.class === name).map(({ keepFree }) => keepFree);
    return Math.max(knobs('requests-under-way', concurrencyMax[name]), 1 + Math.max(...kept));
  };
  return { orders: most('orders'), reconcile: most('reconcile'), public: most('public') };
}

/** Of what waited too long in its lane. */
export function waitedReason({ lane, queueMsMax }: Pick<LaneRule, 'lane' | 'queueMsMax'>): string {
  return `waited ${queueMsMax} ms in lane ${lane}`;
}

export function isWaitedReason(reason: string, lane: Lane): boolean {
  return reason.startsWith('waited ') && reason.endsWith(` in lane ${lane}`);
}
