/**
 * Notices a private channel that the exchange has silently dropped on a connection that stays: a fill moves an order, a
 * balance and, in a perpetual, a position, so the channels of these speak when a fill is told. One that does not is
 * subscribed to again, at most once a minute. Nothing is concluded from its silence: what is missing is for the reconciler to
 * read. Called by the private stream. Times are receive times.
 */
import { asWritten, type Knobs } from '../model/knobs.ts';
import type { Cancel, Clock } from '../model/ports.ts';

/** Channels of one instant arrive in any order; what spoke so long before the fill may have told of it. */
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

  /** A fill was told, which these channels have to tell of too. */
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

  /** A new connection, or none. */
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
