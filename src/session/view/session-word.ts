/** A session's state for `status` (docs/operations.md, "Look first"). */
import { isOver, type SessionRecord } from '../store/store.ts';

export type SessionWord =
  /** Running or not. */
  | 'killed'
  | 'running'
  /** Its last process died: the next start resumes it. */
  | 'crashed'
  /** Ended in order but left something: the next start resumes it. */
  | 'left'
  | 'ended';

export function sessionWord(
  record: Pick<SessionRecord, 'clean' | 'latched' | 'left'>,
  { running, killed }: { readonly running: boolean; readonly killed: boolean },
): SessionWord {
  if (killed) return 'killed';
  if (running) return 'running';
  if (!record.clean) return 'crashed';
  return isOver({ ...record, latched: false }) ? 'ended' : 'left';
}
