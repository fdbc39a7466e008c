/** When the first own order of this process was accepted. */
import type { Executor } from '../../execution/executor.ts';
import type { OrderState } from '../../model/trading/order.ts';

/** A market order is never `open`. */
const ACCEPTED_STATES: ReadonlySet<OrderState> = new Set(['open', 'partially_filled', 'filled', 'expired']);

/** Returns ms from process start; null before it. */
export function firstQuote(executor: Pick<Executor, 'listen' | 'counters'>): () => number | null {
  let firstQuoteMs: number | null = null;
  executor.listen((event) => {
    if (firstQuoteMs !== null || event.kind !== 'order' || !ACCEPTED_STATES.has(event.order.state)) return;
    // Outcomes of earlier sends do not count.
    if (executor.counters().submitted > 0) firstQuoteMs = performance.now();
  });
  return () => firstQuoteMs;
}
