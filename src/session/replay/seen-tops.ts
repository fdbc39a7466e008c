/** The best prices that strategies see now, and when they move, from columns in receive order. */
import type { Instrument } from '../../model/market/instrument.ts';
import type { SeenTop } from '../../streams/market-values.ts';
import type { SeenColumns, SeenPass } from './tape-columns.ts';

interface Top extends SeenTop {
  exchangeUs: number;
  bidTicks: number;
  bidLots: number;
  askTicks: number;
  askLots: number;
  readonly instrument: Instrument;
}

export class SeenTops {
  readonly #columns: SeenColumns;
  readonly #top: Top;
  #pass = 0;
  #shiftUs = 0;
  /** Newest message that was received; −1 before the first of a pass. */
  #at = -1;
  /** The next move: the pass, and which of its moves. */
  #movesPass = 0;
  #move = 0;

  constructor(columns: SeenColumns) {
    this.#columns = columns;
    this.#top = { instrument: columns.instrument, exchangeUs: 0, bidTicks: 0, bidLots: 0, askTicks: 0, askLots: 0 };
    this.#shiftUs = columns.shiftUs(0);
  }

  get symbol(): string {
    return this.#columns.instrument.symbol;
  }

  /** Messages received, of all passes. */
  get received(): number {
    return this.#pass * this.#columns.us.length + this.#at + 1;
  }

  /** Undefined: no usable book; null: not known. Times must not fall. */
  at(nowUs: number): SeenTop | undefined | null {
    this.#advance(nowUs);
    return this.now();
  }

  /** After the newest message. */
  now(): SeenTop | undefined | null {
    const { us, shiftUs } = this.#columns;
    // Before its first message a pass shows the book that the one before left.
    const isOver = this.#at < 0 && this.#pass > 0;
    const pass = isOver ? this.#pass - 1 : this.#pass;
    const tops = this.#of(pass);
    const at = isOver ? us.length - 1 : this.#at;
    if (at < 0) return null;
    if (Number.isNaN(tops.bidLots[at])) return undefined;
    if (tops.bidLots[at] === 0 || tops.askLots[at] === 0) return null;
    const top = this.#top;
    top.exchangeUs = tops.bookUs[at]! + shiftUs(pass);
    top.bidTicks = tops.bidTicks[at]!;
    top.bidLots = tops.bidLots[at]!;
    top.askTicks = tops.askTicks[at]!;
    top.askLots = tops.askLots[at]!;
    return top;
  }

  /** When the best prices move next after the last published move; `Infinity`: never. */
  get nextMoveUs(): number {
    const { us, passes, shiftUs } = this.#columns;
    while (this.#move === this.#of(this.#movesPass).moves.length) {
      if (this.#movesPass + 1 >= passes) return Infinity;
      this.#movesPass++;
      this.#move = 0;
    }
    return us[this.#of(this.#movesPass).moves[this.#move]!]! + shiftUs(this.#movesPass);
  }

  /** The newest message is now that of the next move. */
  toNextMove(): void {
    this.#pass = this.#movesPass;
    this.#shiftUs = this.#columns.shiftUs(this.#pass);
    this.#at = this.#of(this.#pass).moves[this.#move++]!;
  }

  /** Moves up to the newest message are not published. */
  skipMoves(): void {
    while (this.nextMoveUs !== Infinity && this.#isReceived()) this.#move++;
  }

  #isReceived(): boolean {
    if (this.#movesPass !== this.#pass) return this.#movesPass < this.#pass;
    return this.#of(this.#pass).moves[this.#move]! <= this.#at;
  }

  #of(pass: number): SeenPass {
    return pass === 0 ? this.#columns.first : this.#columns.later;
  }

  #advance(nowUs: number): void {
    const { us, passes, shiftUs } = this.#columns;
    for (;;) {
      const dueUs = nowUs - this.#shiftUs;
      let next = this.#at + 1;
      while (next < us.length && us[next]! <= dueUs) next++;
      this.#at = next - 1;
      if (next < us.length || this.#pass + 1 === passes) return;
      this.#pass++;
      this.#shiftUs = shiftUs(this.#pass);
      this.#at = -1;
    }
  }
}
