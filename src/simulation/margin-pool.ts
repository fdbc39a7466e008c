/**
 * Margin that perpetuals hold in one account: each symbol states what it needs, the sum per currency is held.
 */
import { ZERO, type Decimal } from '../model/money.ts';
import type { Purse } from './purse.ts';

export class MarginPool {
  readonly #purse: Purse;
  readonly #needs = new Map<string, Map<string, Decimal>>();

  constructor(purse: Purse) {
    this.#purse = purse;
  }

  needOf(currency: string, symbol: string): Decimal {
    return this.#needs.get(currency)?.get(symbol) ?? ZERO;
  }

  set(currency: string, symbol: string, need: Decimal): void {
    let needs = this.#needs.get(currency);
    if (needs === undefined) {
      needs = new Map();
      this.#needs.set(currency, needs);
    }
    needs.set(symbol, need);
    let sum = ZERO;
    for (const each of needs.values()) sum = sum.plus(each);
    this.#purse.holdMargin(currency, sum);
  }
}
