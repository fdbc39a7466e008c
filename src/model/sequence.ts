/**
 * The sequence rules as predicates, one line each: does this update join what the book already holds?
 * Sources: the assumed frames of the exchange (`seq`); Binance's order-book guides (`U/u`, `pu`).
 * Used by `book-sync.ts` on every depth message; no allocation.
 */
import type { DepthEvent, SequenceRule } from './market-event.ts';

/** Nothing is missing between the id `lastId` and the update, whose last id is higher. */
export function followsUpdate(rule: SequenceRule, event: DepthEvent, lastId: number): boolean {
  if (lastId === 0) return true;
  if (rule === 'seq') return event.lastId === lastId + 1;
  if (rule === 'U/u') return event.firstId > 0 && event.firstId <= lastId + 1;
  if (rule === 'pu') return event.previousId > 0 && event.previousId <= lastId;
  return true;
}

/**
 * Ids that span several changes, each row with its new quantity: a message that overlaps the book brings it to the
 * message's last id, and one that is not later changes nothing. Binance's guides ignore and apply them so.
 */
export function isSpanning(rule: SequenceRule): boolean {
  return rule === 'U/u' || rule === 'pu';
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
