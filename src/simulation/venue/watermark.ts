/**
 * A live command that arrives at exchange time a runs after a later market event for each symbol, or `watermarkUs`
 * after a. Earlier events may still arrive until then. The first command holds back the rest.
 */
import type { Arrivals, LaneClock } from './arrivals.ts';

interface Held {
  readonly us: number;
  readonly awaited: Set<string>;
  readonly command: () => void;
  expired: boolean;
}

export class Watermark implements Arrivals {
  readonly #clock: LaneClock;
  readonly #watermarkUs: number;
  /** Exchange clock minus local clock, µs. */
  readonly #offsetUs: () => number;
  readonly #held: Held[] = [];

  constructor(clock: LaneClock, watermarkUs: number, offsetUs: () => number) {
    this.#clock = clock;
    this.#watermarkUs = watermarkUs;
    this.#offsetUs = offsetUs;
  }

  submit(us: number, symbols: () => ReadonlySet<string>, command: () => void): void {
    const held: Held = { us, awaited: new Set(symbols()), command, expired: false };
    this.#held.push(held);
    this.#clock.schedule(us - this.#offsetUs() + this.#watermarkUs, 'command', () => {
      held.expired = true;
      this.#release();
    });
  }

  beforeMarket(symbol: string, exchangeUs: number): void {
    if (this.#held.length === 0) return;
    for (const held of this.#held) if (exchangeUs > held.us) held.awaited.delete(symbol);
    this.#release();
  }

  #release(): void {
    for (let first = this.#held[0]; first !== undefined; first = this.#held[0]) {
      if (!first.expired && first.awaited.size > 0) return;
      this.#held.shift();
      first.command();
    }
  }
}
