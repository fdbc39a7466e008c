/** When a backtest values the account: each minute where something depends on it, else at the first minute of a UTC day. */
import type { Executor } from '../../execution/executor.ts';
import type { Cancel, Clock } from '../../model/ports.ts';
import type { MarketData } from '../../streams/market-data.ts';

const LOOK_MS = 60_000;

export function lookAtLosses(
  executor: Pick<Executor, 'valueAccount' | 'valuationDueAt'>,
  market: Pick<MarketData, 'isWatched'>,
  clock: Pick<Clock, 'after' | 'now'>,
): Cancel {
  const arm = (): Cancel => {
    const waitMs = executor.valuationDueAt() - clock.now();
    return clock.after(LOOK_MS * Math.max(1, Math.ceil(waitMs / LOOK_MS)), look);
  };
  const look = (): void => {
    // Reading a price would deliver the events that wait for a reader.
    if (market.isWatched) executor.valueAccount();
    cancel = arm();
  };
  let cancel = clock.after(LOOK_MS, look);
  return () => cancel();
}
