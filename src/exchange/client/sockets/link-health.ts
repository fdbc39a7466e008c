/**
 * Connection liveness, checked once a second:
 *
 *   ping every 20–22 s · pong within 8 s · nothing at all for 26 s · more than 64 KB unsent for 2 s
 *
 * After a stalled event loop, frames may still wait in the kernel, so a late check allows one more round.
 */
import type { Random } from '../../../model/ports.ts';
import { limits } from '../../interface/limits.ts';

export const CHECK_EVERY_MS = 1000;
const LATE_MS = 1000;
const PING_EVERY_MS = limits.pingIntervalMsMin;
const PING_JITTER_MS = 2000;
const PONG_WITHIN_MS = 8000;
const SILENCE_MS_MAX = 26_000;
/** After this time a connection without traffic is also one that answers no ping. */
export const QUIET_MS_MAX = PING_EVERY_MS + PING_JITTER_MS + 2 * CHECK_EVERY_MS;
const BUFFERED_BYTES_MAX = 64 * 1024;
const BUFFERED_MS_MAX = 2000;

export type Verdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'ping' }
  | { readonly kind: 'dead'; readonly reason: string };

const FINE: Verdict = Object.freeze({ kind: 'fine' });
const PING: Verdict = Object.freeze({ kind: 'ping' });

export class LinkHealth {
  readonly #random: Random;
  #receivedAt: number;
  #checkedAt: number;
  #pingAt: number;
  #pongDueAt: number | null = null;
  #bufferedSince: number | null = null;

  constructor(random: Random, now: number) {
    this.#random = random;
    this.#receivedAt = now;
    this.#checkedAt = now;
    this.#pingAt = this.#nextPing(now);
  }

  received(now: number): void {
    this.#receivedAt = now;
  }

  ponged(): void {
    this.#pongDueAt = null;
  }

  /** The caller sends the ping. */
  check(now: number, bufferedBytes: number): Verdict {
    const late = now - this.#checkedAt - CHECK_EVERY_MS > LATE_MS;
    this.#checkedAt = now;
    if (bufferedBytes <= BUFFERED_BYTES_MAX) this.#bufferedSince = null;
    else this.#bufferedSince ??= now;
    if (!late) {
      const reason = this.#deadBecause(now);
      if (reason !== null) return { kind: 'dead', reason };
    }
    if (now < this.#pingAt) return FINE;
    this.#pingAt = this.#nextPing(now);
    this.#pongDueAt ??= now + PONG_WITHIN_MS;
    return PING;
  }

  #deadBecause(now: number): string | null {
    if (now - this.#receivedAt > SILENCE_MS_MAX) return `nothing received for ${SILENCE_MS_MAX / 1000} s`;
    if (this.#pongDueAt !== null && now > this.#pongDueAt) return `no pong within ${PONG_WITHIN_MS / 1000} s`;
    if (this.#bufferedSince !== null && now - this.#bufferedSince > BUFFERED_MS_MAX) return 'sent data does not drain';
    return null;
  }

  #nextPing(now: number): number {
    return now + PING_EVERY_MS + this.#random.next() * PING_JITTER_MS;
  }
}
