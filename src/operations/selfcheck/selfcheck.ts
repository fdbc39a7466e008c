/**
 * The self-assessment of a period out of the journals (reliability §2.7, 9, 10, 12 and 16): inventory of strategies and
 * versions, changes of limits, denials, alarms, overrides, interventions, use of limits, and whether each journal is whole.
 * A session whose journal cannot be read is in it as such. Called by the command `selfcheck`.
 */
import { readJournal, verifyJournal } from '../../execution/journal/verify.ts';
import { messageOf } from '../../model/errors.ts';
import type { SessionFolder } from '../../session/store.ts';
import { journalFacts, type JournalFacts } from './journal-facts.ts';

export interface SessionCheck {
  readonly session: string;
  readonly mode: string;
  readonly account: string;
  readonly exchange: string;
  readonly startedAt: number;
  /** Null: it could not be read, and `problems` says why. */
  readonly facts: JournalFacts | null;
  readonly problems: readonly string[];
}

export interface SelfCheck {
  readonly from: number;
  readonly to: number;
  readonly sessions: readonly SessionCheck[];
  /** True when every journal is whole and no session ended killed, latched or halted without somebody having taken it off. */
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

/** Interventions whose end is not on record. */
function standing({ interventions }: JournalFacts): readonly string[] {
  const open = new Map<string, string>();
  for (const { what, reason } of interventions) {
    const [, name = '', state] = /^(.*) (on|off)$/.exec(what) ?? [];
    if (state === 'on') open.set(name, reason);
    else open.delete(name);
  }
  return [...open].map(([name, reason]) => `${name} still on: ${reason}`);
}
