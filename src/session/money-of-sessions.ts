/**
 * Money of unknown fate in the journals of sessions that did not end in order: transfers and P2P of strategies. A start or
 * `reconcile` looks them up; on what no reading proves a human decides, in the journal of the session once that does not run.
 * Used by `tidewire money`.
 */
import { createExchangeTreasury } from '../exchange/treasury.ts';
import { openJournal } from '../execution/journal/sqlite-store.ts';
import { readJournal } from '../execution/journal/verify.ts';
import { replayRows } from '../execution/replay.ts';
import type { MoneyRecord } from '../execution/treasury/state.ts';
import { sessionErrors } from './errors.ts';
import { isRunning } from './is-running.ts';
import { moneyAccess, type MoneyOptions } from './money.ts';
import { listSessions, type SessionFolder } from './store.ts';

export interface SessionMoney {
  readonly folder: SessionFolder;
  readonly record: MoneyRecord;
}

export interface SessionOwner {
  readonly account: string;
  /** Address, as in `session.json`. */
  readonly exchange: string;
}

/** Newest session first. Throws what reading a journal throws: one that cannot be read may hold some. */
export function moneyInDoubt(root: string, { account, exchange }: SessionOwner): readonly SessionMoney[] {
  const left = listSessions(root).filter(
    ({ record }) =>
      record.mode === 'live' && !record.clean && record.account === account && record.exchange === exchange,
  );
  return left.flatMap((folder) =>
    replayRows(readJournal(folder.path))
      .state.money.unresolved()
      // What was never sent did not happen.
      .filter(({ fate }) => fate !== 'pending')
      .map((record) => ({ folder, record })),
  );
}

type Parts = Pick<MoneyOptions, 'exchange' | 'config' | 'clock' | 'logger'>;

/** False when it is settled by now. Throws `session_running`, and what opening the journal throws. */
export function decideInSession(
  { exchange, config, clock, logger }: Parts,
  { folder, record }: SessionMoney,
  verdict: 'happened' | 'absent',
  reason: string,
): boolean {
  if (isRunning(folder)) {
    const { id, pid } = folder.record;
    throw sessionErrors.make('session_running', `${id} runs in process ${pid}; stop it before you decide for it`);
  }
  const access = moneyAccess({
    folder: folder.path,
    journal: openJournal(folder.path, { durability: config.journal.durability }),
    facts: { mode: 'reconcile' },
    treasury: createExchangeTreasury({ exchange, p2pSocket: null, clock }),
    config,
    clock,
    logger,
  });
  try {
    return access.decide(record.intentId, verdict, reason);
  } finally {
    access.close();
  }
}
