/**
 * Signal ids that the previous session received over the network. A session that ended in order is followed by a new
 * one, and a sender that repeats a signal does not know that.
 */
import { dirname } from 'node:path';
import { replayJournal } from '../../journal/resume.ts';
import { messageOf } from '../../model/errors.ts';
import type { Logger } from '../../model/ports.ts';
import { isOfSameAccount, listSessions, type SessionFolder } from '../store/store.ts';
import { networkKeyOf, type SignalInbox } from './inbox.ts';

/** Reads a journal only where a name of `names` has no ids yet. */
export function inheritIds(inbox: SignalInbox, folder: SessionFolder, names: readonly string[], logger: Logger): void {
  const unknown = names.filter((name) => !inbox.knows(name));
  const before = unknown.length === 0 ? undefined : sessionBefore(folder);
  if (before === undefined) return;
  try {
    const { values } = replayJournal(before.path).state;
    const [first] = before.record.strategies;
    for (const name of unknown) {
      const kept = values.get(`${first?.tag}/${networkKeyOf(name)}`);
      if (kept !== undefined) inbox.inherit(name, kept);
    }
  } catch (thrown) {
    const what = 'a signal that the session before has taken may be taken again: its journal cannot be read';
    logger.warn({ session: before.record.id, reason: messageOf(thrown) }, what);
  }
}

function sessionBefore({ path, record }: SessionFolder): SessionFolder | undefined {
  const [first] = record.strategies;
  return listSessions(dirname(path), () => {}).find(
    (other) =>
      other.record.id !== record.id &&
      other.record.startedAt <= record.startedAt &&
      isOfSameAccount(other.record, record) &&
      other.record.strategies[0]?.tag === first?.tag,
  );
}
