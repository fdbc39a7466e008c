/** Money that came or went without a trade: each flow of the journal once, at its worth when it came. */
import type { CashFlow } from '../../model/trading/account.ts';
import { dec, type Decimal, decimalText, ZERO } from '../../model/numbers/money.ts';
import type { Prices } from './prices.ts';

export type Flow = Pick<CashFlow, 'id' | 'currency' | 'amount'>;

/** `value`: of its row. `worth`: the same, or at the first price; null before. */
interface KnownFlow extends Flow {
  readonly value: number | null;
  worth: Decimal | null;
}

export type SavedFlow = Flow & { readonly value: number | null; readonly worth: string | null };

export class Flows {
  readonly #prices: Prices;
  readonly #known = new Map<string, KnownFlow>();
  /** Those in the sums of an older journal's start. */
  readonly #counted = new Set<string>();
  #countedWorth = ZERO;

  constructor(prices: Prices) {
    this.#prices = prices;
  }

  /** False for one that is known already. `value`: null without a price; its first one then counts. */
  add(flow: Flow, value: number | null, worth: Decimal | null = null): boolean {
    const { id, currency, amount } = flow;
    if (this.#known.has(id) || this.#counted.has(id)) return false;
    const known: KnownFlow = { id, currency, amount, value, worth };
    this.#known.set(id, known);
    // The reporting currency is worth itself, a row's value is a rounded number.
    if (value !== null && currency !== this.#prices.reporting) known.worth = dec(value);
    else this.#prices.whenWorth(currency, dec(amount), (first) => (known.worth ??= first));
    return true;
  }

  /** Takes out those that other sums contain, and answers them. */
  count(ids: readonly string[], worth: Decimal): readonly Flow[] {
    this.#countedWorth = worth;
    return ids.flatMap((id) => {
      const known = this.#known.get(id);
      this.#counted.add(id);
      this.#known.delete(id);
      return known ?? [];
    });
  }

  /** As an earlier process valued them. */
  value(worths: Readonly<Record<string, string>>): void {
    for (const [id, worth] of Object.entries(worths)) {
      const known = this.#known.get(id);
      if (known !== undefined) known.worth = dec(worth);
    }
  }

  get ids(): readonly string[] {
    return [...this.#known.keys()];
  }

  get counted(): readonly string[] {
    return [...this.#counted];
  }

  get countedWorth(): Decimal {
    return this.#countedWorth;
  }

  /** Of those whose row has none. */
  worths(): Readonly<Record<string, string>> {
    const late = [...this.#known.values()].filter(({ value }) => value === null);
    return Object.fromEntries(late.flatMap(({ id, worth }) => (worth === null ? [] : [[id, decimalText(worth)]])));
  }

  /** Of all. */
  worth(): Decimal {
    let sum = this.#countedWorth;
    for (const { worth } of this.#known.values()) if (worth !== null) sum = sum.plus(worth);
    return sum;
  }

  saved(): readonly SavedFlow[] {
    return [...this.#known.values()].map((flow) => {
      return { ...flow, worth: flow.worth === null ? null : decimalText(flow.worth) };
    });
  }
}
