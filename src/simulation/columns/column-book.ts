/**
 * The book after one message of the columns, while the ladder is behind:
 *
 *   ladder is here ──────── messages that were not applied ────────▶ the book is here
 *
 * Best prices come from the columns. Another level has the lots of its last row, looked up backwards as far as the
 * ladder; a level better than the best has none. A reader that needs more advances the ladder.
 */
import { ASK, BID, type BookSide } from '../../model/market/market-event.ts';
import type { KnownBook, ReadBook } from '../matching/read-book.ts';
import { KIND_DEPTH, type MarketColumns, type PassColumns } from './market-columns.ts';

/** Messages looked through before the ladder is brought up instead. */
const LOOK_BACK = 4096;
const KNOWN_MAX = 32;
/** Before any message. */
const NEVER = -2;

/** Lots of a level after a message. */
interface KnownLevel {
  at: number;
  lots: number;
}

export interface LaggingLadder {
  readonly book: ReadBook;
  /** Applies the message `at`; called for each in turn. */
  follow(at: number): void;
}

export class ColumnBook implements KnownBook {
  /** Last message of the book; −1 before the first. */
  at = -1;
  /** Last message of the ladder. */
  #ladderAt = -1;
  #pass: PassColumns;
  readonly #columns: MarketColumns;
  readonly #ladder: LaggingLadder;
  readonly #known: readonly [Map<number, KnownLevel>, Map<number, KnownLevel>] = [new Map(), new Map()];

  constructor(columns: MarketColumns, pass: PassColumns, ladder: LaggingLadder) {
    this.#columns = columns;
    this.#pass = pass;
    this.#ladder = ladder;
  }

  get bidTicks(): number {
    return this.#pass.tops.bidTicks[this.at]!;
  }

  get bidLots(): number {
    return this.#pass.tops.bidLots[this.at]!;
  }

  get askTicks(): number {
    return this.#pass.tops.askTicks[this.at]!;
  }

  get askLots(): number {
    return this.#pass.tops.askLots[this.at]!;
  }

  advance(): void {
    this.at++;
  }

  /** The ladder was brought to the message by matching itself: nothing before it counts. */
  met(at: number): void {
    this.at = at;
    this.#ladderAt = at;
    this.#forget();
  }

  /** Before the first message of a pass; the ladder is there, too. */
  begin(pass: PassColumns): void {
    this.#pass = pass;
    this.met(-1);
  }

  bringUp(): void {
    for (let at = this.#ladderAt + 1; at <= this.at; at++) this.#ladder.follow(at);
    this.#ladderAt = Math.max(this.#ladderAt, this.at);
  }

  /** Most orders take only from the best level, which needs no ladder. */
  walk(side: BookSide, visit: (ticks: number, lots: number) => boolean): void {
    const ticks = side === BID ? this.bidTicks : this.askTicks;
    const lots = side === BID ? this.bidLots : this.askLots;
    if (!visit(ticks, lots)) return;
    this.bringUp();
    this.#ladder.book.walk(side, (next, displayed) => next === ticks || visit(next, displayed));
  }

  lotsAt(side: BookSide, ticks: number): number {
    const { tops } = this.#pass;
    const best = side === BID ? tops.bidTicks : tops.askTicks;
    const bestLots = side === BID ? tops.bidLots : tops.askLots;
    const sign = side === BID ? 1 : -1;
    const known = this.#levelOf(side, ticks);
    const end = Math.max(this.#ladderAt, known.at, this.at - LOOK_BACK);
    for (let at = this.at; at > end; at--) {
      const beyond = (ticks - best[at]!) * sign;
      if (beyond >= 0) return this.#learn(known, beyond === 0 ? bestLots[at]! : 0);
      const row = this.#rowOf(at, side, ticks);
      if (row >= 0) return this.#learn(known, this.#columns.lots[row]!);
    }
    if (end === known.at) return this.#learn(known, known.lots);
    if (end !== this.#ladderAt) this.bringUp();
    return this.#learn(known, this.#ladder.book.lotsAt(side, ticks));
  }

  /** The last of the level in the message, or −1. */
  #rowOf(at: number, side: BookSide, ticks: number): number {
    if (this.#pass.kinds[at] !== KIND_DEPTH) return -1;
    const { levelTo, ticks: rows, sides } = this.#columns;
    const from = at === 0 ? 0 : levelTo[at - 1]!;
    for (let row = levelTo[at]! - 1; row >= from; row--) if (rows[row] === ticks && sides[row] === side) return row;
    return -1;
  }

  #levelOf(side: BookSide, ticks: number): KnownLevel {
    const levels = this.#known[side];
    const known = levels.get(ticks);
    if (known !== undefined) return known;
    if (levels.size >= KNOWN_MAX) levels.clear();
    const level = { at: NEVER, lots: Number.NaN };
    levels.set(ticks, level);
    return level;
  }

  #learn(level: KnownLevel, lots: number): number {
    level.at = this.at;
    level.lots = lots;
    return lots;
  }

  #forget(): void {
    this.#known[BID].clear();
    this.#known[ASK].clear();
  }
}
