/** Which strategy got or paid which part of a funding, from the positions that are told after it. */
import type { ExecutorEvent } from '../spine/events.ts';
import { dec, decimalText, ZERO, type Decimal } from '../model/money.ts';

export interface StrategyPayment {
  readonly ts: number;
  readonly currency: string;
  /** Received (+) or paid (−), decimal text. */
  readonly amount: string;
}

export class StrategyFunding {
  /** The funding whose positions are being told. */
  #paid: { readonly ts: number; readonly currency: string } | null = null;
  readonly #known = new Map<string, Decimal>();
  readonly #byTag = new Map<string, StrategyPayment[]>();

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
    payments.push({ ts: this.#paid.ts, currency: this.#paid.currency, amount: decimalText(amount) });
  }

  of(tag: string): readonly StrategyPayment[] {
    return this.#byTag.get(tag) ?? [];
  }
}
