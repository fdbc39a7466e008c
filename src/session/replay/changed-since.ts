/** What a session ran with and is another now: the code of its strategies, and files that they read. */
import { dirname, resolve } from 'node:path';
import type { RecordingNote, SessionFiles, SessionStart } from '../../recording/frames/note.ts';
import { changedFiles } from '../../strategy/inputs/input-log.ts';
import type { PreparedStrategy } from '../strategies.ts';

/** Of the last process. */
export interface RanWith {
  readonly strategies: SessionStart['strategies'];
  /** Empty in recordings of older versions. */
  readonly files: SessionFiles;
}

/** With one more note of the recording, in order. */
export function ranWithOf(
  known: RanWith | null,
  note: SessionStart | Extract<RecordingNote, { readonly note: 'inputs' }>,
): RanWith {
  if (note.note === 'session') return { strategies: note.strategies, files: [] };
  return { strategies: known?.strategies ?? [], files: note.strategies };
}

/** A sentence each. Another file than the session's is another version, not a change. */
export function changedSince(
  ranWith: RanWith,
  now: readonly Pick<PreparedStrategy, 'file' | 'loaded'>[],
): readonly string[] {
  return ranWith.strategies.flatMap(({ tag, file, code }) => {
    const same = now.find((strategy) => resolve(strategy.file) === resolve(file));
    const read = ranWith.files.find((one) => one.tag === tag)?.files ?? {};
    const changed = changedFiles(read, dirname(resolve(file)));
    return [
      ...(same === undefined || same.loaded.hash === code ? [] : [`the code of ${tag} is not that of the session`]),
      ...changed.map((name) => `${name}, which ${tag} reads, is not that of the session`),
    ];
  });
}
