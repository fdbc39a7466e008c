/** What the strategies hold, position by position, as fills change it. Leverage and time at risk are made of it. */
import { type Decimal, ZERO, dec } from '../model/numbers/money.ts';
import type { SymbolRecord } from './inputs.ts';
import { type FillValue, positionChange, positionKey } from './valuation.ts';

export interface Holding {
  readonly symbol: string;
  readonly rateBy: SymbolRecord['rateBy'];
  quantity: Decimal;
  /** Base units, positive; dust is 0. */
  size: number;
  /** Last known price and rate of the quote currency, the fallbacks of the mid paths. */
  price: number;
  rate: number;
}

export class Holdings {
  readonly #byKey = new Map<string, Holding>();
  open = 0;

  apply(value: FillValue): void {
    const key = positionKey(value.fill);
    let holding = this.#byKey.get(key);
    if (holding === undefined) {
      const { fill, symbol } = value;
      holding = {
        symbol: fill.symbol,
        rateBy: symbol.rateBy,
        quantity: ZERO,
        size: 0,
        price: 0,
        rate: 0,
      };
      this.#byKey.set(key, holding);
    }
    const before = holding.size;
    holding.quantity = holding.quantity.plus(positionChange(value));
    holding.price = value.fill.mid ?? value.price.toNumber();
    holding.rate = value.rate?.toNumber() ?? 0;
    const size = holding.quantity.abs();
    holding.size = size.lt(dec(value.symbol.lotSize)) ? 0 : size.times(value.contractSize).toNumber();
    this.open += Number(holding.size > 0) - Number(before > 0);
  }

  all(): Iterable<Holding> {
    return this.#byKey.values();
  }
}
