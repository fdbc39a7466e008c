/**
 * The mids 1 s, 5 s and 30 s after each fill, exactly, while the market goes by: a path of one point a second would be
 * up to a second early. The session tells it of each fill and of each change of a mid, both in exchange time.
 *
 * Bound: one probe per fill is kept for 30 s of market time, and the answers for as long as the fills.
 */
import type { MidAfter } from './inputs.ts';

const DELAYS_MS = [1000, 5000, 30_000] as const;

interface Probe {
  readonly ts: number;
  readonly answer: [number | null, number | null, number | null];
  /** How many of the delays are answered. */
  answered: number;
}

/** What is open for one symbol. `dueNext` keeps a mark cheap while nothing is due. */
interface Watch {
  probes: Probe[];
  dueNext: number;
  mid: number | null;
}

export class MidProbes {
  readonly #watches = new Map<string, Watch>();
  readonly #open = new Set<MidAfter>();

  /** The answer is filled in as time goes by; what the data does not reach stays null. */
  fill(ts: number, symbol: string): MidAfter {
    const probe: Probe = { ts, answer: [null, null, null], answered: 0 };
    const watch = this.#watch(symbol);
    watch.probes.push(probe);
    watch.dueNext = Math.min(watch.dueNext, dueOf(probe));
    this.#open.add(probe.answer);
    return probe.answer;
  }

  /** Whether more of an answer may still be filled in. */
  isOpen(answer: MidAfter): boolean {
    return this.#open.has(answer);
  }

  /** A mid of the symbol from `ts` on. Until then the one before stood. */
  mark(ts: number, symbol: string, mid: number): void {
    const watch = this.#watch(symbol);
    if (watch.dueNext < ts) this.#settle(watch, ts);
    watch.mid = mid;
  }

  /** At the end of the data: answers what was due by `to`. */
  end(to: number): void {
    for (const watch of this.#watches.values()) this.#settle(watch, to, true);
  }

  #watch(symbol: string): Watch {
    let watch = this.#watches.get(symbol);
    if (watch === undefined) {
      watch = { probes: [], dueNext: Number.POSITIVE_INFINITY, mid: null };
      this.#watches.set(symbol, watch);
    }
    return watch;
  }

  /** Answers what was due before `ts` (at `ts` too when `inclusive`) with the mid that stood. */
  #settle(watch: Watch, ts: number, inclusive = false): void {
    watch.dueNext = Number.POSITIVE_INFINITY;
    for (const probe of watch.probes) {
      while (dueOf(probe) < ts || (inclusive && dueOf(probe) === ts)) probe.answer[probe.answered++] = watch.mid;
      watch.dueNext = Math.min(watch.dueNext, dueOf(probe));
    }
    watch.probes = watch.probes.filter(({ answer, answered }) => {
      if (answered === DELAYS_MS.length) this.#open.delete(answer);
      return answered < DELAYS_MS.length;
    });
  }
}

function dueOf({ ts, answered }: Probe): number {
  return ts + (DELAYS_MS[answered] ?? Number.POSITIVE_INFINITY);
}
