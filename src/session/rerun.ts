/** A session as a backtest over its recording. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../model/ports.ts';
import { parseActionLine } from './decisions/action-log.ts';
import type { BacktestOptions } from './backtest-options.ts';
import { backtest, type BacktestRun } from './backtest.ts';
import type { Config, StrategyEntry } from './config/schema.ts';
import { sessionErrors } from './errors.ts';
import { recallParams } from '../strategy/loading/params.ts';
import { changedSince } from './replay/changed-since.ts';
import { resumedWith } from './replay/resumed-with.ts';
import { inputsOfRecording } from './replay/recorded-inputs.ts';
import { inModeOf } from './connection/position-mode.ts';
import { sessionFiles, type SessionFolder, type SessionRecord } from './store/store.ts';
import { entryFor, prepareStrategies, type PreparedStrategy } from './strategies.ts';

type Named = Pick<SessionRecord['strategies'][number], 'file' | 'tag' | 'params'>;

/** Current files with the session's parameters. */
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

/** By tag, since entries may share a file. */
function entryOf({ strategies }: Config, file: string, tag: string): StrategyEntry | undefined {
  const sameFile = strategies.filter((entry) => entry.file === file);
  return (
    strategies.find((entry) => entry.tag === tag) ?? sameFile.find((entry) => entry.tag === undefined) ?? sameFile[0]
  );
}

/** `strategies`: another version. */
export interface RerunOptions {
  readonly folder: SessionFolder;
  readonly config: Config;
  readonly logger: Logger;
  readonly strategies?: readonly PreparedStrategy[];
  readonly asPaper?: boolean;
  readonly onActions?: BacktestOptions['onActions'];
}

/** Throws `nothing_to_replay`, and errors of its sources. */
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
  const { signals, warmup, ranWith } = await inputsOfRecording(join(path, sessionFiles.recording));
  const prepared = strategies ?? (await strategiesOf(record.strategies, config));
  const { values, warnings } = resumedWith(path, record.strategies, decidingFrom);
  const changed = ranWith === null ? [] : changedSince(ranWith, prepared);
  const run = await backtest({
    config: inModeOf(path, config),
    strategies: prepared,
    data: [join(path, sessionFiles.recording)],
    seed: record.seed,
    repeat: 1,
    ...(signals === null ? {} : { signals }),
    ...(warmup.size === 0 ? {} : { warmup }),
    asReceived: true,
    ...(asPaper === true ? { asPaper } : {}),
    logger,
    startAtMs: decidingFrom,
    values,
    ...(decidingTo === null ? {} : { stopAtMs: decidingTo }),
    ...(onActions === undefined ? {} : { onActions }),
  });
  return { ...run, grave: [...changed, ...warnings, ...run.grave] };
}

/** Since the session's last start. Throws `nothing_to_replay`. */
export function decisionsOf(folder: SessionFolder): readonly string[] {
  return decisionLines(folder).last;
}

/** Of processes before the last one. */
export function earlierDecisions(folder: SessionFolder): number {
  return decisionLines(folder).earlier;
}

function decisionLines(folder: SessionFolder): { readonly last: readonly string[]; readonly earlier: number } {
  const file = join(folder.path, sessionFiles.actions);
  const { decidingFrom } = folder.record;
  if (!existsSync(file) || decidingFrom === null) throw undecided(folder);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const last = lines.filter((line) => parseActionLine(line).ts >= decidingFrom);
  return { last, earlier: lines.length - last.length };
}

function undecided({ record }: SessionFolder): Error {
  return sessionErrors.make('nothing_to_replay', `${record.id} has made no decision yet`, { session: record.id });
}
