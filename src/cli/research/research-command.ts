/** Options of `sweep` and `validate` about data, threads and files. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Clock } from '../../model/ports.ts';
import { LEDGER_PATH } from '../../research/ledger/trial-ledger.ts';
import { loadConfig } from '../../session/config/load.ts';
import type { Config } from '../../session/config/schema.ts';
import { jsonPieces } from '../../session/result/json-pieces.ts';
import { createSystemClock } from '../../session/clock/system-clock.ts';
import { parseParamTexts } from '../../strategy/loading/params.ts';
import type { CliIo } from '../command.ts';
import {
  configSource,
  durationOption,
  repeated,
  seedOption,
  START_OPTION,
  startOption,
  timeOption,
  withStart,
} from '../config-option.ts';
import { writeOutput } from '../terminal/output-file.ts';
import { workersOption } from './space-file.ts';

const TRIAL_TIMEOUT_MS = 600_000;

export interface ResearchOptions {
  readonly data: readonly string[];
  readonly workers?: string;
  readonly timeout?: string;
  readonly from?: string;
  readonly to?: string;
  readonly param?: readonly string[];
  readonly config?: string;
  readonly report?: string;
  readonly result?: string;
  readonly start?: string;
  readonly seed?: string;
}

export function withResearchOptions(command: Command): Command {
  return command
    .option('--workers <N>', 'threads; all cores by default')
    .option('--timeout <DURATION>', 'a trial that takes longer has failed; 10m by default')
    .option('--from <TIME>', 'start, ISO 8601 or Unix ms')
    .option('--to <TIME>', 'end, exclusive')
    .option('--param <k=v>', 'a parameter of the strategy that is not searched; repeatable', repeated)
    .option('--config <FILE>', 'configuration file')
    .option(...START_OPTION)
    .option('--report <FILE>', 'write the HTML page')
    .option('--result <FILE>', 'write everything as JSON')
    .option('--seed <N>', 'seed of everything random', '1');
}

export interface ResearchGround {
  readonly config: Config;
  readonly params: Readonly<Record<string, string>>;
  readonly data: readonly string[];
  readonly startCurrencies: readonly string[];
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly seed: number;
  readonly workers: number;
  readonly trialTimeoutMs: number;
  readonly ledger: string;
  readonly clock: Clock;
  /** True after Ctrl-C. */
  readonly stopped: () => boolean;
}

/** @throws `bad_option`, and configuration errors. */
export function researchGround(io: CliIo, options: ResearchOptions): ResearchGround {
  const config = withStart(loadConfig(configSource(io, options.config)).config, options.start);
  const fromMs = timeOption('from', options.from);
  const toMs = timeOption('to', options.to);
  let interrupted = false;
  void io.interrupted.then(() => (interrupted = true));
  return {
    config,
    params: parseParamTexts(options.param ?? []),
    data: options.data.map((path) => resolve(io.cwd, path)),
    startCurrencies: Object.keys(startOption(options.start) ?? {}),
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
    seed: seedOption(options.seed) ?? 1,
    workers: workersOption(options.workers),
    trialTimeoutMs: durationOption('timeout', options.timeout) ?? TRIAL_TIMEOUT_MS,
    ledger: resolve(io.cwd, LEDGER_PATH),
    clock: createSystemClock(),
    stopped: () => interrupted,
  };
}

interface WithFiles {
  readonly files: { readonly report: string | null; readonly result: string | null };
}

export function writeFiles<Result extends WithFiles>(
  io: CliIo,
  options: Pick<ResearchOptions, 'report' | 'result'>,
  result: Result,
  render: (result: Result) => string,
): Result {
  const report = options.report === undefined ? null : resolve(io.cwd, options.report);
  const file = options.result === undefined ? null : resolve(io.cwd, options.result);
  const named: Result = { ...result, files: { report, result: file } };
  if (report !== null) writeOutput(report, render(named));
  if (file !== null) writeOutput(file, jsonPieces(named));
  return named;
}
