/**
 * Whether a recorded book is stale by its expected rate, as a live session judges it (`streams/freshness.ts`). Reads
 * the tape behind the clock, and only on demand of order programs.
 */
import type { Executor } from '../../execution/executor.ts';
import type { Clock } from '../../model/ports.ts';
import { msOf, usOf } from '../../model/time.ts';
import type { Tape, TapeCursor } from '../../recording/tape/tape.ts';
import { Subscription } from '../../streams/subscription.ts';

const LOOK_MS = 1000;

export class Silences {
  readonly #tape: Tape;
  readonly #clock: Pick<Clock, 'every' | 'now'>;
  #cursor: TapeCursor | undefined;
  readonly #books = new Map<string, Subscription>();

  constructor(tape: Tape, clock: Pick<Clock, 'every' | 'now'>) {
    this.#tape = tape;
    this.#clock = clock;
  }

  /** Looks once a second from the first program on. */
  watch(executor: Executor): void {
    const stop = executor.listen(({ kind }) => {
      if (kind !== 'program') return;
      stop();
      this.#clock.every(LOOK_MS, executor.lookAtPrograms);
    });
  }

  /** Why the symbol's prices are stale now; null: they are not. */
  because(symbol: string): string | null {
    const now = this.#clock.now();
    this.#readTo(usOf(now));
    const book = this.#books.get(symbol);
    if (book?.isSilent(now) !== true) return null;
    return `${symbol}: nothing of its book since ${new Date(book.lastMs).toISOString()}`;
  }

  #readTo(us: number): void {
    const cursor = (this.#cursor ??= this.#tape.cursor('receive'));
    while (cursor.nextUs <= us) {
      const event = cursor.next();
      if (event.kind !== 'depth' && event.kind !== 'quote') continue;
      const { instrument } = event;
      const ms = msOf(event.receiveUs);
      let book = this.#books.get(instrument.symbol);
      if (book === undefined) {
        book = new Subscription(instrument.symbol, instrument, 'depth', ms);
        this.#books.set(instrument.symbol, book);
      }
      book.arrived(ms, null);
    }
  }
}
