/** A session of which only its folder is known, or its `session.json`, as a list shows it. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { isLockHeld } from '../../session/store/is-running.ts';
import type { SessionRecord } from '../../session/store/store.ts';
import type { SessionSummary } from '../schemas/session.ts';

type Known = Pick<SessionRecord, 'id' | 'mode' | 'exchange' | 'account' | 'startedAt' | 'endedAt' | 'strategies'>;

/** @param error why it cannot be read */
export function unreadableSummary(path: string, known: Known, currency: string, error: string): SessionSummary {
  const { id, mode, exchange, account, startedAt, endedAt, strategies } = known;
  const nothing = { equity: null, netPnl: null, heldDrift: null, today: null, spark: [], positions: [] };
  return {
    id,
    mode,
    state: 'unreadable',
    running: runs(path),
    pid: null,
    exchange,
    account,
    startedAt,
    endedAt,
    strategies: strategies.map(({ tag }) => ({ tag, state: 'stopped' as const })),
    currency,
    ...nothing,
    openOrders: 0,
    fills: 0,
    unresolved: 0,
    killed: null,
    gates: [],
    alarms: [],
    commandable: false,
    error,
    seq: 0,
  };
}

/** What the folder alone says of a session whose `session.json` cannot be read: its name begins with the mode. */
export function knownOfFolder(path: string): Known {
  const id = basename(path);
  return {
    id,
    mode: id.startsWith('live-') ? 'live' : 'paper',
    exchange: '',
    account: '',
    startedAt: statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0,
    endedAt: null,
    strategies: [],
  };
}

function runs(path: string): boolean {
  try {
    return isLockHeld(path);
  } catch {
    return false;
  }
}
