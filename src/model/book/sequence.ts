/**
 * Sequence rules: does an update join what the book holds? Sources: assumed frames of the exchange (`seq`), Binance's
 * order-book guides (`U/u`, `pu`). No allocation.
 */
import type { DepthEvent, SequenceRule } from '../market/market-event.ts';

/** `lastId` is below the update's last id. */
export function followsUpdate(rule: SequenceRule, event: DepthEvent, lastId: number): boolean {
  if (lastId === 0) return true;
  if (rule === 'seq') return event.lastId === lastId + 1;
  if (rule === 'U/u') return event.firstId > 0 && event.firstId <= lastId + 1;
  if (rule === 'pu') return event.previousId > 0 && event.previousId <= lastId;
  return true;
}

/**
 * Ids span several changes with absolute quantities: an overlapping message is applied, and one that is not later
 * changes nothing.
 */
export function isSpanning(rule: SequenceRule): boolean {
  return rule === 'U/u' || rule === 'pu';
}

export function isBeforeSnapshot(rule: SequenceRule, event: DepthEvent, snapshotId: number): boolean {
  return rule === 'pu' ? event.lastId < snapshotId : event.lastId <= snapshotId;
}

/** The documented test of `pu` is U ≤ snapshot. A predecessor that ended at or before the snapshot is evidence too. */
export function followsSnapshot(rule: SequenceRule, event: DepthEvent, snapshotId: number): boolean {
  if (rule === 'seq') return event.lastId === snapshotId + 1;
  if (rule === 'U/u') return event.firstId <= snapshotId + 1;
  if (rule === 'pu') return event.firstId <= snapshotId || (event.previousId > 0 && event.previousId <= snapshotId);
  return true;
}
