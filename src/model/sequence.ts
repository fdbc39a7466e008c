/**
 * The sequence rules as predicates, one line each: does this update join what the book already holds?
 * Sources: wire profile, "WebSocket: assumed frames" (`seq`); Binance's order-book guides (`U/u`, `pu`).
 * Used by `book-sync.ts` on every depth message; no allocation.
 */
import type { DepthEvent, SequenceRule } from './market-event.ts';

/** The update joins the one with id `lastId`. */
export function followsUpdate(rule: SequenceRule, event: DepthEvent, lastId: number): boolean {
  if (lastId === 0) return true;
  if (rule === 'seq') return event.lastId === lastId + 1;
  if (rule === 'U/u') return event.firstId === lastId + 1;
  if (rule === 'pu') return event.previousId === lastId;
  return true;
}

/** The snapshot with id `snapshotId` already contains all of the update. */
export function isBeforeSnapshot(rule: SequenceRule, event: DepthEvent, snapshotId: number): boolean {
  return rule === 'pu' ? event.lastId < snapshotId : event.lastId <= snapshotId;
}

/**
 * The update is the first after the snapshot with id `snapshotId`, with nothing missing between. For `pu` the documented
 * test is U ≤ snapshot; an update whose predecessor ended at or before the snapshot joins it just as well.
 */
export function followsSnapshot(rule: SequenceRule, event: DepthEvent, snapshotId: number): boolean {
  if (rule === 'seq') return event.lastId === snapshotId + 1;
  if (rule === 'U/u') return event.firstId <= snapshotId + 1;
  if (rule === 'pu') return event.firstId <= snapshotId || (event.previousId > 0 && event.previousId <= snapshotId);
  return true;
}
