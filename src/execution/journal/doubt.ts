/**
 * What the witness of a journal has to say against it, read without writing, also beside a running session: for `doctor`,
 * `plan`, `journal verify` and whoever is about to start. What a start makes of it is written in `sqlite-store.ts`.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isTidewireError } from '../../model/errors.ts';
import { hashOfRow } from './rows.ts';
import { JOURNAL_FILE } from './sqlite-store.ts';
import { journalPath, openReadonly } from './verify.ts';
import { readWitness, REWOUND, rewoundBecause, type Testimony } from './witness.ts';

export type JournalDoubt =
  /** The next start takes no new risk until somebody has acknowledged it. `brokenAt`: the first row that is not what was told. */
  | { readonly kind: 'rewound'; readonly message: string; readonly because: string; readonly brokenAt: number }
  /** Whether rows are lost is not known. */
  | { readonly kind: 'unreadable'; readonly message: string };

/** `place`: a session folder, or a journal; a file of another name has no witness. Throws as `openReadonly` does. */
export function journalDoubt(place: string): JournalDoubt | null {
  const path = existsSync(place) && statSync(place).isFile() ? place : join(place, JOURNAL_FILE);
  if (basename(path) !== JOURNAL_FILE) return null;
  // The witness first: a session that runs goes on beside us, and its journal is never behind.
  const told = readWitness(path);
  if (told.kind === 'none') return null;
  if (told.kind === 'unreadable')
    return { kind: 'unreadable', message: `the witness of ${path} cannot be read: ${told.reason}` };
  try {
    return against(told, journalPath(path));
  } catch (thrown) {
    if (!isTidewireError(thrown) || thrown.code !== REWOUND) throw thrown;
    return { kind: 'rewound', message: thrown.message, because: 'the journal is gone', brokenAt: 1 };
  }
}

function against(told: Extract<Testimony, { kind: 'row' }>, path: string): JournalDoubt | null {
  const db = openReadonly(path);
  try {
    const last = db.prepare<[], number | null>('SELECT max(seq) FROM journal').pluck().get() ?? 0;
    const because = rewoundBecause(told, last, (seq) => hashOfRow(db, seq));
    if (because === null) return null;
    return { kind: 'rewound', message: `${path}: ${because}`, because, brokenAt: Math.min(last + 1, told.tail.seq) };
  } finally {
    db.close();
  }
}
