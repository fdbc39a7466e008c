/** The state of a session in one word, as `status` shows it (docs/operations.md, "Look first"). Pure. */
import { isOver, type SessionRecord } from './store.ts';

export type SessionWord =
  /** Its kill switch is on, whether or not it runs. */
  | 'killed'
  /** A process holds it. */
  | 'running'
  /** Its last process did not end in order: the next start goes on with it. */
  | 'crashed'
  /** It ended in order and left orders, a position, a latch or a halt: the next start goes on with it. */
  | 'left'
  | 'ended';

export function sessionWord(
  record: Pick<SessionRecord, 'clean' | 'latched' | 'left'>,
  { running, killed }: { readonly running: boolean; readonly killed: boolean },
): SessionWord {
  if (killed) return 'killed';
  if (running) return 'running';
  if (!record.clean) return 'crashed';
  // Its latch is off by now.
  return isOver({ ...record, latched: false }) ? 'ended' : 'left';
}
