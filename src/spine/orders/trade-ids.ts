/** Trade ids of one order. Most orders have one, which needs no set. */
export class TradeIds {
  #first: string | undefined;
  #others: Set<string> | undefined;

  get size(): number {
    return (this.#first === undefined ? 0 : 1) + (this.#others?.size ?? 0);
  }

  has(tradeId: string): boolean {
    return tradeId === this.#first || this.#others?.has(tradeId) === true;
  }

  all(): readonly string[] {
    return this.#first === undefined ? [] : [this.#first, ...(this.#others ?? [])];
  }

  add(tradeId: string): void {
    if (this.has(tradeId)) return;
    if (this.#first === undefined) this.#first = tradeId;
    else (this.#others ??= new Set()).add(tradeId);
  }
}
