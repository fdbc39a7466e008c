/**
 * Refs: unique per strategy for ever, restarts included. Given ones are `<name>-<n>` with one counter per name, shared
 * by all tags of that name; those that a strategy chose itself are remembered one by one. A ref is used up by its
 * emission, whether the order was denied or not.
 */
const NUMBERED = /^(.+)-(\d+)$/;

export class Refs {
  readonly #counters = new Map<string, number>();
  readonly #chosen = new Set<string>();

  /** The next free numbered ref of a strategy. */
  next(strategy: string, name: string): string {
    let count = this.#counters.get(name) ?? 0;
    let ref: string;
    do {
      ref = `${name}-${++count}`;
    } while (this.#chosen.has(`${strategy}/${ref}`));
    this.#counters.set(name, count);
    return ref;
  }

  /** False when the strategy has used this ref before. */
  choose(strategy: string, name: string, ref: string): boolean {
    const key = `${strategy}/${ref}`;
    if (this.#chosen.has(key) || this.#wasNumbered(name, ref)) return false;
    this.#chosen.add(key);
    return true;
  }

  /** From a journal row. */
  restore(strategy: string, ref: string, auto: boolean): void {
    const match = auto ? NUMBERED.exec(ref) : null;
    if (match === null) {
      this.#chosen.add(`${strategy}/${ref}`);
      return;
    }
    const name = match[1] ?? '';
    this.#counters.set(name, Math.max(this.#counters.get(name) ?? 0, Number(match[2])));
  }

  /** For the state hash. */
  entries(): readonly (readonly [string, number])[] {
    return [...this.#counters].sort((a, b) => (a[0] < b[0] ? -1 : 1));
  }

  chosen(): readonly string[] {
    return [...this.#chosen].sort();
  }

  #wasNumbered(name: string, ref: string): boolean {
    const match = NUMBERED.exec(ref);
    if (match === null || match[1] !== name || String(Number(match[2])) !== match[2]) return false;
    return Number(match[2]) <= (this.#counters.get(name) ?? 0) && Number(match[2]) > 0;
  }
}
