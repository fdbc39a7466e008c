/**
 * The mids 1 s, 5 s and 30 s after each fill, exactly, while the market goes by: a path of one point a second would be
 * up to a second early. The session tells it of each fill and of each change of a mid, both in exchange time.
 *
 *   fill ─▶ waits for 1 s ─▶ waits for 5 s ─▶ waits for 30 s ─▶ answered
 *
 * Bound: one probe per fill is kept for 30 s of market time, and the answers for as long as the fills.
 */
import type { MidAfter } from './inputs.ts';

const DELAYS_MS = [1000, 5000, 30_000] as const;

interface Probe {
  readonly ts: number;
  readonly answer: [number | null, number | null, number | null];
  /** The one behind it in its list. */
  next: Probe | null;
}

/** Probes that wait for the same delay, the oldest fill first. */
class Waiting {
  readonly #delayMs: number;
  #first: Probe | null = null;
  #last: Probe | null = null;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** Of the first; `Infinity` when none waits. */
  get dueMs(): number {
    return this.#first === null ? Number.POSITIVE_INFINITY : this.#first.ts + this.#delayMs;
  }

  add(probe: Probe): void {
    let before = this.#last;
    // A fill that became known late.
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

  #lastUntil(ts: number): Probe | null {
    let found: Probe | null = null;
    for (let probe = this.#first; probe !== null && probe.ts <= ts; probe = probe.next) found = probe;
    return found;
  }
}

/** What is open for one symbol. `dueNext` keeps a mark cheap while nothing is due. */
interface Watch {
  readonly waiting: readonly Waiting[];
  dueNext: number;
  mid: number | null;
}

export class MidProbes {
  readonly #watches = new Map<string, Watch>();

  /** The answer is filled in as time goes by, its last part last; what the data does not reach stays null. */
  fill(ts: number, symbol: string): MidAfter {
    const probe: Probe = { ts, answer: [null, null, null], next: null };
    const watch = this.#watch(symbol);
    watch.waiting[0]!.add(probe);
    watch.dueNext = Math.min(watch.dueNext, ts + DELAYS_MS[0]);
    return probe.answer;
  }

  /** A mid of the symbol from `ts` on. Until then the one before stood. */
  mark(ts: number, symbol: string, mid: number): void {
    const watch = this.#watch(symbol);
    if (watch.dueNext < ts) settle(watch, ts);
    watch.mid = mid;
  }

  /** At the end of the data: answers what was due by `to`. */
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

/** Whether parts of an answer may still come. */
export function isOpen(answer: MidAfter): boolean {
  return answer.at(-1) === null;
}

/** Answers what was due before `ts` (at `ts` too when `inclusive`) with the mid that stood. */
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
