/**
 * Time up to which all trades were read and booked. Journalled, because a process that cannot read still writes rows.
 */
import type { ReconcilerPort } from './port.ts';

/** ms; a row per pass would be too many. */
const EVERY_MS = 60_000;

export class ReadMark {
  /** Unix ms. */
  #trades: number | undefined;
  readonly #port: Pick<ReconcilerPort, 'state' | 'haveRead' | 'turn'>;

  constructor(port: Pick<ReconcilerPort, 'state' | 'haveRead' | 'turn'>) {
    this.#port = port;
  }

  /** Unix ms. */
  trades(now: number): number {
    const resumedFrom = this.#port.state.resumedFrom;
    this.#trades ??= this.#port.state.readTo?.trades ?? (resumedFrom === 0 ? now : resumedFrom);
    return this.#trades;
  }

  /** A process that dies before it reads still leaves a mark. */
  begin(now: number, funding: number): void {
    if (this.#port.state.readTo !== undefined) return;
    this.#port.turn(() => this.#port.haveRead({ trades: this.trades(now), funding }));
  }

  /** Unix ms. */
  read(trades: number, funding: number): void {
    this.#trades = trades;
    const before = this.#port.state.readTo;
    if (before !== undefined && trades < before.trades + EVERY_MS && funding < before.funding + EVERY_MS) return;
    this.#port.turn(() => this.#port.haveRead({ trades, funding }));
  }
}
