/** Whether a journal that lost rows still says what it traded. */
import { journalErrors } from '../../journal/errors.ts';
import { REWOUND } from '../../journal/files/witness.ts';
import { replayJournal } from '../../journal/resume.ts';
import { journalDoubt } from '../../journal/verify.ts';

/** Throws `journal_rewound` where not even a start is left: nothing is compared then, so nothing would be missed. */
export function requireRowsLeft(path: string): void {
  const { state } = replayJournal(path);
  const isRewound = state.restored !== undefined || journalDoubt(path)?.kind === 'rewound';
  if (!isRewound || state.sessions.size > 0) return;
  const text = `${path}: no row is left of what was traded; only \`run\`, with the same arguments as before, takes in what the exchange shows`;
  throw journalErrors.make(REWOUND, text, { path });
}
