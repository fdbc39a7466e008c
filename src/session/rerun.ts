/**
 * A session as a backtest: its strategies over its own recording, on the simulated venue, begun and stopped when they were.
 * `drift` and `shadow` compare with it; `replay` falls back on it for recordings that do not say what the strategies were
 * told of the account.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../model/ports.ts';
import { parseActionLine } from './action-log.ts';
import { backtest, type BacktestOptions, type BacktestRun } from './backtest.ts';
import type { Config, StrategyEntry } from './config/schema.ts';
import { sessionErrors } from './errors.ts';
import { recallParams } from '../strategy/params.ts';
import { inModeOf } from './position-mode.ts';
import { sessionFiles, type SessionFolder, type SessionRecord } from './store.ts';
import { entryFor, prepareStrategies, type PreparedStrategy } from './strategies.ts';

type Named = Pick<SessionRecord['strategies'][number], 'file' | 'tag' | 'params'>;

/** The strategies of a session as they are on the disk now, with the parameters that they had. */
export async function strategiesOf(named: readonly Named[], config: Config): Promise<readonly PreparedStrategy[]> {
  const prepared: PreparedStrategy[] = [];
  for (const { file, tag, params } of named) {
    const entry = entryOf(config, file, tag) ?? entryFor(file);
    const entries = [{ ...entry, file, params }];
    const [one] = await prepareStrategies({ file: undefined, params: {}, entries, resolve: recallParams });
    if (one !== undefined) prepared.push({ ...one, tag });
  }
  return prepared;
}

/** Several entries may run one file: what they are told apart by is the tag, and one without has that of its definition. */
function entryOf({ strategies }: Config, file: string, tag: string): StrategyEntry | undefined {
  const sameFile = strategies.filter((entry) => entry.file === file);
  return (
    strategies.find((entry) => entry.tag === tag) ?? sameFile.find((entry) => entry.tag === undefined) ?? sameFile[0]
  );
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

/** Throws `nothing_to_replay`, and what recordings and strategies throw. */
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
  if (decidingFrom === null) throw undecided(folder);
  return backtest({
    config: inModeOf(path, config),
    strategies: strategies ?? (await strategiesOf(record.strategies, config)),
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
export function decisionsOf(folder: SessionFolder): readonly string[] {
  const file = join(folder.path, sessionFiles.actions);
  const { decidingFrom } = folder.record;
  if (!existsSync(file) || decidingFrom === null) throw undecided(folder);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && parseActionLine(line).ts >= decidingFrom);
}

function undecided({ record }: SessionFolder): Error {
  return sessionErrors.make('nothing_to_replay', `${record.id} has made no decision yet`, { session: record.id });
}
