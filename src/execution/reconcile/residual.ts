/**
 * Whether a balance or a position is what opening, own fills and labelled adjustments explain. A difference counts
 * only when two readings in a row show the same one while nothing is on its way. Pure but for that memory.
 */
import { dec, decimalText, type Decimal } from '../../model/money.ts';

export type ResidualVerdict =
  | { readonly kind: 'explained' }
  /** Seen once, or it moved: look again. */
  | { readonly kind: 'watch' }
  | { readonly kind: 'residual'; readonly difference: Decimal };

export class Residuals {
  readonly #last = new Map<string, string>();
  readonly #tolerance: Decimal;

  constructor(tolerance: string) {
    this.#tolerance = dec(tolerance);
  }

  judge(name: string, told: Decimal, explained: Decimal): ResidualVerdict {
    const difference = told.minus(explained);
    if (difference.abs().lte(this.#tolerance)) {
      this.#last.delete(name);
      return { kind: 'explained' };
    }
    const text = decimalText(difference);
    if (this.#last.get(name) === text) return { kind: 'residual', difference };
    this.#last.set(name, text);
    return { kind: 'watch' };
  }
}
