/** What the witness says against a journal, read-only. */
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isTidewireError } from '../model/errors.ts';
import { hashOfRow } from './rows.ts';
import { JOURNAL_FILE } from './sqlite-store.ts';
import { reading } from './verify.ts';
import { readWitness, REWOUND, rewoundBecause } from './witness.ts';

export type JournalDoubt =
  /** Amnesia until acknowledged. `brokenAt`: first differing row. */
  | { readonly kind: 'rewound'; readonly message: string; readonly because: string; readonly brokenAt: number }
  | { readonly kind: 'unreadable'; readonly message: string };

/** Session folder or journal; other names have no witness. Throws as `openReadonly` does. */
export function journalDoubt(place: string): JournalDoubt | null {
  const path = existsSync(place) && statSync(place).isFile() ? place : join(place, JOURNAL_FILE);
  if (basename(path) !== JOURNAL_FILE) return null;
  // A running journal is never behind it.
  const told = readWitness(path);
  if (told.kind === 'none') return null;
  if (told.kind === 'unreadable')
    return { kind: 'unreadable', message: `the witness of ${path} cannot be read: ${told.reason}` };
  try {
    return reading(path, (db) => {
      const last = db.prepare<[], number | null>('SELECT max(seq) FROM journal').pluck().get() ?? 0;
      const because = rewoundBecause(told, last, (seq) => hashOfRow(db, seq));
      if (because === null) return null;
      return { kind: 'rewound', message: `${path}: ${because}`, because, brokenAt: Math.min(last + 1, told.tail.seq) };
    });
  } catch (thrown) {
    if (!isTidewireError(thrown) || thrown.code !== REWOUND) throw thrown;
    return { kind: 'rewound', message: thrown.message, because: 'the journal is gone', brokenAt: 1 };
  }
}
