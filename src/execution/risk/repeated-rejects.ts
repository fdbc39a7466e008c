/**
 * Breaker against reject loops: after n identical refusals in a row of one strategy, symbol and side, the same thing
 * is not tried again for a while; then one try is let through. An accepted order closes the breaker.
 */
import { denied, type Denied } from '../../model/deny-reason.ts';

interface Streak {
  code: string;
  count: number;
  until: number;
}

export class RepeatedRejects {
  readonly #streaks = new Map<string, Streak>();
  readonly #max: number;
  readonly #cooldownMs: number;

  constructor(max: number, cooldownMs: number) {
    this.#max = max;
    this.#cooldownMs = cooldownMs;
  }

  denial(key: string, now: number): Denied | null {
    const streak = this.#streaks.get(key);
    if (streak === undefined || streak.count < this.#max || now >= streak.until) return null;
    return denied('repeated_rejects', `${key}: refused ${streak.count} times in a row with ${streak.code}`);
  }

  rejected(key: string, code: string, now: number): void {
    const streak = this.#streaks.get(key);
    if (streak === undefined || streak.code !== code) {
      this.#streaks.set(key, { code, count: 1, until: now + this.#cooldownMs });
      return;
    }
    streak.count++;
    streak.until = now + this.#cooldownMs;
  }

  accepted(key: string): void {
    this.#streaks.delete(key);
  }
}
