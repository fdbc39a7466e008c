/** A journal belongs to the account, mode and exchange that it first named. */
import type { Json } from '../model/json.ts';
import { journalErrors } from '../journal/errors.ts';
import { canonicalJson } from '../model/canonical.ts';

const SAME = ['account', 'mode', 'exchange'] as const;

type Facts = Readonly<Record<string, Json>> | undefined;

/** Throws `journal_foreign`. A process without an account is checked by its command. */
export function requireOwnJournal(owner: Facts, now: Facts): void {
  if (owner === undefined || now?.['account'] === undefined) return;
  for (const name of SAME) {
    const [had, has] = [owner[name], now[name]];
    if (had === undefined || has === undefined || had === has) continue;
    throw journalErrors.make(
      'journal_foreign',
      `the journal is of ${name} ${canonicalJson(had)}, this session of ${canonicalJson(has)}`,
    );
  }
}
