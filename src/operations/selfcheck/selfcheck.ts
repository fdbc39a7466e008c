/**
 * The self-assessment of a period from the journals. Unreadable sessions are
 * listed too.
 */
import { readJournal, verifyJournal } from '../../journal/verify.ts';
import { messageOf } from '../../model/errors.ts';
import type { SessionFolder } from '../../session/store/store.ts';
import { journalFacts, type JournalFacts } from './journal-facts.ts';

export interface SessionCheck {
  readonly session: string;
  readonly mode: string;
  readonly account: string;
  readonly exchange: string;
  readonly startedAt: number;
  /** Null: unreadable, see `problems`. */
  readonly facts: JournalFacts | null;
  readonly problems: readonly string[];
}

export interface SelfCheck {
  readonly from: number;
  readonly to: number;
  readonly sessions: readonly SessionCheck[];
  /** Every journal is whole, and no kill, latch or halt was left on. */
  readonly ok: boolean;
  readonly problems: readonly string[];
}

export function selfCheck(folders: readonly SessionFolder[], from: number, to: number): SelfCheck {
  const sessions = folders
    .map((folder) => sessionCheck(folder, from, to))
    .filter(({ facts, problems }) => problems.length > 0 || (facts !== null && isActive(facts)));
  const problems = sessions.flatMap(({ session, problems: found }) => found.map((problem) => `${session}: ${problem}`));
  return { from, to, sessions, ok: problems.length === 0, problems };
}

function isActive({ boots, fills, orders }: JournalFacts): boolean {
  return boots > 0 || fills > 0 || Object.keys(orders).length > 0;
}

function sessionCheck({ path, record }: SessionFolder, from: number, to: number): SessionCheck {
  const { id, mode, account, exchange, startedAt } = record;
  const about = { session: id, mode, account, exchange, startedAt };
  try {
    const facts = journalFacts(readJournal(path), from, to);
    const { ok, brokenAt } = verifyJournal(path);
    const whole = ok ? [] : [`the journal is not whole (row ${brokenAt ?? 'unknown'})`];
    return { ...about, facts, problems: [...whole, ...standing(facts)] };
  } catch (thrown) {
    return { ...about, facts: null, problems: [`the journal cannot be read: ${messageOf(thrown)}`] };
  }
}

/** Interventions without a recorded end. */
function standing({ interventions }: JournalFacts): readonly string[] {
  const open = new Map<string, string>();
  for (const { what, reason } of interventions) {
    const [, name = '', state] = /^(.*) (on|off)$/.exec(what) ?? [];
    if (state === 'on') open.set(name, reason);
    else open.delete(name);
  }
  return [...open].map(([name, reason]) => `${name} still on: ${reason}`);
}
