/** Prices and quantities of a file between units of its scales and the decimal texts of orders and fills. */
import { dec } from '../../src/model/numbers/money.ts';

interface Scales {
  readonly priceScale: number;
  readonly quantityScale: number;
}

export class Texts {
  readonly #priceScale: number;
  readonly #quantityScale: number;

  constructor({ priceScale, quantityScale }: Scales) {
    this.#priceScale = priceScale;
    this.#quantityScale = quantityScale;
  }

  price(units: number): string {
    return dec(units)
      .div(10 ** this.#priceScale)
      .toFixed();
  }

  quantity(units: number): string {
    return dec(units)
      .div(10 ** this.#quantityScale)
      .toFixed();
  }

  priceUnits(text: string): number {
    return dec(text)
      .times(10 ** this.#priceScale)
      .toNumber();
  }

  quantityUnits(text: string): number {
    return dec(text)
      .times(10 ** this.#quantityScale)
      .toNumber();
  }
}
