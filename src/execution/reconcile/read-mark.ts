/**
 * How far back trades are asked for: what was read whole and booked need not be read again, what was not is asked for until it
 * was. The journal keeps the mark, since a process that dies after an hour in which the exchange could not be read has
 * written rows all the while: its last row says nothing about what was read. Trades are booked once by their ids, so that
 * reading too much costs a request and nothing else. Used by the reconciler.
 */
import type { ReconcilerPort } from './port.ts';

/** A start reads so much more at most; a row for each run would outnumber those of the orders. */
const EVERY_MS = 60_000;

export class ReadMark {
  /** Unix ms; undefined before the first run of this process. */
  #trades: number | undefined;
  readonly #port: Pick<ReconcilerPort, 'lastTs' | 'readTo' | 'haveRead' | 'turn'>;

  constructor(port: Pick<ReconcilerPort, 'lastTs' | 'readTo' | 'haveRead' | 'turn'>) {
    this.#port = port;
  }

  /** Unix ms: every trade before was booked. */
  trades(now: number): number {
    const resumedFrom = this.#port.lastTs();
    this.#trades ??= this.#port.readTo()?.trades ?? (resumedFrom === 0 ? now : resumedFrom);
    return this.#trades;
  }

  /** Before the first run: a journal without a mark gets one, or a process that dies before it has read anything leaves none. */
  begin(now: number, funding: number): void {
    if (this.#port.readTo() !== undefined) return;
    this.#port.turn(() => this.#port.haveRead({ trades: this.trades(now), funding }));
  }

  /** After a complete run, as far as what it read is settled. Unix ms. */
  read(trades: number, funding: number): void {
    this.#trades = trades;
    const before = this.#port.readTo();
    if (before !== undefined && trades < before.trades + EVERY_MS && funding < before.funding + EVERY_MS) return;
    this.#port.turn(() => this.#port.haveRead({ trades, funding }));
  }
}
