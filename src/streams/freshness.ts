/**
 * Freshness of each subscription by its learned rate (reliability S02, S03, S19). A stale channel is resubscribed, then
 * the connection replaced, then retried rarely. Emits one gap per symbol and closes its gate.
 */
import type { Instrument } from '../model/market/instrument.ts';
import type { MarketSink } from '../model/market/market-event.ts';
import { silentLogger, type Cancel, type Clock, type Gate, type GateClosure, type Logger } from '../model/ports.ts';
import { usOf } from '../model/time.ts';
import { Subscription, type SilenceStep, type WatchedFeed } from './subscription.ts';

const CHECK_MS = 250;
/** A check this late means that the event loop stood still, not the channels. */
const CHECK_LATE_MS = 1000;
/** Least time between two subscriptions of a mute channel. */
const RETRY_MS_MIN = 30_000;

export interface FreshnessDeps {
  readonly clock: Clock;
  readonly log?: Logger;
  readonly emit: MarketSink;
  readonly resubscribe: (subscription: Subscription) => void;
  readonly reconnect: (reason: string) => void;
  /** Staleness threshold before a rate is learned, ms; defaults in `subscription.ts`. */
  readonly startMs?: Partial<Readonly<Record<WatchedFeed, number>>>;
}

export interface ChannelStatus {
  readonly channel: string;
  readonly symbol: string;
  readonly feed: WatchedFeed;
  /** Since the last datum. */
  readonly ageMs: number;
  readonly staleAfterMs: number;
  readonly step: SilenceStep;
  /** How often its data was missing: staleness, refusal, lost messages, a lost connection. */
  readonly gaps: number;
}

interface OpenGap {
  readonly instrument: Instrument;
  readonly fromUs: number;
  readonly reason: string;
}

export class Freshness implements Gate {
  readonly name = 'market data';
  readonly #deps: FreshnessDeps;
  readonly #log: Logger;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #gaps = new Map<string, OpenGap>();
  #timer: Cancel | undefined;
  #checkedMs = 0;
  /** Why there is no connection, or undefined while there is one. */
  #downReason: string | undefined = 'not connected yet';

  constructor(deps: FreshnessDeps) {
    this.#deps = deps;
    this.#log = deps.log ?? silentLogger;
  }

  start(): void {
    this.#checkedMs = this.#deps.clock.now();
    this.#timer ??= this.#deps.clock.every(CHECK_MS, () => this.#check());
  }

  stop(): void {
    this.#timer?.();
    this.#timer = undefined;
  }

