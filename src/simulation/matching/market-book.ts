/**
 * The market's part of matching: the synchronised book, and how certain it is. Own orders do not move it, so it depends
 * only on the tape.
 */
import { BookSync, type BookSyncOptions } from '../../model/book/book-sync.ts';
import type { Ladder } from '../../model/book/ladder.ts';
import { BID, type BookSide, type MarketEvent } from '../../model/market/market-event.ts';
import type { SavedBook, TapeShift } from '../../model/book/saved-book.ts';

export class MarketBook {
  readonly ladder: Ladder;
  readonly sync: BookSync;
  usable = false;
  depthSeen = false;
  /** Uncertain at the last change; the next check assumes the worst. */
  recovering = false;

  constructor(ladder: Ladder, sync: BookSyncOptions) {
    this.ladder = ladder;
    this.sync = new BookSync(ladder, sync);
  }

  /** Two-sided and certain. */
  get isProved(): boolean {
    const { bidLots, askLots } = this.ladder;
    return this.usable && this.depthSeen && !this.recovering && this.sync.live && bidLots > 0 && askLots > 0;
  }

  /** An earlier best quote does not make the book usable. */
  get needsDepth(): boolean {
    return this.depthSeen || this.sync.start === 'snapshot';
  }

  /** Best quotes show only their own prices, and that nothing is better. */
  shows(side: BookSide, ticks: number): boolean {
    if (this.depthSeen) return true;
    const { bidTicks, askTicks, askLots } = this.ladder;
    return side === BID ? ticks >= bidTicks : askLots === 0 || ticks <= askTicks;
  }

  /** An event that leaves a certain book certain. */
  follow(event: MarketEvent): void {
    if (event.kind === 'depth') this.sync.onDepth(event);
    else if (event.kind === 'quote') this.ladder.applyQuote(event);
  }

  /** Null while messages wait for a snapshot. */
  saved(shift: TapeShift): SavedBook | null {
    const sync = this.sync.saved(shift);
    if (sync === null) return null;
    return { ladder: this.ladder.saved(shift), sync, flags: [this.usable, this.depthSeen, this.recovering] };
  }

  load({ ladder, sync, flags }: SavedBook, shift: TapeShift): void {
    this.ladder.load(ladder, shift);
    this.sync.load(sync, shift);
    [this.usable = false, this.depthSeen = false, this.recovering = false] = flags;
  }
}
