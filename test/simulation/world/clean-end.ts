/**
 * What a session that calls its end clean may have left (X02): nothing. The next run begins another session, which knows
 * nothing of it, so an order that rests, a trade that is not booked and an order of unknown outcome are lost for good.
 */
import type { Executor } from '../../../src/execution/executor.ts';
import type { JournalRow } from '../../../src/model/entries/journal.ts';
import type { VenueSide } from './venue-side.ts';

export function leftBehind(venue: VenueSide, executor: Executor, rows: readonly JournalRow[]): readonly string[] {
  const { trades, active } = venue.truth;
  const problems: string[] = [];
  const resting = [...active.keys()].filter((orderId) => !venue.isOthers(orderId));
  if (resting.length > 0) problems.push(`${resting.join()} rest`);
  const booked = new Set(rows.flatMap(({ entry }) => (entry.kind === 'fill' ? [entry.fill.tradeId] : [])));
  for (const { orderId, tradeId } of trades)
    if (!venue.isOthers(orderId) && !booked.has(tradeId)) problems.push(`trade ${tradeId} of ${orderId} is not booked`);
  const unresolved = executor.unresolvedCount();
  if (unresolved > 0) problems.push(`${unresolved} unresolved`);
  return problems;
}
