/**
 * No new risk by a journal that lacks rows, once that could be known (reliability §4.3, 11, INV-R3): a list has shown an order of
 * ours with its mark that no row tells of, a minute and a half ago, and nobody has said anything of it since. Judged from the
 * answers alone, by what the world knows to be lost. After a human's word a loss is no news any more.
 */
import type { JournalEntry } from '../../../src/model/entries/journal.ts';

/** What was shown then has been compared, and what waited has left. */
const KNOWN_US = 90_000_000;
const MARKED = /\{"orderId":"(\d+)"[^}]*"clientOrderId":"tw-/g;

export class LostRowsLaw {
  readonly #isForgotten: (orderId: string) => boolean;
  readonly #violated: (what: string) => void;
  /** The first that this process was shown, and when, true time in µs. */
  #shown: { readonly orderId: string; readonly us: number } | null = null;
  /** A row has said that rows are lost. */
  #isSaid = false;

  /** `isForgotten`: no row of the journal tells of the order, which is ours. */
  constructor(isForgotten: (orderId: string) => boolean, violated: (what: string) => void) {
    this.#isForgotten = isForgotten;
    this.#violated = violated;
  }

  boot(): void {
    this.#shown = null;
  }

  row(entry: JournalEntry): void {
    this.#isSaid ||= entry.kind === 'restored';
  }

  /** A list of orders, active or ended. */
  told(us: number, answer: string): void {
    if (this.#isSaid || this.#shown !== null) return;
    for (const [, orderId = ''] of answer.matchAll(MARKED))
      if (this.#isForgotten(orderId)) this.#shown ??= { orderId, us };
  }

  /** An order that takes new risk leaves. */
  create(us: number): void {
    if (this.#isSaid || this.#shown === null || us < this.#shown.us + KNOWN_US) return;
    const { orderId, us: sinceUs } = this.#shown;
    if (!this.#isForgotten(orderId)) return;
    this.#violated(`new risk leaves although ${orderId} tells of lost rows, shown for ${(us - sinceUs) / 1e6} s`);
    this.#shown = null;
  }
}
