/**
 * What stands in the journal of a session, also while another process runs it: read only, rebuilt by the same replay
 * that a restart uses.
 */
import { join } from 'node:path';
import { Replay } from '../execution/replay.ts';
import { readJournal } from '../execution/journal/verify.ts';
import { strategyPosition } from '../execution/positions.ts';
import { orderUpdate } from '../execution/own-order.ts';
import type { Trial } from '../execution/trials.ts';
import type { StrategyPosition } from '../model/account.ts';
import type { OrderUpdate } from '../model/order.ts';
import { isRunning } from './is-running.ts';
import { readKillFile } from './kill-file.ts';
import { sessionWord, type SessionWord } from './session-word.ts';
import { sessionFiles, type SessionFolder } from './store.ts';

export interface SessionState {
  readonly id: string;
  readonly mode: string;
  readonly path: string;
  readonly exchange: string;
  readonly account: string;
  readonly startedAt: number;
  readonly state: SessionWord;
  /** Of the process that runs it; null when it does not run. */
  readonly pid: number | null;
  readonly running: boolean;
  readonly clean: boolean;
  readonly boots: number;
  readonly rows: number;
  /** Also by a kill file that no start has heeded yet. */
  readonly killed: string | null;
  /** Unix ms at which the backup ends that this journal was restored from, until somebody acknowledges it. */
  readonly restored: number | null;
  readonly fills: number;
  /** Orders and movements of money of unknown fate. */
  readonly unresolved: number;
  /** Strategy → why it is latched, and symbol → why it is halted: no new risk until a human says so. */
  readonly latches: Readonly<Record<string, string>>;
  readonly halts: Readonly<Record<string, string>>;
  /** Strategies whose version nobody has approved: they trade with a share of their limits. */
  readonly trials: readonly Trial[];
  readonly openOrders: readonly OrderUpdate[];
  readonly positions: readonly (StrategyPosition & { readonly tag: string })[];
}

const IN_DOUBT: readonly string[] = ['unknown', 'sending'];

/** Why the file `KILL` in the folder says to stop; null without one. The next start begins with the latch on. */
export function unheeded(path: string): string | null {
  const reason = readKillFile(join(path, sessionFiles.kill));
  return reason === null ? null : `${reason} (the file ${sessionFiles.kill}, which no start has heeded yet)`;
}

export function sessionState(folder: SessionFolder): SessionState {
  const replay = new Replay();
  let fills = 0;
  for (const row of readJournal(folder.path)) {
    replay.row(row);
    if (row.entry.kind === 'fill') fills++;
  }
  const { state } = replay;
  const { record, path } = folder;
  const live = [...state.orders.allLive()].filter((order) => order.progress.state !== 'pending');
  const running = isRunning(folder);
  const killed = state.killReason ?? unheeded(path);
  return {
    id: record.id,
    mode: record.mode,
    path,
    exchange: record.exchange,
    account: record.account,
    startedAt: record.startedAt,
    state: sessionWord(record, { running, killed: killed !== null }),
    pid: running ? record.pid : null,
    running,
    clean: record.clean,
    boots: record.boots,
    rows: replay.rows,
    killed,
    restored: state.restored?.since ?? null,
    fills,
    unresolved:
      live.filter((order) => IN_DOUBT.includes(order.progress.state)).length +
      state.money.unresolved().filter(({ fate }) => IN_DOUBT.includes(fate)).length,
    latches: Object.fromEntries(state.latches),
    halts: Object.fromEntries(state.halts),
    trials: state.trials.open(),
    openOrders: live.map((order) => orderUpdate(order, state.lastTs)),
    positions: [...state.positions.all()]
      .filter(({ position }) => !position.quantity.isZero())
      .map((held) => ({ tag: held.strategy, ...strategyPosition(held, Math.abs(held.lots) < 1) })),
  };
}
