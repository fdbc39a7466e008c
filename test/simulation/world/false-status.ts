/**
 * The exchange pushes of an order that rests that it is over. The order rests on, and every list says so: a fault of class A of
 * the fault model. Which orders it has said that of the laws ask, since what the journal then calls over is its word.
 */
import { falseStatuses, retellings } from '../../../src/sandbox/retellings.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { VenueSide } from './venue-side.ts';

const CHANNEL = '@order-info"';
const ORDER_ID = /"orderId":"([^"]+)"/g;

export class FalseStatus {
  readonly #plan: FaultPlan;
  readonly #venue: VenueSide;

  constructor(plan: FaultPlan, venue: VenueSide) {
    this.#plan = plan;
    this.#venue = venue;
  }

  /** A frame, as the exchange tells it. */
  frame(text: string): string {
    if (!text.includes(CHANNEL)) return text;
    const told = retellings.falseStatus(text, falseStatuses[0]);
    if (told === text || !this.#plan.strikes('false-status')) return text;
    for (const [, orderId = ''] of text.matchAll(ORDER_ID)) this.#venue.calledOver.add(orderId);
    return retellings.falseStatus(text, this.#plan.pick(falseStatuses));
  }
}
