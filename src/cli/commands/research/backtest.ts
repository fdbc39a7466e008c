/**
 * `tidewire backtest`: strategies over recordings, with a result file and an HTML report.
 */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, sayError, type BuildCommand, type CliIo, type CommandResult } from '../../command.ts';
import {
  configSource,
  durationOption,
  repeated,
  seedOption,
  START_OPTION,
  timeOption,
  startOption,
  withStart,
} from '../../config-option.ts';
import { LOCKBOX_HELP, lockboxOption } from '../../research/lockbox-option.ts';
import { writeOutput } from '../../terminal/output-file.ts';
import { progressBar } from '../../terminal/progress-bar.ts';
import type { ResearchOptions } from '../../research/research-command.ts';
import { resultText } from '../../research/result-text.ts';
import { counted } from '../../../research/ledger/counted.ts';
import { LEDGER_PATH } from '../../../research/ledger/trial-ledger.ts';
import { lockboxOf, splitOf } from '../../../research/lockbox.ts';
import { backtest } from '../../../session/backtest.ts';
import { loadConfig } from '../../../session/config/load.ts';
import type { Config } from '../../../session/config/schema.ts';
import { sessionErrors } from '../../../session/errors.ts';
import { jsonPieces } from '../../../session/result/json-pieces.ts';
import { createLogger } from '../../../session/store/logger.ts';
import { createSystemClock } from '../../../session/clock/system-clock.ts';
import { summaryOf, type BacktestResult } from '../../../session/result/result.ts';
import { readSignals } from '../../../session/signals/recorded-signals.ts';
import { entriesOf, prepareStrategies } from '../../../session/strategies.ts';
import { superviseReplay, type ReplaySupervisor } from '../../../session/supervisor/supervisor.ts';
import { parseParamTexts } from '../../../strategy/loading/params.ts';
import { refuseJson, watchSources } from '../../sessions/source-watch.ts';
import { afterTypes, checkTypes } from '../../type-check.ts';
import { keepHeapNarrow, keepYoungGeneration } from '../../heap-growth.ts';

interface Options extends Omit<ResearchOptions, 'workers' | 'timeout'> {
  readonly repeat?: string;
  readonly plain?: boolean;
  readonly sample?: string;
  readonly lockbox?: string;
  readonly withoutLockbox?: boolean;
  readonly strict?: boolean;
  readonly watch?: boolean;
  readonly signalFile?: string;
  readonly json?: boolean;
}

function repeatOption(text: string | undefined): number {
  if (text === undefined) return 1;
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw sessionErrors.make('bad_option', `--repeat ${text} is not a whole number of 1 or more`, { option: 'repeat' });
}

async function writeFiles(io: CliIo, options: Options, result: BacktestResult): Promise<BacktestResult> {
  const report = options.report === undefined ? null : resolve(io.cwd, options.report);
  const file = options.result === undefined ? null : resolve(io.cwd, options.result);
  const named: BacktestResult = { ...result, files: { report, result: file } };
  if (report !== null) {
    const { renderReport } = await import('../../../research/report/render.ts');
    writeOutput(report, renderReport(named));
  }
  if (file !== null) writeOutput(file, jsonPieces(named));
  return named;
}

async function once(io: CliIo, file: string | undefined, options: Options): Promise<CommandResult> {
  const { config: configured } = loadConfig(configSource(io, options.config));
  const named = entriesOf({ file, entries: configured.strategies });
  const supervisor = superviseReplay(
    named.map((entry) => ({ tag: entry.tag ?? entry.file, files: [resolve(entry.file)] })),
  );
  try {
    return await supervised(io, file, options, withStart(configured, options.start), supervisor);
  } finally {
    await supervisor.stop();
  }
}

