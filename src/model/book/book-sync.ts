/**
 * Keeps an order book in step with its depth stream. The sequence rule shows that no message is missing, updates wait
 * for their snapshot, and a failed check discards the book.
 *
 *   waiting ── snapshot that fits ──▶ live ── gap, restart, crossed ──▶ waiting     (the book is empty while waiting)
 *
 * With spanning ids (`isSpanning`) a crossed book is the exchange's own: it is kept, and not live until it uncrosses.
 * Invariant: while `live` is true the book is not crossed and every message since its start has been applied once.
 */
import type { OrderBook } from './book.ts';
import { DepthBuffer } from './depth-buffer.ts';
import type { DepthEvent, SequenceRule } from '../market/market-event.ts';
import { less, type SavedSync, type TapeShift } from './saved-book.ts';
import { followsSnapshot, followsUpdate, isBeforeSnapshot, isSpanning } from './sequence.ts';

/**
 * `applied`: the book moved. `old`: already contained. `buffered`: kept for a snapshot, or the book stays crossed.
 * `gap`: discarded, crossed, or a snapshot does not fit; see `gapReason`.
 */
export type DepthVerdict = 'applied' | 'old' | 'buffered' | 'gap';

/** Rule T5: `updates` for a source without snapshots. */
export type BookStart = 'snapshot' | 'updates';

export interface BookSyncOptions {
  readonly rule: SequenceRule;
  readonly start?: BookStart;
  /** Updates kept while waiting; the oldest go first. Default 1,024. */
  readonly bufferedMax?: number;
}

/** A contained message dated later than this after the snapshot belongs to a restarted sequence (S15), µs. */
const RESTART_US = 5_000_000;

/** With `seq` any later date shows a restart (S15), µs. */
const RESTART_IN_ORDER_US = 0;

export class BookSync {
  readonly book: OrderBook;
  readonly rule: SequenceRule;
  readonly start: BookStart;
  readonly #buffer: DepthBuffer;
  #live = false;
  /** Id of the last message in the book; 0: none. */
  #lastId = 0;
  /** Highest id of the stream since the last restart. */
  #seenId = 0;
  /** A repetition has the same exchange time, another message with that id a later one. */
  #seenUs = 0;
  /** No update has followed the snapshot yet. */
  #atSnapshot = false;
  #snapshotUs = 0;
  /** Messages may be missing, and no update has joined since. */
  #isDoubted = false;
  /** `RESTART_US` for messages kept before the snapshot. */
  #restartUs = RESTART_US;
  #gapReason = '';

  constructor(book: OrderBook, options: BookSyncOptions) {
    this.book = book;
    this.rule = options.rule;
    this.start = options.start ?? 'snapshot';
    this.#buffer = new DepthBuffer(options.bufferedMax ?? 1024);
  }

  get live(): boolean {
    return this.#live && !this.#isCrossed;
  }

  /** Live, or crossed for now with nothing missing. */
  get isWhole(): boolean {
    return this.#live;
  }

  get lastId(): number {
    return this.#lastId;
  }

  /** Whether a missing update shows with the next one. */
  get isNumbered(): boolean {
    return this.rule !== 'none' && this.#seenId !== 0;
  }

  /** A sentence with the ids; empty before the first gap. */
  get gapReason(): string {
    return this.#gapReason;
  }

  get buffered(): number {
    return this.#buffer.length;
  }

