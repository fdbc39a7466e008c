/**
 * A rate limiter that nobody documented (reliability R02, R03): so many requests in a second, then 429; who goes on is
 * banned for a while. Whether a seed has one, and how tight it is, follows from its plan.
 */
import type { FaultPlan } from './fault-plan.ts';
import type { RareStates } from './rare-states.ts';

const PER_SECOND_MIN = 5;
const PER_SECOND_MORE = 15;
const WARNINGS_MAX = 4;
const FORGIVEN_AFTER_MS = 10_000;
const BAN_MS_MAX = 60_000;

export interface LimitRefusal {
  readonly status: 418 | 429;
  /** Seconds. */
  readonly retryAfter: string;
}

export class Limiter {
  readonly #plan: FaultPlan;
  readonly #rare: RareStates;
  #times: number[] = [];
  #warnings: number[] = [];
  #bannedUntil = 0;

  constructor(plan: FaultPlan, rare: RareStates) {
    this.#plan = plan;
    this.#rare = rare;
  }

  /** Null: the request may go on. */
  refusal(now: number): LimitRefusal | null {
    const strength = this.#plan.strength('hidden-limit');
    if (strength === 0) return null;
    if (now < this.#bannedUntil)
      return { status: 418, retryAfter: String(Math.ceil((this.#bannedUntil - now) / 1000)) };
    this.#times = this.#times.filter((at) => at > now - 1000);
    this.#warnings = this.#warnings.filter((at) => at > now - FORGIVEN_AFTER_MS);
    if (this.#times.length < PER_SECOND_MIN + PER_SECOND_MORE * (1 - strength)) {
      this.#times.push(now);
      return null;
    }
    this.#plan.count('hidden-limit');
    this.#rare.mark('hidden limit met');
    this.#warnings.push(now);
    if (this.#warnings.length > WARNINGS_MAX) {
      this.#rare.mark('banned');
      this.#bannedUntil = now + this.#plan.between(5000, BAN_MS_MAX);
      this.#warnings = [];
    }
    return { status: 429, retryAfter: '1' };
  }
}
