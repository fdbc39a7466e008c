/**
 * A book as the data say it, for who begins to listen in the middle of them: its state as one snapshot and, while nothing
 * has proved it since a gap, that gap behind it. The rules of the venue and of the strategies' side (T5).
 */
import { BookSync, type BookSyncOptions } from '../model/book-sync.ts';
import type { Instrument } from '../model/instrument.ts';
import { Ladder } from '../model/ladder.ts';
import { ASK, BID, type DepthEvent, type GapEvent, type LevelRows, type MarketEvent } from '../model/market-event.ts';

export class KnownBook {
  readonly instrument: Instrument;
  /** Exchange time of the last depth message, µs; -Infinity before the first. */
  lastUs = -Infinity;
  readonly #sync: BookSync;
  /** When the last message of which the book may be made was received. */
  #receivedUs = -Infinity;
  /** The gap that the book stands in. */
  #gap: Pick<GapEvent, 'reason' | 'fromUs'> | null = null;

  constructor(instrument: Instrument, options: BookSyncOptions) {
    this.instrument = instrument;
    this.#sync = new BookSync(new Ladder(instrument), options);
  }

  onEvent(event: MarketEvent): void {
    if (event.kind === 'depth') this.#onDepth(event);
    else if (event.kind === 'gap' && event.open) this.#onGap(event);
  }

  /**
   * What a listener is told first; nothing without a book. It is not received before `fromReceiveUs`, nor before what the book
   * is made of (M9).
   */
  told(exchangeUs: number, fromReceiveUs: number): readonly MarketEvent[] {
    if (!this.#sync.live) return [];
    const receiveUs = Math.max(fromReceiveUs, this.#receivedUs);
    const snapshot = snapshotOf(this.#sync, exchangeUs, receiveUs);
    if (this.#gap === null) return [snapshot];
    const { instrument } = this;
    return [snapshot, { kind: 'gap', instrument, exchangeUs, receiveUs, ...this.#gap, open: true }];
  }

  #onDepth(event: DepthEvent): void {
    this.lastUs = Math.max(this.lastUs, event.exchangeUs);
    const verdict = this.#sync.onDepth(event);
    if (verdict === 'old') return;
    this.#receivedUs = Math.max(this.#receivedUs, event.receiveUs);
    if (this.#sync.live && verdict !== 'buffered') this.#gap = null;
  }

  #onGap({ reason, fromUs }: GapEvent): void {
    this.#sync.doubt(reason);
    this.#gap ??= { reason, fromUs };
  }
}

/** The whole book as one snapshot of its last id. */
function snapshotOf(sync: BookSync, exchangeUs: number, receiveUs: number): DepthEvent {
  const sides: number[] = [];
  const ticks: number[] = [];
  const lots: number[] = [];
  for (const side of [BID, ASK] as const) {
    sync.book.walk(side, (levelTicks, levelLots) => {
      sides.push(side);
      ticks.push(levelTicks);
      lots.push(levelLots);
      return true;
    });
  }
  const levels: LevelRows = {
    sides: Uint8Array.from(sides),
    ticks: Float64Array.from(ticks),
    lots: Float64Array.from(lots),
    from: 0,
    to: sides.length,
  };
  const { instrument } = sync.book;
  const id = sync.lastId;
  const ids = { firstId: id, lastId: id, previousId: 0 };
  return { kind: 'depth', instrument, exchangeUs, receiveUs, snapshot: true, ...ids, levels };
}
