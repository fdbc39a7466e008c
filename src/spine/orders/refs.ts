/**
 * A ref is unique per strategy for ever, even if denied. Generated refs are `<name>-<n>`, with one counter per name for
 * all its tags. Chosen refs are remembered; a run from 1 takes one number.
 */

import type { UsedRefs } from '../../model/entries/used-before.ts';

export class ChosenRefs {
  /** Text before the last dash → length of its run from 1. */
  private readonly runs = new Map<string, number>();
  private readonly others = new Set<string>();

  has(ref: string): boolean {
    const count = countOf(ref);
    return this.#hasCounted(ref, count, count > 0 ? stemOf(ref) : '');
  }

  add(ref: string): void {
    const count = countOf(ref);
    this.take(ref, count, count > 0 ? stemOf(ref) : '');
  }

  /** False when it was chosen before. `count`, `stem`: its parts; 0 and empty if it is not numbered. */
  take(ref: string, count: number, stem: string): boolean {
    if (this.#hasCounted(ref, count, stem)) return false;
    if (count === 0 || count !== (this.runs.get(stem) ?? 0) + 1) {
      this.others.add(ref);
      return true;
    }
    let last = count;
    while (this.others.size > 0 && this.others.delete(`${stem}-${last + 1}`)) last++;
    this.runs.set(stem, last);
    return true;
  }

  #hasCounted(ref: string, count: number, stem: string): boolean {
    if (count > 0 && count <= (this.runs.get(stem) ?? 0)) return true;
    return this.others.size > 0 && this.others.has(ref);
  }

  /** A run of another session. */
  run(stem: string, length: number): void {
    for (let count = (this.runs.get(stem) ?? 0) + 1; count <= length; count++)
      this.take(`${stem}-${count}`, count, stem);
  }

  /** What is not in `own`. */
  beyond(own: ChosenRefs | undefined): Omit<UsedRefs, 'given'> {
    const runs = [...this.runs].filter(([stem, length]) => (own?.runs.get(stem) ?? 0) < length);
    return { runs: Object.fromEntries(runs), others: [...this.others].filter((ref) => own?.has(ref) !== true) };
  }

  all(): readonly string[] {
    const counted = [...this.runs].flatMap(([stem, last]) =>
      Array.from({ length: last }, (_, index) => `${stem}-${index + 1}`),
    );
    return [...counted, ...this.others];
  }
}

export class Refs {
  private readonly counters = new Map<string, number>();
  private readonly strategies = new Map<string, ChosenRefs>();

  next(strategy: string, name: string): string {
    const chosen = this.strategies.get(strategy);
    let count = this.counters.get(name) ?? 0;
    let ref: string;
    do {
      ref = `${name}-${++count}`;
    } while (chosen?.has(ref) === true);
    this.counters.set(name, count);
    return ref;
  }

  /** False when the strategy has used this ref before. */
  choose(strategy: string, name: string, ref: string): boolean {
    const count = countOf(ref);
    const stem = count > 0 ? stemOf(ref) : '';
    const wasGiven = count > 0 && stem === name && count <= (this.counters.get(name) ?? 0);
    return !wasGiven && this.#chosenOf(strategy).take(ref, count, stem);
  }

  /** Chosen or adopted. */
  isChosen(strategy: string, ref: string): boolean {
    return this.strategies.get(strategy)?.has(ref) === true;
  }

  restore(strategy: string, ref: string, auto: boolean): void {
    const count = auto ? countOf(ref) : 0;
    const name = stemOf(ref);
    if (count === 0) this.#chosenOf(strategy).add(ref);
    else this.counters.set(name, Math.max(this.counters.get(name) ?? 0, count));
  }

  /** Used by the strategy (`name` is that of its file) and unknown to `own`. */
  beyond(own: Refs, strategy: string, name: string): UsedRefs {
    const given = [...this.counters].filter(
      ([stem, count]) => (stem === name || stem.startsWith(`${name}-`)) && (own.counters.get(stem) ?? 0) < count,
    );
    const chosen = this.strategies.get(strategy) ?? new ChosenRefs();
    return { given: Object.fromEntries(given), ...chosen.beyond(own.strategies.get(strategy)) };
  }

  /** Of earlier sessions. */
  takeOver(strategy: string, { given, runs, others }: UsedRefs): void {
    for (const [stem, count] of Object.entries(given))
      this.counters.set(stem, Math.max(this.counters.get(stem) ?? 0, count));
    for (const [stem, length] of Object.entries(runs)) this.#chosenOf(strategy).run(stem, length);
    for (const ref of others) this.#chosenOf(strategy).add(ref);
  }

  entries(): readonly (readonly [string, number])[] {
    return [...this.counters].sort((a, b) => (a[0] < b[0] ? -1 : 1));
  }

  chosen(): readonly string[] {
    return [...this.strategies].flatMap(([strategy, refs]) => refs.all().map((ref) => `${strategy}/${ref}`)).sort();
  }

  #chosenOf(strategy: string): ChosenRefs {
    let chosen = this.strategies.get(strategy);
    if (chosen === undefined) this.strategies.set(strategy, (chosen = new ChosenRefs()));
    return chosen;
  }
}

/** The number in `<stem>-<n>` without leading zeros, from 1 on; 0: no such text. */
export function countOf(ref: string, dash = ref.lastIndexOf('-')): number {
  const { length } = ref;
  // A longer number may not be a safe integer.
  if (dash <= 0 || dash === length - 1 || length - dash > DIGITS_MAX + 1 || ref.charCodeAt(dash + 1) === DIGIT_0)
    return 0;
  let count = 0;
  for (let at = dash + 1; at < length; at++) {
    const digit = ref.charCodeAt(at) - DIGIT_0;
    if (digit < 0 || digit > 9) return 0;
    count = count * 10 + digit;
  }
  return count;
}

const DIGIT_0 = 48;
const DIGITS_MAX = 15;

/** Whether it is `<name>-<n>`. */
export function isNumbered(ref: string, name: string): boolean {
  return countOf(ref) > 0 && stemOf(ref) === name;
}

function stemOf(ref: string): string {
  return ref.slice(0, ref.lastIndexOf('-'));
}
