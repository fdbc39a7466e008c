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

export class AfterFills {
  readonly #clock: Clock;
  readonly #renew: (channel: string) => void;
  readonly #withinMs: number;
  readonly #spokeAt = new Map<string, number>();
  readonly #renewedAt = new Map<string, number>();
  readonly #due = new Map<string, Cancel>();

  constructor(clock: Clock, renew: (channel: string) => void, knobs: Knobs = asWritten) {
    this.#clock = clock;
    this.#renew = renew;
    this.#withinMs = knobs('private-silence', WITHIN_MS);
  }

  spoke(channel: string): void {
    this.#spokeAt.set(channel, this.#clock.now());
    this.#due.get(channel)?.();
    this.#due.delete(channel);
  }

  filled(channels: readonly string[]): void {
    const now = this.#clock.now();
    for (const channel of channels) {
      if (this.#due.has(channel) || now - (this.#spokeAt.get(channel) ?? Number.NEGATIVE_INFINITY) < BEFORE_MS)
        continue;
      if (now - (this.#renewedAt.get(channel) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) continue;
      this.#due.set(
        channel,
        this.#clock.after(this.#withinMs, () => this.#silent(channel)),
      );
    }
  }

  clear(): void {
    for (const cancel of this.#due.values()) cancel();
    this.#due.clear();
    this.#spokeAt.clear();
    this.#renewedAt.clear();
  }

  #silent(channel: string): void {
    this.#due.delete(channel);
    this.#renewedAt.set(channel, this.#clock.now());
    this.#renew(channel);
  }
}