  /** Takes the next depth message in received order. Copies what it buffers. */
  onDepth(event: DepthEvent): DepthVerdict {
    if (event.snapshot) return this.#onSnapshot(event);
    if (!this.#live) return this.#onEarly(event);
    if (this.rule === 'none' || (event.lastId === 0 && this.#seenId === 0)) return this.#apply(event);
    if (event.lastId <= this.#seenId) return this.#onRepeated(event);
    if (this.#atSnapshot) return this.#onFirst(event);
    if (!followsUpdate(this.rule, event, this.#lastId)) return this.#onGap(event);
    this.#see(event);
    return this.#apply(event);
  }

  /**
   * Messages may be missing from here on; the next update that joins disproves it. Until then a snapshot is taken
   * whatever its id, because the source may have restarted (S15). Without ids the book is discarded.
   */
  doubt(reason: string): void {
    const isProvable = this.rule !== 'none' && !(this.#live && this.#lastId === 0);
    if (isProvable) this.#isDoubted = true;
    else if (this.#live) this.discard(reason);
  }

  /** Without the book. Null while messages wait for a snapshot. */
  saved(shift: TapeShift): SavedSync | null {
    if (this.buffered > 0) return null;
    return {
      times: less([this.#seenUs, this.#snapshotUs], shift.us),
      ids: less([this.#lastId, this.#seenId], shift.ids),
      flags: [this.#live, this.#atSnapshot, this.#isDoubted],
      restartUs: this.#restartUs,
    };
  }

  load({ times, ids, flags, restartUs }: SavedSync, shift: TapeShift): void {
    this.#buffer.clear();
    [this.#seenUs = 0, this.#snapshotUs = 0] = less(times, -shift.us);
    [this.#lastId = 0, this.#seenId = 0] = less(ids, -shift.ids);
    [this.#live = false, this.#atSnapshot = false, this.#isDoubted = false] = flags;
    this.#restartUs = restartUs;
  }

  discard(reason: string): void {
    this.#gapReason = reason;
    this.#live = false;
    this.#lastId = 0;
    this.#seenId = 0;
    this.#atSnapshot = false;
    this.#isDoubted = false;
    this.#buffer.clear();
    this.book.clear();
  }

  #apply(event: DepthEvent): DepthVerdict {
    const wasCrossed = this.#isCrossed;
    this.book.applyDepth(event);
    this.#lastId = event.lastId;
    this.#isDoubted = false;
    return this.#isCrossed ? this.#onCrossed(event, wasCrossed) : 'applied';
  }

  get #isCrossed(): boolean {
    const { bidTicks, askTicks, bidLots, askLots } = this.book;
    return bidTicks >= askTicks && bidLots > 0 && askLots > 0;
  }

  #onCrossed(event: DepthEvent, wasCrossed: boolean): DepthVerdict {
    const reason = `the book is crossed: bid ${this.book.bidTicks} and ask ${this.book.askTicks} ticks`;
    if (!isSpanning(this.rule) || event.lastId === 0) return this.#restart(event, reason);
    this.#gapReason = reason;
    return wasCrossed ? 'buffered' : 'gap';
  }

  /** After a snapshot: contained updates are skipped, then one must join. */
  #onFirst(event: DepthEvent): DepthVerdict {
    this.#see(event);
    if (isBeforeSnapshot(this.rule, event, this.#lastId)) {
      if (event.exchangeUs <= this.#snapshotUs + this.#restartUs) return 'old';
      return this.#restart(event, `sequence restarted at ${event.lastId} after snapshot ${this.#lastId}`);
    }
    if (!followsSnapshot(this.rule, event, this.#lastId)) return this.#onGap(event);
    this.#atSnapshot = false;
    return this.#apply(event);
  }

  #see(event: DepthEvent): void {
    this.#seenId = event.lastId;
    this.#seenUs = event.exchangeUs;
  }

  /**
   * The last message again, or an earlier one where ids span changes. A later date without a higher id is a restarted
   * sequence (S15).
   */
  #isRepetition(event: DepthEvent): boolean {
    const isKnown = event.lastId === this.#seenId || (event.lastId < this.#seenId && isSpanning(this.rule));
    return isKnown && !(event.exchangeUs > this.#seenUs);
  }

  #onRepeated(event: DepthEvent): DepthVerdict {
    if (this.#isRepetition(event)) return 'old';
    return this.#restart(event, `sequence went back from ${this.#seenId} to ${event.lastId}`);
  }

  #onGap(event: DepthEvent): DepthVerdict {
    return this.#restart(event, `messages are missing between ${this.#lastId} and ${event.firstId || event.lastId}`);
  }

  #restart(event: DepthEvent, reason: string): DepthVerdict {
    this.discard(reason);
    if (this.start === 'updates') {
      this.#begin(event);
    } else if (!event.snapshot) {
      this.#see(event);
      this.#buffer.push(event);
    }
    return 'gap';
  }

  #onEarly(event: DepthEvent): DepthVerdict {
    if (this.start === 'updates') return this.#begin(event);
    if (this.rule !== 'none' && event.lastId !== 0) {
      if (this.#isRepetition(event) && this.#buffer.length > 0) return 'old';
      if (event.lastId <= this.#seenId) this.#buffer.clear();
      this.#see(event);
    }
    this.#buffer.push(event);
    return 'buffered';
  }

  /** A book from updates alone starts with any message (T5). */
  #begin(event: DepthEvent): DepthVerdict {
    this.#live = true;
    this.#see(event);
    this.book.applyDepth(event);
    this.#lastId = event.lastId;
    if (!this.#isCrossed) return 'applied';
    this.discard('the first message alone makes a crossed book');
    return 'gap';
  }

  #onSnapshot(event: DepthEvent): DepthVerdict {
    const known = this.#lastId;
    if (this.#live && event.lastId !== 0 && event.lastId <= known && this.rule !== 'none') {
      if (!this.#isDoubted && event.exchangeUs <= this.book.exchangeUs + RESTART_US) return 'old';
      this.discard(`snapshot ${event.lastId} is newer than the book at ${known}: the sequence has started again`);
    }
    if (!this.#live && this.#isTooOld(event)) {
      const reason = `snapshot ${event.lastId} is older than the first update that was kept`;
      if (!this.#isDoubted) {
        this.#gapReason = reason;
        return 'gap';
      }
      this.discard(reason);
    }
    this.#live = true;
    this.#snapshotUs = event.exchangeUs;
    this.#atSnapshot = this.rule !== 'none' && event.lastId !== 0;
    const verdict = this.#apply(event);
    return this.#live ? this.#replay() : verdict;
  }

  /** The kept updates start beyond the snapshot; a later one can join them. */
  #isTooOld(snapshot: DepthEvent): boolean {
    const first = this.#buffer.first();
    if (first === undefined || this.rule === 'none' || snapshot.lastId === 0 || first.lastId === 0) return false;
    if (isBeforeSnapshot(this.rule, first, snapshot.lastId)) return false;
    return !followsSnapshot(this.rule, first, snapshot.lastId);
  }

  /** Without ids only kept updates with a later exchange time are applied. */
  #replay(): DepthVerdict {
    const snapshotId = this.#lastId;
    const kept = this.#buffer.take();
    if (kept.length > 0) this.#seenId = 0;
    this.#restartUs = RESTART_US;
    for (const event of kept) {
      const unordered = this.rule === 'none' || event.lastId === 0;
      if (unordered && event.exchangeUs <= this.#snapshotUs) continue;
      // What follows by its id and is so much older is of another sequence, which a new one has ended.
      if (event.exchangeUs < this.#snapshotUs - RESTART_US) continue;
      if (this.onDepth(event) === 'gap' && !this.#live) {
        // By id it is in the snapshot, by time beyond it; kept again it would spoil each later snapshot.
        if (event.lastId <= snapshotId) this.#buffer.clear();
        return 'gap';
      }
    }
    if (this.rule === 'seq') this.#restartUs = RESTART_IN_ORDER_US;
    return this.#isCrossed ? 'gap' : 'applied';
  }
}
