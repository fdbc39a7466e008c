/**
 * A fill must change an order, a balance and a position. A private channel that stays stale after one is resubscribed,
 * at most once a minute.
 */
import { asWritten, type Knobs } from '../model/knobs.ts';
import type { Cancel, Clock } from '../model/ports.ts';

/** A message this long before the fill may already include it. */
const BEFORE_MS = 1000;
const WITHIN_MS = 5000;
const AGAIN_MS = 60_000;

interface Due {
  readonly anyOf: readonly string[];
  readonly cancel: Cancel;
}

export class AfterFills {
  readonly #clock: Clock;
  readonly #renew: (channel: string) => void;
  readonly #withinMs: number;
  readonly #spokeAt = new Map<string, number>();
  readonly #renewedAt = new Map<string, number>();
  readonly #due = new Map<string, Due>();

  constructor(clock: Clock, renew: (channel: string) => void, knobs: Knobs = asWritten) {
    this.#clock = clock;
    this.#renew = renew;
    this.#withinMs = knobs('private-silence', WITHIN_MS);
  }

  spoke(channel: string): void {
    this.#spokeAt.set(channel, this.#clock.now());
    for (const [key, { anyOf, cancel }] of this.#due) {
      if (!anyOf.includes(channel)) continue;
      cancel();
      this.#due.delete(key);
    }
  }

  /** Of each row one channel must report the fill. */
  filled(expected: readonly (readonly string[])[]): void {
    for (const anyOf of expected) {
      const key = anyOf.join(' ');
      if (this.#due.has(key) || this.#isSince(this.#spokeAt, anyOf, BEFORE_MS)) continue;
      if (this.#isSince(this.#renewedAt, anyOf, AGAIN_MS)) continue;
      this.#due.set(key, { anyOf, cancel: this.#clock.after(this.#withinMs, () => this.#silent(key, anyOf)) });
    }
  }

  clear(): void {
    for (const { cancel } of this.#due.values()) cancel();
    this.#due.clear();
    this.#spokeAt.clear();
    this.#renewedAt.clear();
  }

  #isSince(times: ReadonlyMap<string, number>, channels: readonly string[], ms: number): boolean {
    const now = this.#clock.now();
    return channels.some((channel) => now - (times.get(channel) ?? Number.NEGATIVE_INFINITY) < ms);
  }

  #silent(key: string, channels: readonly string[]): void {
    this.#due.delete(key);
    for (const channel of channels) {
      this.#renewedAt.set(channel, this.#clock.now());
      this.#renew(channel);
    }
  }
}
