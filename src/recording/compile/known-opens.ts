/** Open times of one series, as regular runs; unordered ones are kept singly. */
interface Run {
  readonly from: number;
  to: number;
}

export class KnownOpens {
  readonly #intervalMs: number;
  /** Rising. */
  readonly #runs: Run[] = [];
  readonly #others = new Set<number>();

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  add(openTime: number): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && openTime <= last.to) this.#others.add(openTime);
    else if (last !== undefined && openTime === last.to + this.#intervalMs) last.to = openTime;
    else this.#runs.push({ from: openTime, to: openTime });
  }

  has(openTime: number): boolean {
    const run = this.#runBefore(openTime);
    const isInRun = run !== undefined && openTime <= run.to && (openTime - run.from) % this.#intervalMs === 0;
    return isInRun || this.#others.has(openTime);
  }

  /** Starting at or before this time. */
  #runBefore(openTime: number): Run | undefined {
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#runs[middle]!.from <= openTime) low = middle + 1;
      else high = middle;
    }
    return this.#runs[low - 1];
  }
}