  watch(channel: string, instrument: Instrument, feed: WatchedFeed): void {
    if (this.#subscriptions.has(channel)) return;
    const { clock, startMs } = this.#deps;
    this.#subscriptions.set(channel, new Subscription(channel, instrument, feed, clock.now(), startMs?.[feed]));
  }

  /** A readable message came; `seq` shows whether any was lost before it. */
  arrived(channel: string, seq: number | null = null): void {
    const subscription = this.#subscriptions.get(channel);
    if (subscription === undefined) return;
    const first = !subscription.seen;
    const nowMs = this.#deps.clock.now();
    if (nowMs - this.#checkedMs > CHECK_LATE_MS) subscription.stood = true;
    // Books detect their gaps and tickers are states; lost trades make wrong candles.
    const missed = subscription.feed === 'trades' ? subscription.missedBefore(seq) : undefined;
    if (missed !== undefined) this.missed(channel, missed);
    const wasSilent = subscription.arrived(nowMs, seq);
    if (wasSilent) this.#log.info({ channel }, 'channel is back');
    if (wasSilent || first) this.#closeGap(subscription.instrument);
  }

  /** Missing or unreadable messages: a gap that ends at once, unless one is open. */
  missed(channel: string, what: string): void {
    const subscription = this.#subscriptions.get(channel);
    if (subscription === undefined) return;
    subscription.gaps++;
    const { instrument, lastMs } = subscription;
    if (this.#gaps.has(instrument.symbol)) return;
    this.#emit({ instrument, fromUs: usOf(lastMs), reason: `${channel}: ${what}` }, false);
  }

  /** The gate stays closed, and the subscription is retried rarely. */
  refused(channel: string, error: string): void {
    const subscription = this.#subscriptions.get(channel);
    if (subscription === undefined) return;
    if (subscription.refusal === undefined) subscription.gaps++;
    subscription.refusal = error;
    subscription.actedMs = this.#deps.clock.now();
    this.#openGap(subscription, `${channel} refused: ${error}`);
  }

  accepted(channel: string): void {
    const subscription = this.#subscriptions.get(channel);
    if (subscription?.refusal === undefined) return;
    subscription.refusal = undefined;
    subscription.lastMs = this.#deps.clock.now();
    this.#closeGap(subscription.instrument);
  }

  connectionUp(): void {
    this.#downReason = undefined;
    const nowMs = this.#deps.clock.now();
    for (const subscription of this.#subscriptions.values()) {
      subscription.seen = false;
      subscription.actedMs = nowMs;
      if (subscription.step === 'fresh') subscription.lastMs = nowMs;
    }
    for (const gap of this.#gaps.values()) this.#closeGap(gap.instrument);
  }

  connectionDown(reason: string): void {
    if (this.#downReason === reason) return;
    const wasUp = this.#downReason === undefined;
    this.#downReason = reason;
    for (const subscription of this.#subscriptions.values()) {
      // A channel that was stale already is in its gap.
      if (wasUp && subscription.seen && subscription.step === 'fresh') subscription.gaps++;
      this.#openGap(subscription, `connection lost: ${reason}`);
    }
  }

  closedBecause(symbol: string): GateClosure | null {
    if (this.#downReason !== undefined) {
      return { reason: 'stale_data', message: `market data is not connected: ${this.#downReason}` };
    }
    const nowMs = this.#deps.clock.now();
    for (const subscription of this.#subscriptions.values()) {
      if (subscription.instrument.symbol !== symbol) continue;
      const message = subscription.gateMessage(nowMs);
      if (message !== undefined) return { reason: 'stale_data', message };
    }
    return null;
  }

  status(): readonly ChannelStatus[] {
    const nowMs = this.#deps.clock.now();
    return [...this.#subscriptions.values()].map(({ channel, instrument, feed, lastMs, rate, step, gaps }) => {
      const { symbol } = instrument;
      return { channel, symbol, feed, ageMs: nowMs - lastMs, staleAfterMs: rate.staleAfterMs, step, gaps };
    });
  }

  #check(): void {
    const nowMs = this.#deps.clock.now();
    const late = nowMs - this.#checkedMs > CHECK_LATE_MS;
    this.#checkedMs = nowMs;
    if (late) {
      for (const subscription of this.#subscriptions.values()) subscription.stood = true;
      return;
    }
    for (const subscription of this.#subscriptions.values()) {
      // An earlier step may have ended the connection.
      if (this.#downReason !== undefined) return;
      if (subscription.refusal !== undefined) {
        this.#askAgain(subscription, nowMs);
        continue;
      }
      if (!subscription.isSilent(nowMs)) continue;
      if (subscription.step === 'fresh' || nowMs - subscription.actedMs > this.#patienceMs(subscription)) {
        this.#escalate(subscription, nowMs);
      }
    }
  }

  #askAgain(subscription: Subscription, nowMs: number): void {
    if (nowMs - subscription.actedMs < RETRY_MS_MIN) return;
    subscription.actedMs = nowMs;
    this.#deps.resubscribe(subscription);
  }

  #patienceMs({ step, rate }: Subscription): number {
    return step === 'mute' ? Math.max(RETRY_MS_MIN, rate.staleAfterMs) : rate.staleAfterMs;
  }

  #escalate(subscription: Subscription, nowMs: number): void {
    const { channel, step, judged } = subscription;
    const silentMs = Math.round(nowMs - subscription.lastMs);
    subscription.actedMs = nowMs;
    if (!judged) {
      subscription.step = 'resubscribed';
      this.#deps.resubscribe(subscription);
    } else if (step === 'fresh') {
      subscription.step = 'resubscribed';
      subscription.gaps++;
      this.#log.warn({ channel, silentMs, staleAfterMs: subscription.rate.staleAfterMs }, 'channel is stale');
      this.#openGap(subscription, `${channel} is stale`);
      this.#deps.resubscribe(subscription);
    } else if (step === 'resubscribed') {
      subscription.step = 'reconnected';
      this.#deps.reconnect(`${channel} stale for ${silentMs} ms although subscribed again`);
    } else {
      if (step !== 'mute') this.#log.error({ channel, silentMs }, 'channel is mute: no new risk on its symbol');
      subscription.step = 'mute';
      this.#deps.resubscribe(subscription);
    }
  }

  #openGap(subscription: Subscription, reason: string): void {
    const { instrument } = subscription;
    if (this.#gaps.has(instrument.symbol)) return;
    const gap: OpenGap = { instrument, fromUs: usOf(subscription.lastMs), reason };
    this.#gaps.set(instrument.symbol, gap);
    this.#emit(gap, true);
  }

  /** Ends a symbol's gap once every judged channel of it has data. */
  #closeGap(instrument: Instrument): void {
    const gap = this.#gaps.get(instrument.symbol);
    if (gap === undefined || this.#downReason !== undefined) return;
    for (const other of this.#subscriptions.values()) {
      if (other.instrument.symbol !== instrument.symbol) continue;
      const waitsForFirst = other.feed === 'depth' && !other.seen;
      if (waitsForFirst || other.refusal !== undefined || (other.step !== 'fresh' && other.judged)) return;
    }
    this.#gaps.delete(instrument.symbol);
    this.#emit(gap, false);
  }

  #emit({ instrument, fromUs, reason }: OpenGap, open: boolean): void {
    const nowUs = this.#deps.clock.nowUs();
    this.#deps.emit({ kind: 'gap', instrument, exchangeUs: nowUs, receiveUs: nowUs, reason, fromUs, open });
  }
}
