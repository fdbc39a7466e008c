/**
 * Polls funding rates and mark prices, which have no documented channel, while in demand. One poll per symbol and feed
 * at a time.
 */
import type { Instrument } from '../model/market/instrument.ts';
import { messageOf } from '../model/errors.ts';
import type { MarketSink } from '../model/market/market-event.ts';
import { silentLogger, type Cancel, type Clock, type Logger } from '../model/ports.ts';

export type PolledFeed = 'funding' | 'mark';

/** Hands over the poll result in session time; nothing when it failed. May reject. */
export type ReadFeed = (instrument: Instrument, feed: PolledFeed, hand: MarketSink) => Promise<void>;

const intervalMs: Readonly<Record<PolledFeed, number>> = { funding: 60_000, mark: 3000 };
/** A rate moves until it settles: it is read once more this long before. */
const BEFORE_FUNDING_MS = 2000;

export class FeedPolls {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #read: ReadFeed;
  readonly #deliver: MarketSink;
  readonly #polls = new Map<string, Cancel>();
  readonly #busy = new Set<string>();
  readonly #last = new Map<string, Cancel>();

  constructor(clock: Clock, read: ReadFeed, deliver: MarketSink, log: Logger = silentLogger) {
    this.#clock = clock;
    this.#read = read;
    this.#deliver = deliver;
    this.#log = log;
  }

  add(instrument: Instrument, feed: PolledFeed): void {
    const key = `${instrument.symbol}/${feed}`;
    if (this.#polls.has(key)) return;
    const poll = (): void => void this.#poll(key, instrument, feed);
    this.#polls.set(key, this.#clock.every(intervalMs[feed], poll));
    poll();
  }

  stop(): void {
    for (const cancel of [...this.#polls.values(), ...this.#last.values()]) cancel();
    this.#polls.clear();
    this.#last.clear();
  }

  async #poll(key: string, instrument: Instrument, feed: PolledFeed): Promise<void> {
    if (this.#busy.has(key)) return;
    this.#busy.add(key);
    try {
      await this.#read(instrument, feed, (event) => {
        if (!this.#polls.has(key)) return;
        this.#deliver(event);
        if (event.kind === 'funding') this.#pollBefore(event.nextFundingTime, key, instrument);
      });
    } catch (thrown) {
      this.#log.warn({ symbol: instrument.symbol, feed, reason: messageOf(thrown) }, 'a poll failed');
    } finally {
      this.#busy.delete(key);
    }
  }

  /** Unix ms, exchange clock. Once, where the regular poll would be earlier. */
  #pollBefore(fundingMs: number, key: string, instrument: Instrument): void {
    const inMs = fundingMs - BEFORE_FUNDING_MS - this.#clock.now();
    if (inMs <= 0 || inMs >= intervalMs.funding) return;
    this.#last.get(key)?.();
    this.#last.set(
      key,
      this.#clock.after(inMs, () => void this.#poll(key, instrument, 'funding')),
    );
  }
}
