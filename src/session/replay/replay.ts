/** The determinism check: replays a session and compares its decisions. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Action } from '../../model/trading/action.ts';
import type { Logger } from '../../model/ports.ts';
import { actionLine, compareActions, parseActionLine, type ActionComparison } from '../decisions/action-log.ts';
import type { Config } from '../config/schema.ts';
import { isRunning } from '../store/is-running.ts';
import { decisionsOf, earlierDecisions, rerun, strategiesOf } from '../rerun.ts';
import { sessionFiles, type SessionFolder } from '../store/store.ts';
import { changedSince } from './changed-since.ts';
import { instantOf, lastInput, reasonOf, type ExplainedDifference } from './difference.ts';
import { playRecording } from './player.ts';
import { lastProcess, type ProcessRecording } from './session-inputs.ts';

export interface ReplayReport extends Omit<ActionComparison, 'first'> {
  readonly session: string;
  /** `recorded`: account events of the recording. `simulated`: of a simulated venue, fills compared too. */
  readonly account: 'recorded' | 'simulated';
  /** Null with a recorded account. */
  readonly fills: { readonly session: number; readonly backtest: number } | null;
  readonly first: ExplainedDifference | null;
  readonly warnings: readonly string[];
}

export interface ReplayOptions {
  readonly folder: SessionFolder;
  readonly config: Config;
  readonly logger: Logger;
  readonly simulate?: boolean;
}

interface Replayed {
  readonly account: ReplayReport['account'];
  readonly fills: ReplayReport['fills'];
  readonly again: readonly string[];
  readonly warnings: readonly string[];
  /** Unix ms up to which a killed or running session is complete. */
  readonly wholeUntil: number;
}

/** Decisions and recording of a killed process may differ at the end. */
const TORN_MS = 20;

/** Throws `nothing_to_replay`, `replay_unreadable`, and errors of its sources. */
export async function replaySession(options: ReplayOptions): Promise<ReplayReport> {
  const { folder } = options;
  const { id, pid } = folder.record;
  const recording = join(folder.path, sessionFiles.recording);
  const running = isRunning(folder);
  const process = options.simulate === true ? null : await lastProcess(recording);
  // After the recording: a running session has all compared decisions.
  const made = decisionsOf(folder);
  const replayed = process?.start.account === true ? await shown(options, process) : await simulated(options);
  const { account, fills, again, warnings, wholeUntil } = replayed;
  const known = (line: string): boolean => parseActionLine(line).ts <= wholeUntil;
  const left = made.filter(known);
  const { first, ...comparison } = compareActions(left, again.filter(known));
  const unknown = made.length - left.length;
  const earlier = earlierDecisions(folder);
  return {
    session: id,
    ...comparison,
    account,
    fills,
    first:
      first === null
        ? null
        : {
            ...first,
            at: instantOf(first),
            input: await lastInput(recording, instantOf(first)),
            reason: reasonOf(first, warnings),
          },
    warnings: [
      ...(running ? [`${id} still runs (process ${pid}): what it had recorded by now was compared`] : []),
      ...warnings,
      ...(earlier > 0 ? [`${earlier} decisions of earlier processes of the session are not compared`] : []),
      ...(unknown > 0 ? [`${unknown} decisions are left out: ${whyUnknown(running)}`] : []),
    ],
  };
}

function whyUnknown(running: boolean): string {
  return running ? 'their time is not recorded yet' : 'the session was killed before it had recorded their time';
}

function collector(): {
  readonly lines: string[];
  readonly add: (ts: number, tag: string, acts: readonly Action[]) => void;
} {
  const lines: string[] = [];
  return { lines, add: (ts, tag, acts) => void lines.push(...acts.map((action) => actionLine(ts, tag, action))) };
}

async function shown({ folder, config, logger }: ReplayOptions, recording: ProcessRecording): Promise<Replayed> {
  const strategies = await strategiesOf(recording.start.strategies, config);
  const changed = changedSince(recording.ranWith, strategies);
  const { lines, add } = collector();
  const lost = await playRecording({ recording, strategies, logger, onActions: add });
  return {
    account: 'recorded',
    fills: null,
    again: lines,
    warnings: [...changed, ...lost],
    wholeUntil: folder.record.decidingTo === null ? recording.lastUs / 1000 - TORN_MS : Infinity,
  };
}

async function simulated({ folder, config, logger }: ReplayOptions): Promise<Replayed> {
  const { lines, add } = collector();
  const isPaper = folder.record.mode === 'paper';
  const run = await rerun({ folder, config, logger, asPaper: isPaper, onActions: add });
  return {
    account: 'simulated',
    fills: { session: sessionFills(folder), backtest: run.result.fills.length },
    again: lines,
    warnings: [...(isPaper ? [] : ['what the exchange made of the orders was simulated']), ...run.grave],
    wholeUntil: Infinity,
  };
}

function sessionFills(folder: SessionFolder): number {
  const file = join(folder.path, sessionFiles.result);
  if (!existsSync(file)) return 0;
  const { fills } = JSON.parse(readFileSync(file, 'utf8')) as { fills?: readonly unknown[] };
  return fills?.length ?? 0;
}
