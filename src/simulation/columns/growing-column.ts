/** A typed array that grows by `push`. */
export type Column = Float64Array | Uint32Array | Uint8Array;

export class GrowingColumn<Array extends Column> {
  readonly #make: (length: number) => Array;
  #values: Array;
  #length = 0;

  constructor(make: (length: number) => Array) {
    this.#make = make;
    this.#values = make(1024);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow(this.#length + 1);
    this.#values[this.#length++] = value;
  }

  append(values: Array): void {
    const length = this.#length + values.length;
    if (length > this.#values.length) this.#grow(length);
    this.#values.set(values, this.#length);
    this.#length = length;
  }

  /** Exact, in an array of its own. */
  values(): Array {
    return this.#values.slice(0, this.#length) as Array;
  }

  #grow(least: number): void {
    const grown = this.#make(Math.max(least, 2 * this.#values.length));
    grown.set(this.#values.subarray(0, this.#length));
    this.#values = grown;
  }
}

export const doubles = (): GrowingColumn<Float64Array> => new GrowingColumn((length) => new Float64Array(length));
export const integers = (): GrowingColumn<Uint32Array> => new GrowingColumn((length) => new Uint32Array(length));
export const bytes = (): GrowingColumn<Uint8Array> => new GrowingColumn((length) => new Uint8Array(length));
