/**
 * A list of positions that lags, or is empty for a while although positions are held, as a replica or an overloaded back
 * end tells it. Empty is no flat account (INV-F6). Reliability O38, M15.
 */
import type { FaultPlan } from './fault-plan.ts';
import type { RareStates } from './rare-states.ts';

const PATH = '/positions/list';
const EMPTY_MS_MAX = 60_000;
/** As far as any other list lags. */
const OLD_MS_MAX = 25_000;

type Way = 'old' | 'empty';

export class OldPositions {
  readonly #plan: FaultPlan;
  readonly #rare: RareStates;
  #way: Way = 'old';
  #untilMs = 0;
  #last = '[]';
  #lastMs = 0;

  constructor(plan: FaultPlan, rare: RareStates) {
    this.#plan = plan;
    this.#rare = rare;
  }

  begin(nowMs: number): void {
    this.#way = this.#plan.pick<Way>(['old', 'empty']);
    this.#untilMs = nowMs + this.#plan.between(1000, EMPTY_MS_MAX);
  }

  /** An answer to a request for `target`, as it is told now. */
  answer(target: string, body: string, nowMs: number): string {
    if (!target.includes(PATH)) return body;
    const isOn = this.#plan.isOn && nowMs < this.#untilMs;
    if (isOn && this.#way === 'empty') {
      if (body.includes('"positionSide"')) this.#rare.mark('position held and not shown');
      return '[]';
    }
    if (isOn && nowMs - this.#lastMs < OLD_MS_MAX) {
      if (this.#last !== body) this.#rare.mark('position shown as it was before');
      return this.#last;
    }
    this.#last = body;
    this.#lastMs = nowMs;
    return body;
  }
}
