/** Best prices after each message, as columns. */
import { doubles } from './growing-column.ts';
import type { Tops } from './market-columns.ts';

type Best = { readonly [Field in keyof Tops]: number };

export class TopsBuilder {
  readonly #bidTicks = doubles();
  readonly #bidLots = doubles();
  readonly #askTicks = doubles();
  readonly #askLots = doubles();

  get length(): number {
    return this.#bidTicks.length;
  }

  add({ bidTicks, bidLots, askTicks, askLots }: Best): void {
    this.#bidTicks.push(bidTicks);
    this.#bidLots.push(bidLots);
    this.#askTicks.push(askTicks);
    this.#askLots.push(askLots);
  }

  build(): Tops {
    return {
      bidTicks: this.#bidTicks.values(),
      bidLots: this.#bidLots.values(),
      askTicks: this.#askTicks.values(),
      askLots: this.#askLots.values(),
    };
  }
}
