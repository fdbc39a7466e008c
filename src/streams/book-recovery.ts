/**
 * Gets a snapshot for every book without one, by resubscribing and by REST in turn. One attempt per symbol at a time,
 * with growing waits and no end (S05, S09).
 */
import type { Instrument } from '../model/market/instrument.ts';
import type { DepthEvent } from '../model/market/market-event.ts';
import { asWritten, type Knobs } from '../model/knobs.ts';
import { messageOf } from '../model/errors.ts';
import { silentLogger, type Cancel, type Clock, type Logger } from '../model/ports.ts';

/** Wait for a snapshot before the next attempt; doubles up to the maximum. */
const WAIT_MS_MIN = 3000;
const WAIT_MS_MAX = 60_000;
/** A book that was live this long starts again with the shortest wait. */
const STABLE_MS = 60_000;

/** The REST order book as a snapshot event; null when it could not be read. May reject. */
export type FetchSnapshot = (instrument: Instrument) => Promise<DepthEvent | null>;

export interface BookRecoveryDeps {
  readonly clock: Clock;
  readonly log?: Logger;
  readonly knobs?: Knobs;
  readonly isUsable: (symbol: string) => boolean;
  readonly resubscribe: (instrument: Instrument) => void;
  readonly fetchSnapshot?: FetchSnapshot;
  readonly deliver: (snapshot: DepthEvent) => void;
}

interface Attempt {
  readonly instrument: Instrument;
  count: number;
  /** Unix ms of the last attempt. */
  lastMs: number;
  timer: Cancel | undefined;
  /** Unix ms of the timer's next check. */
  dueMs: number;
}

export class BookRecovery {
  readonly #deps: BookRecoveryDeps;
  readonly #log: Logger;
  readonly #waitMsMin: number;
  readonly #attempts = new Map<string, Attempt>();
  #paused = true;

  constructor(deps: BookRecoveryDeps) {
    this.#deps = deps;
    this.#log = deps.log ?? silentLogger;
    this.#waitMsMin = (deps.knobs ?? asWritten)('snapshot-wait', WAIT_MS_MIN);
  }

  /** Attempts for a symbol since its book was last live for a minute. */
  attempts(symbol: string): number {
    return this.#attempts.get(symbol)?.count ?? 0;
  }

  /** Asks for a snapshot when none comes. */
  expect(instrument: Instrument): void {
    const attempt = this.#of(instrument);
    if (!this.#paused && attempt.timer === undefined) this.#wait(attempt, this.#waitMsMin);
  }

  /** The book was discarded. The first attempt is made at once. */
  lost(instrument: Instrument, reason: string): void {
    const { symbol } = instrument;
    this.#log.warn({ symbol, reason }, 'the order book was given up and is fetched anew');
    const attempt = this.#of(instrument);
    if (this.#paused) return;
    const nowMs = this.#deps.clock.now();
    if (nowMs - attempt.lastMs > STABLE_MS) attempt.count = 0;
    const dueMs = attempt.count === 0 ? nowMs : attempt.lastMs + this.#waitMs(attempt.count);
    if (attempt.timer !== undefined && attempt.dueMs <= dueMs) return;
    // Never inside the event that revealed the loss.
    this.#wait(attempt, Math.max(0, dueMs - nowMs));
  }

  pause(): void {
    this.#paused = true;
    for (const attempt of this.#attempts.values()) {
      attempt.timer?.();
      attempt.timer = undefined;
    }
  }

  resume(): void {
    this.#paused = false;
    for (const { instrument } of this.#attempts.values()) this.expect(instrument);
  }

  #of(instrument: Instrument): Attempt {
    let attempt = this.#attempts.get(instrument.symbol);
    if (attempt === undefined) {
      attempt = { instrument, count: 0, lastMs: Number.NEGATIVE_INFINITY, timer: undefined, dueMs: 0 };
      this.#attempts.set(instrument.symbol, attempt);
    }
    return attempt;
  }

  #wait(attempt: Attempt, delayMs: number): void {
    attempt.timer?.();
    attempt.dueMs = this.#deps.clock.now() + delayMs;
    attempt.timer = this.#deps.clock.after(delayMs, () => {
      attempt.timer = undefined;
      if (!this.#paused && !this.#deps.isUsable(attempt.instrument.symbol)) this.#try(attempt);
    });
  }

  #try(attempt: Attempt): void {
    const { instrument } = attempt;
    attempt.count++;
    attempt.lastMs = this.#deps.clock.now();
    const { fetchSnapshot } = this.#deps;
    if (fetchSnapshot !== undefined && attempt.count % 2 === 0) void this.#fetch(instrument, fetchSnapshot);
    else this.#deps.resubscribe(instrument);
    this.#wait(attempt, this.#waitMs(attempt.count));
  }

  #waitMs(count: number): number {
    return Math.min(WAIT_MS_MAX, this.#waitMsMin * 2 ** Math.max(0, count - 1));
  }

  async #fetch(instrument: Instrument, fetchSnapshot: FetchSnapshot): Promise<void> {
    const { symbol } = instrument;
    try {
      const snapshot = await fetchSnapshot(instrument);
      if (snapshot === null) this.#log.warn({ symbol }, 'the order book could not be read');
      else if (!this.#paused && !this.#deps.isUsable(symbol)) this.#deps.deliver(snapshot);
    } catch (thrown) {
      this.#log.warn({ symbol, reason: messageOf(thrown) }, 'the order book could not be read');
    }
  }
}
