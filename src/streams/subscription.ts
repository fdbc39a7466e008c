/**
 * One watched channel and how far its silence has been answered. The steps and what each feed means by silence are data;
 * `freshness.ts` acts on them.
 *
 *   fresh ── silent ──▶ resubscribed ── still silent ──▶ reconnected ── still silent ──▶ mute
 *     ▲──────────────────────────── first datum ◀──────────────────────────────────────────┘
 */
import type { Instrument } from '../model/instrument.ts';
import { ArrivalRate } from './arrival-rate.ts';

export type WatchedFeed = 'depth' | 'trades' | 'ticker';
export type SilenceStep = 'fresh' | 'resubscribed' | 'reconnected' | 'mute';

export interface FeedExpectation {
  /** Silence that counts before a rate is learned, ms. */
  readonly startMs: number;
  /**
   * Whether silence is judged before a rate is learned. Depth answers a subscription with a snapshot, so silence is
   * telling at once; trades and tickers of a quiet symbol may rightly not come for long.
   */
  readonly judgedAtOnce: boolean;
  /** The step from which on the gate is closed for the symbol. */
  readonly gateFrom: SilenceStep;
}

/** Start values of reliability §5.3 (stale quote gate 3 s). */
export const feedExpectations: Readonly<Record<WatchedFeed, FeedExpectation>> = {
  depth: { startMs: 3000, judgedAtOnce: true, gateFrom: 'resubscribed' },
  trades: { startMs: 60_000, judgedAtOnce: false, gateFrom: 'mute' },
  ticker: { startMs: 60_000, judgedAtOnce: false, gateFrom: 'mute' },
};

const LEARNED_INTERVALS = 20;
/** The most that is learned from a silence which a snapshot ended: the gate then waits three times as long. */
const PROVED_QUIET_MS_MAX = 5000;
const STEPS: readonly SilenceStep[] = ['fresh', 'resubscribed', 'reconnected', 'mute'];

export class Subscription {
  readonly channel: string;
  readonly instrument: Instrument;
  readonly feed: WatchedFeed;
  readonly rate: ArrivalRate;
  step: SilenceStep = 'fresh';
  /** Unix ms of the last datum, or of the subscription before the first. */
  lastMs: number;
  /** Unix ms of the last act upon silence; the next one waits a whole threshold from here. */
  actedMs: number;
  /** Data has come on the present connection. */
  seen = false;
  /** Our own loop stood still since the last datum, or the clock was moved on: the interval says nothing. */
  stood = false;
  /** Why the exchange refused the channel, if it did. */
  refusal: string | undefined;
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

  /** Its silence can be told from a quiet market. */
  get judged(): boolean {
    return this.#expectation.judgedAtOnce || this.rate.intervals >= LEARNED_INTERVALS;
  }

  /** What its number says of messages before it that did not come on this connection, or undefined. */
  missedBefore(seq: number | null): string | undefined {
    const last = this.#lastSeq;
    if (!this.seen || seq === null || last === null || seq === last || seq === last + 1) return undefined;
    return `messages are missing from ${last} to ${seq}`;
  }

  /** Takes a datum; true when it ends a silence that had been acted upon. `seq`: its sequence number, null without one. */
  arrived(nowMs: number, seq: number | null): boolean {
    const wasSilent = this.step !== 'fresh';
    const last = this.#lastSeq;
    // What was sent meanwhile and did not come says that the channel was mute, not that the market is quiet: learning from
    // it would make the next silence last longer.
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
   * A silence that we ended by subscribing again says only that the interval is at least the threshold. Where the snapshot
   * proves that nothing happened, asking for it now and then is cheap, and a market that was halted is no slow one.
   */
  #intervalMs(nowMs: number, wasSilent: boolean): number {
    const intervalMs = Math.min(nowMs - this.lastMs, this.rate.staleAfterMs);
    return wasSilent && this.#expectation.judgedAtOnce ? Math.min(intervalMs, PROVED_QUIET_MS_MAX) : intervalMs;
  }

  isSilent(nowMs: number): boolean {
    return nowMs - this.lastMs > this.rate.staleAfterMs;
  }

  /** A sentence when new risk on the symbol must wait for this channel. */
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
