/**
 * The determinism proof: a session's recording goes through the same strategies in virtual time, and the decisions are
 * compared with those that were made, one by one. What differs first is shown, not judged away.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../model/ports.ts';
import { actionLine, compareActions, parseActionLine, type ActionComparison } from './action-log.ts';
import { backtest, type BacktestOptions, type BacktestRun } from './backtest.ts';
import type { Config } from './config/schema.ts';
import { sessionErrors } from './errors.ts';
import { sessionFiles, type SessionFolder } from './store.ts';
import { prepareStrategies, type PreparedStrategy } from './strategies.ts';

export interface ReplayReport extends ActionComparison {
  readonly session: string;
  /** Fills of the session and of the backtest. */
  readonly fills: { readonly session: number; readonly backtest: number };
  readonly runHash: string | null;
}

async function strategiesOf(folder: SessionFolder, config: Config): Promise<readonly PreparedStrategy[]> {
  const prepared: PreparedStrategy[] = [];
  for (const { file, tag, params } of folder.record.strategies) {
    const entry = config.strategies.find((other) => other.tag === tag || other.file === file);
    const [one] = await prepareStrategies({
      file,
      params: {},
      entries: entry === undefined ? [] : [{ ...entry, params }],
    });
    if (one !== undefined) prepared.push({ ...one, tag, params });
  }
  return prepared;
}

function sessionFills(folder: SessionFolder): number {
  const file = join(folder.path, sessionFiles.result);
  if (!existsSync(file)) return 0;
  const { fills } = JSON.parse(readFileSync(file, 'utf8')) as { fills?: readonly unknown[] };
  return fills?.length ?? 0;
}

/** What a session is run again with; `strategies` other than its own for a second version. */
export interface RerunOptions {
  readonly folder: SessionFolder;
  readonly config: Config;
  readonly logger: Logger;
  readonly strategies?: readonly PreparedStrategy[];
  /** The venue in receive time, as a paper session has it. */
  readonly asPaper?: boolean;
  readonly onActions?: BacktestOptions['onActions'];
}

/** The backtest of a session: its strategies over its recording, begun and stopped when they were. */
export async function rerun({
  folder,
  config,
  logger,
  strategies,
  asPaper,
  onActions,
}: RerunOptions): Promise<BacktestRun> {
  const { record, path } = folder;
  const { decidingFrom, decidingTo } = record;
  if (decidingFrom === null) {
    throw sessionErrors.make('nothing_to_replay', `${record.id} has made no decision yet`, { session: record.id });
  }
  return backtest({
    config,
    strategies: strategies ?? (await strategiesOf(folder, config)),
    data: [join(path, sessionFiles.recording)],
    seed: record.seed,
    repeat: 1,
    asReceived: true,
    ...(asPaper === true ? { asPaper } : {}),
    logger,
    startAtMs: decidingFrom,
    ...(decidingTo === null ? {} : { stopAtMs: decidingTo }),
    ...(onActions === undefined ? {} : { onActions }),
  });
}

/** The decisions since the session's last start, as they were made. Throws `nothing_to_replay`. */
export function decisionsOf({ record, path }: SessionFolder): readonly string[] {
  const file = join(path, sessionFiles.actions);
  const { decidingFrom } = record;
  if (!existsSync(file) || decidingFrom === null) {
    throw sessionErrors.make('nothing_to_replay', `${record.id} has made no decision yet`, { session: record.id });
  }
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && parseActionLine(line).ts >= decidingFrom);
}

export async function replaySession(folder: SessionFolder, config: Config, logger: Logger): Promise<ReplayReport> {
  const made = decisionsOf(folder);
  const again: string[] = [];
  const run = await rerun({
    folder,
    config,
    logger,
    asPaper: folder.record.mode === 'paper',
    onActions: (ts, tag, actions) => {
      for (const action of actions) again.push(actionLine(ts, tag, action));
    },
  });
  return {
    session: folder.record.id,
    ...compareActions(made, again),
    fills: { session: sessionFills(folder), backtest: run.result.fills.length },
    runHash: run.result.runHash,
  };
}
