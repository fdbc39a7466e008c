/**
 * An exchange that forgets client order ids for a while, in what it tells of orders: of all, of those that are older or
 * younger than some moment, or in the lists of the past alone. It still knows whose id is used. Reliability §2.6.
 */
import { isRecord } from '../../../src/exchange/wire/decoded.ts';
import type { FaultPlan } from './fault-plan.ts';

const FOR_MS_MAX = 120_000;
const AGE_MS_MAX = 60_000;
const ID = /,"clientOrderId":"[^"]*"/g;
const ORDERS = '"orderId"';
const PAST = '/history';

type Way = 'all' | 'older' | 'younger' | 'past';

export class ForgottenIds {
  readonly #plan: FaultPlan;
  #way: Way = 'all';
  #untilMs = 0;
  /** Orders created up to then, or after it, are without. */
  #sinceMs = 0;

  constructor(plan: FaultPlan) {
    this.#plan = plan;
  }

  begin(nowMs: number): void {
    const plan = this.#plan;
    this.#way = plan.pick<Way>(['all', 'older', 'younger', 'past']);
    this.#untilMs = nowMs + plan.between(1000, FOR_MS_MAX);
    this.#sinceMs = this.#way === 'older' ? nowMs - plan.between(0, AGE_MS_MAX) : nowMs;
  }

  /** An answer to a request for `target`, as it is told now. */
  answer(target: string, body: string, nowMs: number): string {
    if (!this.#isOn(nowMs) || !body.includes(ORDERS)) return body;
    if (this.#way === 'all') return body.replaceAll(ID, '');
    if (this.#way === 'past') return target.includes(PAST) ? body.replaceAll(ID, '') : body;
    return this.#listed(body);
  }

  /** A frame of the private stream. */
  frame(text: string, nowMs: number): string {
    return this.#isOn(nowMs) && this.#way === 'all' ? text.replaceAll(ID, '') : text;
  }

  #isOn(nowMs: number): boolean {
    return this.#plan.isOn && nowMs < this.#untilMs;
  }

  #listed(body: string): string {
    const json: unknown = JSON.parse(body);
    if (!isRecord(json) || !Array.isArray(json['items'])) return body;
    const items: readonly unknown[] = json['items'];
    return JSON.stringify({ ...json, items: items.map((item) => (this.#isForgotten(item) ? nameless(item) : item)) });
  }

  #isForgotten(item: unknown): boolean {
    const at = isRecord(item) ? Number(item['createdAt']) : Number.NaN;
    return this.#way === 'older' ? at <= this.#sinceMs : at > this.#sinceMs;
  }
}

function nameless(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const { clientOrderId: _, ...rest } = item;
  return rest;
}
