/** The book for a listener who joins later: a snapshot, then an open gap if unproved since. */
import { BookSync, type BookSyncOptions } from '../../model/book/book-sync.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { Ladder } from '../../model/book/ladder.ts';
import {
  ASK,
  BID,
  type DepthEvent,
  type GapEvent,
  type LevelRows,
  type MarketEvent,
} from '../../model/market/market-event.ts';

export class KnownBook {
  readonly instrument: Instrument;
  /** Last depth message; -Infinity before. */
  lastUs = -Infinity;
  readonly #sync: BookSync;
  /** Last message possibly in the book. */
  #receivedUs = -Infinity;
  /** The open gap. */
  #gap: Pick<GapEvent, 'reason' | 'fromUs'> | null = null;

  constructor(instrument: Instrument, options: BookSyncOptions) {
    this.instrument = instrument;
    this.#sync = new BookSync(new Ladder(instrument), options);
  }

  onEvent(event: MarketEvent): void {
    if (event.kind === 'depth') this.#onDepth(event);
    else if (event.kind === 'gap' && event.open) this.#onGap(event);
  }

  /** Received neither before `fromReceiveUs` nor before the messages behind them. */
  told(exchangeUs: number, fromReceiveUs: number): readonly MarketEvent[] {
    if (!this.#sync.isWhole) return [];
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

/** The whole book with its last id. */
export function snapshotOf(sync: BookSync, exchangeUs: number, receiveUs: number): DepthEvent {
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
