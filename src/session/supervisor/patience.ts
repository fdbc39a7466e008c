/**
 * When the supervisor has to end a main thread, by what it sees at each check. Pure.
 *
 *   stalled   blocked for `stallMs`
 *   blocked   had the signal to end, and its event loop did not return for `HEAR_MS`
 *   late      had the signal to end, and has not ended in time
 *   twice     had the signal to end twice
 */
import { StandStill } from './stand-still.ts';

export type EndCause = 'stalled' | 'blocked' | 'late' | 'twice';

export interface Sight {
  /** Counts the turns of the event loop. */
  readonly beat: number;
  readonly nowMs: number;
  /** A missing beat matters. */
  readonly isArmed: boolean;
  /** The main thread has received the signal. */
  readonly isEnding: boolean;
  readonly isAtOnce: boolean;
}

/** Of a running supervisor. */
const GAP_MS_MAX = 500;
/** A running main thread needs milliseconds, one that gets no processor seconds. */
const HEAR_MS = 2_000;
/** Where the supervisor itself comes late the machine is busy: a look counts as one that came in time. */
const HEAR_GAP_MS_MAX = 150;
/** With the supervisor's cancels 25 s. */
const ORDERLY_MS = 22_000;
/** Terminal and launcher may both send one. */
const SAME_SIGNAL_MS = 1_000;

export class Patience {
  readonly #stallMs: number;
  readonly #watch: StandStill;
  readonly #fair: StandStill;
  /** Lived time of `#watch` and `#fair`. */
  #signalled: { readonly at: number; readonly fairAt: number } | null = null;
  #endingAt: number | null = null;
  #isTwice = false;
  #isArmed = false;

  constructor(stallMs: number, beat: number, nowMs: number) {
    this.#stallMs = stallMs;
    this.#watch = new StandStill(beat, nowMs, GAP_MS_MAX);
    this.#fair = new StandStill(beat, nowMs, HEAR_GAP_MS_MAX);
  }

  signalled(): void {
    const at = this.#watch.livedMs;
    if (this.#signalled === null) this.#signalled = { at, fairAt: this.#fair.livedMs };
    else if (at - this.#signalled.at >= SAME_SIGNAL_MS) this.#isTwice = true;
  }

  look({ beat, nowMs, isArmed, isEnding, isAtOnce }: Sight): EndCause | null {
    this.#watch.look(beat, nowMs);
    this.#fair.look(beat, nowMs);
    this.#isArmed = isArmed;
    const { stoodMs, livedMs } = this.#watch;
    if (isEnding) this.#endingAt ??= livedMs;
    if (this.#isTwice || isAtOnce) return 'twice';
    const isBlocked = this.#endingAt === null ? this.#deafMs >= HEAR_MS : isArmed && this.#fair.stoodMs >= HEAR_MS;
    if (isBlocked) return 'blocked';
    const toldAt = this.#endingAt ?? this.#signalled?.at ?? livedMs;
    if (livedMs - toldAt >= ORDERLY_MS) return 'late';
    return this.#endingAt === null && isArmed && stoodMs >= this.#stallMs ? 'stalled' : null;
  }

  /** Since its last beat; since the signal where it does not beat. */
  get stoodMs(): number {
    return this.#isArmed ? this.#watch.stoodMs : this.#deafMs;
  }

  /** Since the signal or a later beat. */
  get #deafMs(): number {
    if (this.#signalled === null) return 0;
    const { stoodMs, livedMs } = this.#fair;
    return Math.min(stoodMs, livedMs - this.#signalled.fairAt);
  }
}
