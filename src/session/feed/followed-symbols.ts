/**
 * The symbols whose market a session follows: those that strategies name, those in which something stands, and those that
 * a strategy asks for while it runs.
 */
export class FollowedSymbols {
  /** It grows. */
  readonly all: readonly string[];
  readonly #symbols: string[];
  readonly #listeners: ((symbol: string) => void)[] = [];

  constructor(first: readonly string[]) {
    this.#symbols = [...first];
    this.all = this.#symbols;
  }

  add(symbol: string): void {
    if (this.#symbols.includes(symbol)) return;
    this.#symbols.push(symbol);
    for (const listener of this.#listeners) listener(symbol);
  }

  /** Those of now, and later ones. */
  each(listener: (symbol: string) => void): void {
    for (const symbol of this.#symbols) listener(symbol);
    this.#listeners.push(listener);
  }
}
