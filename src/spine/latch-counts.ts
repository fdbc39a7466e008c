/** What latches a strategy once it is too much: its newest fills, and refusals in a row. Both begin anew when a human enables it. */
import type { OrderState } from '../model/trading/order.ts';

/** Of each strategy; older ones are dropped. */
const FILLS_MAX = 1_000;

export class LatchCounts {
  /** Strategy → Unix ms, oldest first. */
  private readonly fills = new Map<string, readonly number[]>();
  /** Strategy → refusals since the last acknowledged order. */
  private readonly refusals = new Map<string, number>();

  filled(strategy: string, ts: number): void {
    const times = (this.fills.get(strategy) ?? []) as number[];
    times.push(ts);
    this.fills.set(strategy, times.length < 2 * FILLS_MAX ? times : times.slice(-FILLS_MAX));
  }

  /** A new state of an order. `isNew`: it was neither acknowledged nor refused before. */
  moved(strategy: string, state: OrderState, isNew: boolean): void {
    if (state === 'rejected') this.refusals.set(strategy, this.refusalsOf(strategy) + 1);
    else if (isNew && this.refusals.size > 0) this.refusals.delete(strategy);
  }

  enabled(strategy: string): void {
    this.fills.delete(strategy);
    this.refusals.delete(strategy);
  }

  fillsOf(strategy: string): readonly number[] {
    return this.fills.get(strategy) ?? [];
  }

  refusalsOf(strategy: string): number {
    return this.refusals.get(strategy) ?? 0;
  }
}
