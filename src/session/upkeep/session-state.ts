/** The state in a session's journal, also while it runs. */
import { dirname, join } from 'node:path';
import { replayJournal } from '../../journal/resume.ts';
import { strategyPosition } from '../../spine/positions.ts';
import { orderUpdate } from '../../spine/orders/own-order.ts';
import type { Trial } from '../../spine/trials.ts';
import type { StrategyPosition } from '../../model/trading/account.ts';
import type { OrderUpdate } from '../../model/trading/order.ts';
import { readLandmarks } from '../../journal/verify.ts';
import type { JournalRow, UnprotectedAbout } from '../../model/entries/journal.ts';
import { flattenKey } from '../../model/entries/order-entries.ts';
import { decimalText } from '../../model/numbers/money.ts';
import type { ProgramUpdate } from '../../model/trading/program.ts';
import { replayedBare, replayedProgram } from '../../execution/programs/replayed-programs.ts';
import type { Replay } from '../../spine/replay.ts';
import { isRunning } from '../store/is-running.ts';
import { shownProgram } from '../result/program-row.ts';
import type { ResultProgram } from '../result/result.ts';
import { readKillFile } from '../emergency/kill-file.ts';
import { isOfSession, panicOrders } from '../emergency/panic-ledger.ts';
import { standingOffers, type StandingOffers } from '../emergency/standing-offers.ts';
import { sessionWord, type SessionWord } from '../view/session-word.ts';
import { sessionFiles, type SessionFolder } from '../store/store.ts';

export interface SessionState {
  readonly id: string;
  readonly mode: string;
  readonly path: string;
  readonly exchange: string;
  readonly account: string;
  readonly startedAt: number;
  readonly state: SessionWord;
  readonly pid: number | null;
  readonly running: boolean;
  readonly clean: boolean;
  readonly boots: number;
  readonly rows: number;
  /** Also by an unheeded kill file. */
  readonly killed: string | null;
  /** Unix ms of the backup's end, until acknowledged. */
  readonly restored: number | null;
  readonly fills: number;
  /** Orders and money movements of unknown outcome. */
  readonly unresolved: number;
  /** Reasons, by strategy and by symbol. */
  readonly latches: Readonly<Record<string, string>>;
  readonly pauses: Readonly<Record<string, string>>;
  readonly halts: Readonly<Record<string, string>>;
  /** Strategies that threw since the last start, and what. */
  readonly stopped: Readonly<Record<string, string>>;
  readonly trials: readonly Trial[];
  readonly openOrders: readonly OrderUpdate[];
  /** Those that work. */
  readonly programs: readonly (Pick<ProgramUpdate, 'next' | 'waitsFor'> & ResultProgram)[];
  /** Positions that an alarm has named and that have no exit yet; quantities in base units. */
  readonly unprotected: readonly Omit<UnprotectedAbout, 'ref'>[];
  /** What `panic --flatten` sent, or may have sent, and the journal does not hold yet; signed quantities in base units. */
  readonly panicked: readonly { readonly strategy: string; readonly symbol: string; readonly quantity: string }[];
  readonly positions: readonly (StrategyPosition & { readonly tag: string })[];
  readonly p2p: StandingOffers;
  /** The same in every copy and restored backup of the session. */
  readonly origin: string;
}

const IN_DOUBT: readonly string[] = ['unknown', 'sending'];

export function unheeded(path: string): string | null {
  const reason = readKillFile(join(path, sessionFiles.kill));
  return reason === null ? null : `${reason} (the file ${sessionFiles.kill}, which no start has heeded yet)`;
}

export function sessionState(folder: SessionFolder): SessionState {
  const replay = replayJournal(folder.path);
  const { state, fills } = replay;
  const { record, path } = folder;
  const live = [...state.orders.allLive()].filter((order) => order.progress.state !== 'pending');
  const running = isRunning(folder);
  const killed = state.killReason ?? unheeded(path);
  const alarms = readLandmarks(path, 'alarm') ?? [];
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
    pauses: Object.fromEntries(state.pauses),
    halts: Object.fromEntries(state.halts),
    stopped: stoppedIn(path, alarms),
    trials: state.trials.open(),
    openOrders: live.map((order) => orderUpdate(order, state.lastTs)),
    programs: [...state.programs.working].map((program) => shownProgram(replayedProgram(replay, program))),
    unprotected: unprotectedIn(replay),
    panicked: panickedSince(folder, replay),
    p2p: standingOffers(state.money),
    origin: `${state.bornAt} ${state.sessions.values().next().value ?? record.id}`,
    positions: [...state.positions.all()]
      .filter(({ position }) => !position.quantity.isZero())
      .map((held) => ({ tag: held.strategy, ...strategyPosition(held, Math.abs(held.lots) < 1) })),
  };
}

function panickedSince({ path, record }: SessionFolder, { state }: Replay): SessionState['panicked'] {
  return panicOrders(dirname(path), record)
    .filter((order) => isOfSession(order, record.id) && !order.isRefused)
    .filter(({ strategy, id }) => !state.refs.isChosen(strategy, id))
    .map(({ strategy, symbol, quantity }) => ({ strategy, symbol, quantity: decimalText(quantity) }));
}

function stoppedIn(path: string, alarms: readonly JournalRow[]): SessionState['stopped'] {
  const began = readLandmarks(path, 'session')?.findLast(
    ({ entry }) => entry.kind === 'session' && entry.event === 'start',
  );
  return Object.fromEntries(
    alarms.flatMap(({ seq, entry }) =>
      entry.kind === 'alarm' && entry.strategy !== undefined && seq > (began?.seq ?? 0)
        ? [[entry.strategy, entry.message] as const]
        : [],
    ),
  );
}

/** Positions that an alarm has named and that have no exit. */
export function unprotectedIn(replay: Replay): SessionState['unprotected'] {
  return [...replay.state.unprotected.values()].flatMap(({ strategy, symbol }) => {
    // A start continues it.
    if (!replay.state.cleanStop && replay.state.flattening.has(flattenKey(strategy, symbol))) return [];
    const bare = replayedBare(replay, strategy, symbol);
    const instrument = replay.instruments.find(symbol);
    if (bare === 0 || instrument === undefined) return [];
    return [{ strategy, symbol, quantity: decimalText(instrument.exactQuantity(bare)) }];
  });
}
