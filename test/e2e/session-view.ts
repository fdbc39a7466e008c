/**
 * What a session's folder says, through the commands that a user has (`status --json`, `journal verify`) and through
 * the journal's rows.
 */
import { readJournal } from '../../src/journal/verify.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { callCli } from '../cli/call-cli.ts';
import type { Running } from './cli.ts';

export interface OpenOrder {
  readonly ref: string;
  readonly orderId: string | null;
  readonly symbol: string;
  readonly side: string;
  readonly price: string | null;
  readonly quantity: string;
  readonly filledQuantity: string;
  readonly state: string;
}

export interface SessionView {
  readonly id: string;
  /** Null when it does not run. */
  readonly pid: number | null;
  readonly path: string;
  readonly running: boolean;
  readonly clean: boolean;
  readonly killed: string | null;
  readonly boots: number;
  readonly rows: number;
  readonly fills: number;
  readonly unresolved: number;
  readonly openOrders: readonly OpenOrder[];
  readonly positions: readonly { readonly symbol: string; readonly quantity: string }[];
}

/** A session whose process has not come to open its journal yet. */
interface Unread {
  readonly id: string;
  readonly error: string;
}

export async function sessions(cwd: string, config: readonly string[] = []): Promise<readonly SessionView[]> {
  const { code, stdout, stderr } = await callCli(['status', '--all', '--json', ...config], cwd);
  if (code !== 0) throw new Error(stderr);
  const { sessions: rows } = JSON.parse(stdout) as { readonly sessions: readonly (SessionView | Unread)[] };
  return rows.filter((row): row is SessionView => {
    if ('error' in row && !row.error.startsWith('journal_not_found')) throw new Error(row.error);
    return !('error' in row);
  });
}

/** Waits until the newest session of the folder fits, while its process runs. */
export function sessionWhen(
  running: Running,
  cwd: string,
  what: string,
  fits: (session: SessionView) => boolean,
): Promise<SessionView> {
  return running.during(what, async () => {
    const [newest] = await sessions(cwd);
    return newest !== undefined && fits(newest) ? newest : undefined;
  });
}

export function entriesOf<Kind extends JournalEntry['kind']>(
  path: string,
  kind: Kind,
): readonly Extract<JournalEntry, { readonly kind: Kind }>[] {
  return [...readJournal(path)]
    .map((row) => row.entry)
    .filter((entry): entry is Extract<JournalEntry, { readonly kind: Kind }> => entry.kind === kind);
}
