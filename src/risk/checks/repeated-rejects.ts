/**
 * After n identical refusals in a row of one strategy, symbol and side, the same is denied for `cooldownMs`. Then
 * all may pass, until one more begins the time anew. An accepted order ends this only if it was sent after the last
 * refusal.
 */
import { denied, type Denied } from '../../model/deny-reason.ts';

interface Streak {
  code: string;
  count: number;
  /** Of the last refusal, Unix ms. */
  at: number;
}

export class RepeatedRejects {
  readonly #streaks = new Map<string, Streak>();
  readonly #max: number;
  readonly #cooldownMs: number;

  constructor(max: number, cooldownMs: number) {
    this.#max = max;
    this.#cooldownMs = cooldownMs;
  }

  get areNone(): boolean {
    return this.#streaks.size === 0;
  }

  denial(key: string, now: number): Denied | null {
    const streak = this.#streaks.get(key);
    if (streak === undefined || streak.count < this.#max || now >= streak.at + this.#cooldownMs) return null;
    return denied('repeated_rejects', `${key}: refused ${streak.count} times in a row with ${streak.code}`);
  }

  rejected(key: string, code: string, now: number): void {
    const streak = this.#streaks.get(key);
    if (streak === undefined || streak.code !== code) {
      this.#streaks.set(key, { code, count: 1, at: now });
      return;
    }
    streak.count++;
    streak.at = now;
  }

  /** `sentAt`: Unix ms. */
  accepted(key: string, sentAt: number): void {
    const streak = this.#streaks.get(key);
    if (streak !== undefined && sentAt >= streak.at) this.#streaks.delete(key);
  }
}
