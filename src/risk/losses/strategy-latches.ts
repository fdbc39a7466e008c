/**
 * Latches a strategy after too many executions in a window or refusals in a row, until a human enables it. Latches are
 * journalled; counts restart with the process.
 */
import { denied, type Denied, type RiskFigure } from '../../model/deny-reason.ts';
import { figure } from '../figures.ts';

export interface LatchLimits {
  readonly repeatedExecutions?: { readonly count: number; readonly windowMs: number } | undefined;
  readonly rejectsInARow?: number | undefined;
}

interface Counts {
  /** Fill times, Unix ms: a ring as long as the limit. */
  readonly times: Float64Array;
  next: number;
  rejects: number;
}

export class StrategyLatches {
  readonly #limitsOf: (strategy: string) => LatchLimits;
  readonly #latched: ReadonlyMap<string, string>;
  readonly #latch: (strategy: string, reason: string) => void;
  readonly #counts = new Map<string, Counts>();

  /** `latched`: the journal's strategy → reason. `latch` journals one. */
  constructor(
    limitsOf: (strategy: string) => LatchLimits,
    latched: ReadonlyMap<string, string>,
    latch: (strategy: string, reason: string) => void,
  ) {
    this.#limitsOf = limitsOf;
    this.#latched = latched;
    this.#latch = latch;
  }

  denial(strategy: string): Denied | null {
    const reason = this.#latched.get(strategy);
    return reason === undefined ? null : denied('strategy_latched', `${strategy} is latched: ${reason}`);
  }

  figures(strategy: string, now: number): readonly RiskFigure[] {
    const { repeatedExecutions, rejectsInARow = Number.POSITIVE_INFINITY } = this.#limitsOf(strategy);
    const counts = this.#counts.get(strategy);
    const windowMs = repeatedExecutions?.windowMs ?? 0;
    const fills = counts?.times.reduce((count, at) => (now - at < windowMs ? count + 1 : count), 0) ?? 0;
    return [
      figure('strategy_latched', `${strategy}, fills`, fills, repeatedExecutions?.count ?? Number.POSITIVE_INFINITY),
      figure('strategy_latched', `${strategy}, refusals`, counts?.rejects ?? 0, rejectsInARow),
    ];
  }

  executed(strategy: string, now: number): void {
    const { repeatedExecutions } = this.#limitsOf(strategy);
    if (repeatedExecutions === undefined) return;
    const { count, windowMs } = repeatedExecutions;
    const counts = this.#of(strategy, count);
    counts.times[counts.next] = now;
    counts.next = (counts.next + 1) % count;
    const oldest = counts.times[counts.next] ?? Number.NEGATIVE_INFINITY;
    if (now - oldest < windowMs) this.#trip(strategy, `${count} executions within ${windowMs} ms`);
  }

  rejected(strategy: string, code: string): void {
    const { rejectsInARow } = this.#limitsOf(strategy);
    if (rejectsInARow === undefined) return;
    const counts = this.#of(strategy, 1);
    counts.rejects++;
    if (counts.rejects >= rejectsInARow) this.#trip(strategy, `${counts.rejects} refusals in a row, the last: ${code}`);
  }

  accepted(strategy: string): void {
    const counts = this.#counts.get(strategy);
    if (counts !== undefined) counts.rejects = 0;
  }

  enabled(strategy: string): void {
    this.#counts.delete(strategy);
  }

  #trip(strategy: string, reason: string): void {
    if (!this.#latched.has(strategy)) this.#latch(strategy, reason);
  }

  #of(strategy: string, executions: number): Counts {
    let counts = this.#counts.get(strategy);
    if (counts === undefined || counts.times.length < executions) {
      const times = new Float64Array(executions).fill(Number.NEGATIVE_INFINITY);
      this.#counts.set(strategy, (counts = { times, next: 0, rejects: counts?.rejects ?? 0 }));
    }
    return counts;
  }
}
