/** Which strategy got or paid which part of a funding, from the positions published after it. */
import type { ExecutorEvent } from '../../spine/events.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';

export interface Payment {
  readonly ts: number;
  readonly currency: string;
  /** Received (+) or paid (−), decimal text. */
  readonly amount: string;
  /** When it was learned; undefined without a price. */
  readonly rate: number | undefined;
}

export class StrategyFunding {
  /** The funding whose positions are being published. */
  #paid: { readonly ts: number; readonly currency: string } | null = null;
  readonly #known = new Map<string, Decimal>();
  readonly #rateOf: (currency: string) => number | undefined;
  readonly #byTag = new Map<string, Payment[]>();

  constructor(rateOf: (currency: string) => number | undefined) {
    this.#rateOf = rateOf;
  }

  event(event: ExecutorEvent): void {
    if (event.kind === 'funding') this.#paid = event.payment;
    else if (event.kind !== 'position') this.#paid = null;
    if (event.kind !== 'position' || this.#paid === null) return;
    const { symbol, positionSide, funding = '0' } = event.position;
    const key = `${event.strategy}/${symbol}/${positionSide}`;
    const sum = dec(funding);
    const amount = sum.minus(this.#known.get(key) ?? ZERO);
    this.#known.set(key, sum);
    if (amount.isZero()) return;
    const payments = this.#byTag.get(event.strategy) ?? [];
    this.#byTag.set(event.strategy, payments);
    const { ts, currency } = this.#paid;
    payments.push({ ts, currency, amount: decimalText(amount), rate: this.#rateOf(currency) });
  }

  of(tag: string): readonly Payment[] {
    return this.#byTag.get(tag) ?? [];
  }
}
