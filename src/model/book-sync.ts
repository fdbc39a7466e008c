/**
 * Keeps an order book in step with its depth stream: proves by the source's sequence rule that no message is missing,
 * holds updates back until their snapshot is there, and gives the book up when the proof fails. Pure; the strategy side
 * (`streams/`), the simulated venue and the importers each feed one per symbol.
 *
 *   waiting ── snapshot that fits ──▶ live ── gap, restart, crossed ──▶ waiting     (the book is empty while waiting)
 *
 * Where ids prove that nothing is missing (`isSpanning`), a crossed book is the exchange's own: it is kept, and not live
 * until an update uncrosses it.
 * Invariant: while `live` is true the book is not crossed and every message since its start has been applied once.
 */
import type { OrderBook } from './book.ts';
import { DepthBuffer } from './depth-buffer.ts';
import type { DepthEvent, SequenceRule } from './market-event.ts';
import { followsSnapshot, followsUpdate, isBeforeSnapshot, isSpanning } from './sequence.ts';

/**
 * `applied`: the book moved. `old`: already contained, ignored. `buffered`: kept until a snapshot comes, or applied to a
 * book that stays crossed. `gap`: the book was given up or is crossed, or a snapshot did not fit; see `gapReason`.
 */
export type DepthVerdict = 'applied' | 'old' | 'buffered' | 'gap';

/** Rule T5: `snapshot` where the source has any, `updates` where there is none anywhere: usable from the first update. */
export type BookStart = 'snapshot' | 'updates';

export interface BookSyncOptions {
  readonly rule: SequenceRule;
  readonly start?: BookStart;
  /** Updates kept while waiting; the oldest are given up first. Default 1,024. */
  readonly bufferedMax?: number;
}

/**
 * Exchange time by which a message may lie after the snapshot that claims to contain it. Beyond, its sequence has
 * started again (S15) rather than arrived late.
 */
const RESTART_US = 5_000_000;

/**
 * The same for an update that came after its snapshot where each message has a number of its own (`seq`): both come in
 * one order and are dated by one clock, so that nothing the snapshot holds is later than it. Short of an id that is
 * missing, time alone tells a sequence that starts again below the snapshot and runs on past it (S15).
 */
const RESTART_IN_ORDER_US = 0;

export class BookSync {
  readonly book: OrderBook;
  readonly rule: SequenceRule;
  readonly start: BookStart;
  readonly #buffer: DepthBuffer;
  /** The book is kept in step; see `live`. */
  #live = false;
  /** Id of the last message in the book; 0 when it has none. */
  #lastId = 0;
  /** Highest id the stream itself has shown since the last restart, snapshots apart. */
  #seenId = 0;
  /** Its exchange time: a repetition has the same, another message that bears the same id a later one. */
  #seenUs = 0;
  /** The book stands at a snapshot and no update has followed it yet. */
  #atSnapshot = false;
  #snapshotUs = 0;
  /** Messages may be missing behind what is held, and no update has joined it since. */
  #isDoubted = false;
  /** See `RESTART_US`: what was kept before the snapshot came says nothing by its place. */
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

  /** The updates bear numbers, as far as any has come: one that is missing shows with the next. */
  get isNumbered(): boolean {
    return this.rule !== 'none' && this.#seenId !== 0;
  }

  /** Why the last `gap` was one: a sentence with the ids. Empty before the first. */
  get gapReason(): string {
    return this.#gapReason;
  }

  get buffered(): number {
    return this.#buffer.length;
  }

  /** Takes the next depth message in the order in which it was received. Keeps a copy of what it buffers. */
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
   * Messages may be missing from here on (an open gap). The next update that joins proves that none is. Until then a
   * snapshot is taken whatever its id: the source may have started again, and its date is no help when that was quick
   * (S15). Without ids nothing that comes later proves anything, and the book is given up.
   */
  doubt(reason: string): void {
    const isProvable = this.rule !== 'none' && !(this.#live && this.#lastId === 0);
    if (isProvable) this.#isDoubted = true;
    else if (this.#live) this.discard(reason);
  }

  /** Gives the book up, as after a lost connection. Nothing received before counts any more. */
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

  /** The first updates after a snapshot: those that it contains are skipped, then one must join. */
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
   * The last message once more, or an earlier one where ids span changes, as of a second connection. One that is later and
   * bears no higher id comes of a sequence that began again (S15).
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

  /** Discards, and keeps the message at hand as the first of what comes after. */
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

  /** A book from updates alone starts with whatever comes first (T5). */
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

  /** The kept updates start beyond the snapshot: it cannot be joined to them, but a later one can. */
  #isTooOld(snapshot: DepthEvent): boolean {
    const first = this.#buffer.first();
    if (first === undefined || this.rule === 'none' || snapshot.lastId === 0 || first.lastId === 0) return false;
    if (isBeforeSnapshot(this.rule, first, snapshot.lastId)) return false;
    return !followsSnapshot(this.rule, first, snapshot.lastId);
  }

  /** Applies what was kept on top of a snapshot. Without ids only what is later by exchange time counts. */
  #replay(): DepthVerdict {
    const snapshotId = this.#lastId;
    const kept = this.#buffer.take();
    if (kept.length > 0) this.#seenId = 0;
    this.#restartUs = RESTART_US;
    for (const event of kept) {
      const unordered = this.rule === 'none' || event.lastId === 0;
      if (unordered && event.exchangeUs <= this.#snapshotUs) continue;
      if (this.onDepth(event) === 'gap' && !this.#live) {
        // It is in the snapshot by its id and beyond it by its time: kept again it would spoil each snapshot that comes.
        if (event.lastId <= snapshotId) this.#buffer.clear();
        return 'gap';
      }
    }
    if (this.rule === 'seq') this.#restartUs = RESTART_IN_ORDER_US;
    return this.#isCrossed ? 'gap' : 'applied';
  }
}
