/** `programs`: the order programs of a session from its journal, also while it runs or after it died. */
import { replayedPrograms } from '../../execution/programs/replayed-programs.ts';
import { replayJournal } from '../../journal/resume.ts';
import type { ProgramUpdate } from '../../model/trading/program.ts';
import { isRunning } from '../../session/store/is-running.ts';
import { shownProgram } from '../../session/result/program-row.ts';
import type { ResultProgram } from '../../session/result/result.ts';
import { sessionWord, type SessionWord } from '../../session/view/session-word.ts';
import type { SessionFolder } from '../../session/store/store.ts';

export type ProgramRow = ResultProgram & Pick<ProgramUpdate, 'next' | 'waitsFor'>;

export interface SessionPrograms {
  readonly session: string;
  readonly mode: string;
  readonly life: SessionWord;
  /** Oldest first, ended ones included. */
  readonly programs: readonly ProgramRow[];
}

/** Throws `journal_not_found`, `journal_corrupt`. */
export function sessionPrograms(folder: SessionFolder): SessionPrograms {
  const { record, path } = folder;
  const replay = replayJournal(path);
  const running = isRunning(folder);
  const programs = replayedPrograms(replay).map(shownProgram);
  const life = sessionWord(record, { running, killed: replay.state.killReason !== undefined });
  return { session: record.id, mode: record.mode, life, programs };
}
