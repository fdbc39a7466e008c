/** The deepest fall of a curve so far, from peak to trough, relative to `base` + peak. */
export interface Mark {
  /** Order of arrival, from 1: times may be equal. */
  no: number;
  atMs: number;
  value: number;
}

export interface SavedFall {
  /** Peak, trough and highest. */
  readonly marks: readonly [Mark, Mark, Mark];
  readonly base: number;
}

export function mark(): Mark {
  return { no: 0, atMs: 0, value: -Infinity };
}

export function setMark(target: Mark, no: number, atMs: number, value: number): void {
  target.no = no;
  target.atMs = atMs;
  target.value = value;
}

/** Against rounding; relative to the peak. */
const MARGIN = 1e-9;

export class DeepestFall {
  readonly peak = mark();
  readonly trough = mark();
  readonly #highest = mark();
  #base = 0;
  #depth = 0;
  /** Only a value below it may be deeper: most need no division. */
  #below = Infinity;

  /** Of equity: the capital. Depths are compared with the newest. */
  set base(base: number) {
    this.#base = base;
    this.#depth = this.trough.no === 0 ? 0 : this.#depthOf(this.peak.value, this.trough.value);
    this.#bound();
  }

  saved(): SavedFall {
    return { marks: [this.peak, this.trough, this.#highest], base: this.#base };
  }

  load({ marks: [peak, trough, highest], base }: SavedFall): void {
    Object.assign(this.peak, peak);
    Object.assign(this.trough, trough);
    Object.assign(this.#highest, highest);
    this.base = base;
  }

  add(no: number, atMs: number, value: number): void {
    if (value > this.#highest.value) {
      setMark(this.#highest, no, atMs, value);
      this.#bound();
    } else if (value < this.#below) this.#fall(no, atMs, value);
  }

  #fall(no: number, atMs: number, value: number): void {
    const { peak, trough } = this;
    const highest = this.#highest;
    const depth = this.#depthOf(highest.value, value);
    if (!(depth > this.#depth)) return;
    this.#depth = depth;
    setMark(peak, highest.no, highest.atMs, highest.value);
    setMark(trough, no, atMs, value);
    this.#bound();
  }

  #bound(): void {
    const top = this.#base + this.#highest.value;
    this.#below = top * (1 - this.#depth + MARGIN) - this.#base;
  }

  /** As `statistics/drawdown.ts`. */
  #depthOf(peak: number, value: number): number {
    const top = this.#base + peak;
    return top > 0 ? Math.min(1, 1 - (this.#base + value) / top) : 0;
  }
}
