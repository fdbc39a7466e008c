/**
 * Exact mids 1 s, 5 s and 30 s after each fill, exchange time; the sampled path is up to a second off.
 *
 *   fill ─▶ waits for 1 s ─▶ waits for 5 s ─▶ waits for 30 s ─▶ answered
 *
 * Bound: a probe per fill for 30 s of market time.
 */
import type { MidAfter } from './inputs.ts';

const DELAYS_MS = [1000, 5000, 30_000] as const;

interface Probe {
  readonly ts: number;
  readonly answer: [number | null, number | null, number | null];
  next: Probe | null;
}

/** Probes waiting for one delay, oldest fill first. */
class Waiting {
  readonly #delayMs: number;
  #first: Probe | null = null;
  #last: Probe | null = null;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** Due time of the first; `Infinity` when empty. */
  get dueMs(): number {
    return this.#first === null ? Number.POSITIVE_INFINITY : this.#first.ts + this.#delayMs;
  }

  add(probe: Probe): void {
    let before = this.#last;
    // Late fill.
    if (before !== null && before.ts > probe.ts) before = this.#lastUntil(probe.ts);
    probe.next = before === null ? this.#first : before.next;
    if (before === null) this.#first = probe;
    else before.next = probe;
    if (probe.next === null) this.#last = probe;
  }

  takeFirst(): Probe {
    const probe = this.#first!;
    this.#first = probe.next;
    if (this.#first === null) this.#last = null;
    return probe;
  }

  all(): readonly Probe[] {
    const probes: Probe[] = [];
    for (let probe = this.#first; probe !== null; probe = probe.next) probes.push(probe);
    return probes;
  }

  #lastUntil(ts: number): Probe | null {
    let found: Probe | null = null;
    for (let probe = this.#first; probe !== null && probe.ts <= ts; probe = probe.next) found = probe;
    return found;
  }
}

/** Probes of one symbol. `dueNext` makes `mark` cheap. */
interface Watch {
  readonly waiting: readonly Waiting[];
  dueNext: number;
  mid: number | null;
}

type Answer = Probe['answer'];

export type SavedProbes = readonly {
  readonly symbol: string;
  readonly mid: number | null;
  /** By delay. */
  readonly waiting: readonly (readonly (readonly [ts: number, answer: Answer])[])[];
}[];

export class MidProbes {
  readonly #watches = new Map<string, Watch>();
  /** Of the loaded probes, in order. */
  #loaded: readonly Answer[] = [];

  saved(): SavedProbes {
    return [...this.#watches].map(([symbol, { waiting, mid }]) => ({
      symbol,
      mid,
      waiting: waiting.map((list) => list.all().map(({ ts, answer }) => [ts, answer] as const)),
    }));
  }

  load(saved: SavedProbes): void {
    for (const { symbol, mid, waiting } of saved) {
      const watch = this.#watch(symbol);
      watch.mid = mid;
      for (const [place, probes] of waiting.entries())
        for (const [ts, answer] of probes) watch.waiting[place]!.add({ ts, answer, next: null });
      watch.dueNext = Math.min(...watch.waiting.map(({ dueMs }) => dueMs));
    }
    this.#loaded = answersOf(saved);
  }

  /** Answers the probes that still wait in `before`, which saved what this one loaded. */
  answer(before: MidProbes): void {
    for (const [index, answer] of answersOf(before.saved()).entries()) Object.assign(answer, this.#loaded[index]);
  }

  /** Filled in over time, the last part last; unreached parts stay null. */
  fill(ts: number, symbol: string): MidAfter {
    const probe: Probe = { ts, answer: [null, null, null], next: null };
    const watch = this.#watch(symbol);
    watch.waiting[0]!.add(probe);
    watch.dueNext = Math.min(watch.dueNext, ts + DELAYS_MS[0]);
    return probe.answer;
  }

  /** The mid of the symbol from `ts` on. */
  mark(ts: number, symbol: string, mid: number): void {
    const watch = this.#watch(symbol);
    if (watch.dueNext < ts) settle(watch, ts);
    watch.mid = mid;
  }

  /** Answers what was due by `to`. */
  end(to: number): void {
    for (const watch of this.#watches.values()) settle(watch, to, true);
  }

  #watch(symbol: string): Watch {
    let watch = this.#watches.get(symbol);
    if (watch === undefined) {
      const waiting = DELAYS_MS.map((delayMs) => new Waiting(delayMs));
      watch = { waiting, dueNext: Number.POSITIVE_INFINITY, mid: null };
      this.#watches.set(symbol, watch);
    }
    return watch;
  }
}

function answersOf(saved: SavedProbes): readonly Answer[] {
  return saved.flatMap(({ waiting }) => waiting.flatMap((probes) => probes.map(([, answer]) => answer)));
}

/** Whether parts may still be filled in. */
export function isOpen(answer: MidAfter): boolean {
  return answer.at(-1) === null;
}

/** Answers probes due before `ts` (at `ts` too when `inclusive`) with the mid until then. */
function settle(watch: Watch, ts: number, inclusive = false): void {
  const { waiting, mid } = watch;
  let dueNext = Number.POSITIVE_INFINITY;
  for (let place = 0; place < waiting.length; place++) {
    const list = waiting[place]!;
    while (list.dueMs < ts || (inclusive && list.dueMs === ts)) {
      const probe = list.takeFirst();
      probe.answer[place] = mid;
      waiting[place + 1]?.add(probe);
    }
    dueNext = Math.min(dueNext, list.dueMs);
  }
  watch.dueNext = dueNext;
}
