/** Fee rates that change at given times; handlers share this object. */
import type { Decimal } from '../../model/numbers/money.ts';
import { US_PER_MS } from '../../model/time.ts';
import { feeRates, type FeeRates } from '../../clearing/fees.ts';
import type { StressOptions } from './options.ts';

export class ChangingFees implements FeeRates {
  maker: Decimal;
  taker: Decimal;
  readonly #changes: readonly { readonly us: number; readonly rates: FeeRates }[];
  #next = 0;
  #nextUs: number;

  constructor(first: FeeRates, changes: StressOptions['fees'], startUs: number) {
    this.maker = first.maker;
    this.taker = first.taker;
    this.#changes = changes
      .map((change) => ({ us: startUs + change.atMs * US_PER_MS, rates: feeRates(change) }))
      .toSorted((left, right) => left.us - right.us);
    this.#nextUs = this.#changes[0]?.us ?? Infinity;
  }

  /** `us` must not fall. */
  advance(us: number): void {
    while (us >= this.#nextUs) {
      const { rates } = this.#changes[this.#next++]!;
      this.maker = rates.maker;
      this.taker = rates.taker;
      this.#nextUs = this.#changes[this.#next]?.us ?? Infinity;
    }
  }
}
