/**
 * One watched channel and the steps taken while it is stale. `freshness.ts` carries them out.
 *
 *   fresh ── stale ──▶ resubscribed ── still stale ──▶ reconnected ── still stale ──▶ mute
 *     ▲──────────────────────────── first datum ◀────────────────────────────────────┘
 */
import type { Instrument } from '../model/market/instrument.ts';
import { ArrivalRate } from './arrival-rate.ts';

export type WatchedFeed = 'depth' | 'trades' | 'ticker';
export type SilenceStep = 'fresh' | 'resubscribed' | 'reconnected' | 'mute';

export interface FeedExpectation {
  /** Staleness threshold before a rate is learned, ms. */
  readonly startMs: number;
  /** Whether the channel can be stale before a rate is learned: depth sends a snapshot, trades may be quiet. */
  readonly judgedAtOnce: boolean;
  readonly gateFrom: SilenceStep;
}

/** Start values; the gate of stale quotes closes after 3 s. */
export const feedExpectations: Readonly<Record<WatchedFeed, FeedExpectation>> = {
  depth: { startMs: 3000, judgedAtOnce: true, gateFrom: 'resubscribed' },
  trades: { startMs: 60_000, judgedAtOnce: false, gateFrom: 'mute' },
  ticker: { startMs: 60_000, judgedAtOnce: false, gateFrom: 'mute' },
};

const LEARNED_INTERVALS = 20;
/** Longest interval learned from a pause that a snapshot ended. */
const PROVED_QUIET_MS_MAX = 5000;
const STEPS: readonly SilenceStep[] = ['fresh', 'resubscribed', 'reconnected', 'mute'];

export class Subscription {
  readonly channel: string;
  readonly instrument: Instrument;
  readonly feed: WatchedFeed;
  readonly rate: ArrivalRate;
  step: SilenceStep = 'fresh';
  /** Unix ms of the last datum, or of the subscription. */
  lastMs: number;
  /** Unix ms of the last step; the next waits a whole threshold. */
  actedMs: number;
  /** Data came on this connection. */
  seen = false;
  /** The event loop stalled or the clock stepped: the interval is void. */
  stood = false;
  /** Why the exchange refused the channel. */
  refusal: string | undefined;
  /** Times that its data was missing. */
  gaps = 0;
  readonly #expectation: FeedExpectation;
  #lastSeq: number | null = null;

  constructor(channel: string, instrument: Instrument, feed: WatchedFeed, nowMs: number, startMs?: number) {
    this.channel = channel;
    this.instrument = instrument;
    this.feed = feed;
    this.#expectation = feedExpectations[feed];
    this.rate = new ArrivalRate(startMs ?? this.#expectation.startMs);
    this.lastMs = nowMs;
    this.actedMs = nowMs;
  }

  /** Its staleness differs from a quiet market. */
  get judged(): boolean {
    return this.#expectation.judgedAtOnce || this.rate.intervals >= LEARNED_INTERVALS;
  }

  /** Messages missing before `seq` on this connection, in words, or undefined. */
  missedBefore(seq: number | null): string | undefined {
    const last = this.#lastSeq;
    if (!this.seen || seq === null || last === null || seq === last || seq === last + 1) return undefined;
    return `messages are missing from ${last} to ${seq}`;
  }

  /** True when it ends a staleness that caused a step. `seq` is null without a number. */
  arrived(nowMs: number, seq: number | null): boolean {
    const wasSilent = this.step !== 'fresh';
    const last = this.#lastSeq;
    // Lost messages mean a mute channel, so learn nothing.
    const isWhole = seq === null || last === null || (seq >= last && seq <= last + 1);
    const wasWatched = !this.stood && (wasSilent || !this.isSilent(nowMs));
    this.stood = false;
    if (this.seen && wasWatched && isWhole) this.rate.record(this.#intervalMs(nowMs, wasSilent));
    this.#lastSeq = seq;
    this.seen = true;
    this.lastMs = nowMs;
    this.actedMs = nowMs;
    this.step = 'fresh';
    this.refusal = undefined;
    return wasSilent;
  }

  /**
   * After our resubscription the interval is at least the threshold. It is bounded, because the market may have been
   * halted.
   */
  #intervalMs(nowMs: number, wasSilent: boolean): number {
    const intervalMs = Math.min(nowMs - this.lastMs, this.rate.staleAfterMs);
    return wasSilent && this.#expectation.judgedAtOnce ? Math.min(intervalMs, PROVED_QUIET_MS_MAX) : intervalMs;
  }

  isSilent(nowMs: number): boolean {
    return nowMs - this.lastMs > this.rate.staleAfterMs;
  }

  /** Why new risk on the symbol must wait, or undefined. */
  gateMessage(nowMs: number): string | undefined {
    const name = `${this.instrument.symbol} ${this.feed}`;
    if (this.refusal !== undefined) return `${name}: the exchange refused the channel (${this.refusal})`;
    const { gateFrom } = this.#expectation;
    const atOnce = gateFrom === 'resubscribed';
    if (atOnce && !this.seen) return `${name}: no data yet on this connection`;
    const closed = atOnce ? this.isSilent(nowMs) : STEPS.indexOf(this.step) >= STEPS.indexOf(gateFrom);
    if (!closed) return undefined;
    const silentS = ((nowMs - this.lastMs) / 1000).toFixed(1);
    return `${name}: nothing for ${silentS} s, expected within ${(this.rate.staleAfterMs / 1000).toFixed(1)} s`;
  }
}