async function supervised(
  io: CliIo,
  file: string | undefined,
  options: Options,
  config: Config,
  supervisor: ReplaySupervisor,
): Promise<CommandResult> {
  const params = parseParamTexts(options.param ?? []);
  const fromMs = timeOption('from', options.from);
  const asked = timeOption('to', options.to);
  const sampleMs = durationOption('sample', options.sample);
  const strategies = await prepareStrategies({ file, params, entries: config.strategies });
  const repeat = repeatOption(options.repeat);
  const signals = options.signalFile === undefined ? undefined : readSignals(resolve(io.cwd, options.signalFile));
  const data = options.data.map((path) => resolve(io.cwd, path));
  const lockboxShare = lockboxOption(options.lockbox);
  const startCurrencies = Object.keys(startOption(options.start) ?? {});
  const ground = {
    config,
    data,
    startCurrencies,
    lockboxShare,
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(asked === undefined ? {} : { toMs: asked }),
  };
  const split = options.withoutLockbox === true ? await splitOf(ground) : null;
  const toMs = split === null ? asked : split.research.to;
  const types = checkTypes(strategies.map((strategy) => strategy.file));
  keepYoungGeneration();
  const bar = progressBar(io, 'loading');
  const run = await backtest({
    config,
    strategies,
    data,
    startCurrencies,
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
    ...(sampleMs === undefined ? {} : { sampleMs }),
    seed: seedOption(options.seed) ?? 1,
    repeat,
    plain: options.plain === true,
    ...(signals === undefined ? {} : { signals }),
    steps: supervisor.steps,
    logger: createLogger({ level: 'info', write: afterTypes(types, io.err), strategyLines: 100 }),
    loading: (fraction) => bar.update(fraction),
    loaded: keepHeapNarrow,
  }).finally(() => bar.stop());
  await supervisor.stop();
  const problems = await types;
  // Repeated data is a measurement, not a trial.
  const trial =
    repeat > 1
      ? run.result
      : counted(
          run,
          resolve(io.cwd, LEDGER_PATH),
          Math.round(createSystemClock().now()),
          split?.lockbox ?? lockboxOf({ from: run.trial.period.from, to: run.trial.dataTo }, lockboxShare),
        );
  // The run was asked for a shorter period, and knows nothing of the user's end.
  const cut = (split?.warnings ?? []).filter((warning) => !trial.warnings.includes(warning));
  const result = await writeFiles(io, options, {
    ...trial,
    warnings: [...problems, ...(signals?.warnings ?? []), ...cut, ...trial.warnings],
  });
  const strict = options.strict === true;
  if (strict && run.grave.length > 0)
    io.err(`error strict_warnings: ${run.grave.join('; ')}\n  ${sessionErrors.rows.strict_warnings.remedy}\n`);
  const exit = strict && problems.length > 0 ? 2 : strict && run.grave.length > 0 ? 5 : run.failures.size > 0 ? 1 : 0;
  return { json: summaryOf(result), text: resultText(io, result), exit };
}

/** Until a signal ends the process. A broken file is reported, and its next change awaited. */
async function watched(io: CliIo, file: string | undefined, options: Options): Promise<never> {
  refuseJson(options);
  const { config } = loadConfig(configSource(io, options.config));
  const files = entriesOf({ file, entries: config.strategies }).map((entry) => resolve(entry.file));
  const watch = watchSources(files, createSystemClock());
  for (;;) {
    try {
      const { text } = await once(io, file, options);
      io.out(`${text}\n`);
    } catch (thrown) {
      sayError(io, thrown);
    }
    io.err('waiting for a change of the strategy; Ctrl-C ends\n');
    await watch.changed();
  }
}

export const build: BuildCommand = (io) =>
  new Command('backtest')
    .description('Run a strategy over recordings, on the same order path as paper and live.')
    .argument('[strategy]', 'strategy file; those of the configuration by default')
    .requiredOption('--data <PATH...>', 'recordings, tapes, or folders of them')
    .option('--from <TIME>', 'start, ISO 8601 or Unix ms')
    .option('--to <TIME>', 'end, exclusive')
    .option('--param <k=v>', 'a parameter of the strategy; repeatable', repeated)
    .option('--config <FILE>', 'configuration file')
    .option(...START_OPTION)
    .option('--report <FILE>', 'write the HTML report')
    .option('--result <FILE>', 'write the whole result as JSON')
    .option('--seed <N>', 'seed of everything random', '1')
    .option('--sample <DURATION>', 'period of returns; one UTC day by default')
    .option('--without-lockbox', 'leave out the end of the data, so that validate has an unseen part left')
    .option('--lockbox <PCT>', LOCKBOX_HELP)
    .option('--signal-file <FILE>', 'signals for the strategies: JSON lines, each delivered at its ts')
    .option('--watch', 'run again whenever a strategy file or a local import of it changes')
    .option('--repeat <N>', 'the data N times, only for measuring')
    .option('--plain', 'deliver every event at its time: slower, the same result')
    .option('--strict', 'a warning that touches results ends with exit code 5, a type error with 2')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire backtest strategies/spread-maker.ts --data data/sample --without-lockbox --report report.html --param halfSpreadBps=2',
    )
    .action(
      action(io, async (file: string | undefined, options: Options) =>
        options.watch === true ? watched(io, file, options) : once(io, file, options),
      ),
    );
