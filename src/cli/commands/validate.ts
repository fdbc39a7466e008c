/** `tidewire validate`: walk-forward, overfitting statistics, execution stress, look-ahead proof, one verdict. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { LEDGER_PATH } from '../../research/ledger/trial-ledger.ts';
import { renderValidation } from '../../research/validate/report/render.ts';
import type { ValidationResult } from '../../research/validate/result.ts';
import { validate } from '../../research/validate/validate.ts';
import { loadConfig } from '../../session/config/load.ts';
import { sessionErrors } from '../../session/errors.ts';
import { createSystemClock } from '../../session/system-clock.ts';
import type { WalkForwardMode } from '../../statistics/overfitting/walk-forward.ts';
import { parseParamTexts } from '../../strategy/params.ts';
import { action, type BuildCommand, type CliIo } from '../command.ts';
import { configSource, durationOption, repeated, seedOption, timeOption } from '../config-option.ts';
import { progressBar } from '../progress-bar.ts';
import { countOption, methodOption, spaceFile, workersOption } from '../space-file.ts';
import { validationText } from '../validation-text.ts';
import { writeOutput } from './backtest.ts';

interface Options {
  readonly data: readonly string[];
  readonly space?: string;
  readonly method: string;
  readonly trials?: string;
  readonly walkForward: string;
  readonly folds?: string;
  readonly purge?: string;
  readonly embargo?: string;
  readonly lockbox?: string;
  readonly openLockbox?: boolean;
  readonly workers?: string;
  readonly timeout?: string;
  readonly from?: string;
  readonly to?: string;
  readonly param?: readonly string[];
  readonly config?: string;
  readonly report?: string;
  readonly result?: string;
  readonly seed?: string;
}

const FOLDS = 4;
const LOCKBOX_PERCENT = 20;
const TRIAL_TIMEOUT_MS = 600_000;
const MODES: readonly WalkForwardMode[] = ['rolling', 'anchored', 'purged'];

function walkOption(text: string): WalkForwardMode {
  const mode = MODES.find((name) => name === text);
  if (mode !== undefined) return mode;
  const message = `--walk-forward ${text} is none of ${MODES.join(', ')}`;
  throw sessionErrors.make('bad_option', message, { option: 'walk-forward' });
}

function lockboxOption(text: string | undefined): number {
  const percent = text === undefined ? LOCKBOX_PERCENT : Number(text);
  if (percent > 0 && percent <= 50) return percent / 100;
  throw sessionErrors.make('bad_option', `--lockbox ${text} is not a percentage above 0 and up to 50`, {
    option: 'lockbox',
  });
}

function writeFiles(io: CliIo, options: Options, result: ValidationResult): ValidationResult {
  const report = options.report === undefined ? null : resolve(io.cwd, options.report);
  const file = options.result === undefined ? null : resolve(io.cwd, options.result);
  const named: ValidationResult = { ...result, files: { report, result: file } };
  if (report !== null) writeOutput(report, renderValidation(named));
  if (file !== null) writeOutput(file, `${JSON.stringify(named)}\n`);
  return named;
}

export const build: BuildCommand = (io) =>
  new Command('validate')
    .description('Say how good the evidence for a strategy is: one verdict, and what it rests on.')
    .argument('[strategy]', 'strategy file; that of the configuration by default')
    .requiredOption('--data <PATH...>', 'recordings, tapes, or folders of them')
    .option('--space <FILE>', 'search this space first (see sweep), and validate the best with all its trials')
    .option('--method <NAME>', 'method of that search', 'sobol')
    .option('--trials <N>', 'trials of that search; 100 by default')
    .option('--walk-forward <MODE>', `one of ${MODES.join(', ')}`, 'rolling')
    .option('--folds <N>', `test parts of the walk; ${FOLDS} by default`)
    .option('--purge <DURATION>', 'left out of training before each test part')
    .option('--embargo <DURATION>', 'left out of training after each test part')
    .option('--lockbox <PERCENT>', `kept at the end of the data; ${LOCKBOX_PERCENT} by default`)
    .option('--open-lockbox', 'look into it: once, at the very end; every opening is counted')
    .option('--workers <N>', 'threads; all cores by default')
    .option('--timeout <DURATION>', 'a trial that takes longer has failed; 10m by default')
    .option('--from <TIME>', 'start, ISO 8601 or Unix ms')
    .option('--to <TIME>', 'end, exclusive')
    .option('--param <k=v>', 'a parameter of the strategy; repeatable', repeated)
    .option('--config <FILE>', 'configuration file')
    .option('--report <FILE>', 'write the HTML page')
    .option('--result <FILE>', 'write everything as JSON')
    .option('--seed <N>', 'seed of everything random', '1')
    .addHelpText(
      'after',
      '\nExit code 5 when decisions depend on data that come after them.\n\nExample:\n  npx tidewire validate strategies/spread-maker.ts --data data/sample --space config/spread-maker.space.yaml --trials 32 --report validation.html',
    )
    .action(
      action(io, async (file: string | undefined, options: Options) => {
        const { config } = loadConfig(configSource(io, options.config));
        const fromMs = timeOption('from', options.from);
        const toMs = timeOption('to', options.to);
        const trials = countOption('trials', options.trials);
        const method = methodOption(options.method);
        let interrupted = false;
        void io.interrupted.then(() => (interrupted = true));
        const bar = progressBar(io, 'validating');
        const found = await validate({
          file,
          params: parseParamTexts(options.param ?? []),
          config,
          data: options.data.map((path) => resolve(io.cwd, path)),
          ...(fromMs === undefined ? {} : { fromMs }),
          ...(toMs === undefined ? {} : { toMs }),
          seed: seedOption(options.seed) ?? 1,
          ...(options.space === undefined
            ? {}
            : { search: { space: spaceFile(io, options.space), method, ...(trials === undefined ? {} : { trials }) } }),
          walk: {
            mode: walkOption(options.walkForward),
            folds: countOption('folds', options.folds) ?? FOLDS,
            purgeMs: durationOption('purge', options.purge) ?? 0,
            embargoMs: durationOption('embargo', options.embargo) ?? 0,
          },
          lockboxShare: lockboxOption(options.lockbox),
          openLockbox: options.openLockbox === true,
          workers: workersOption(options.workers),
          trialTimeoutMs: durationOption('timeout', options.timeout) ?? TRIAL_TIMEOUT_MS,
          ledger: resolve(io.cwd, LEDGER_PATH),
          clock: createSystemClock(),
          progress: (fraction) => bar.update(fraction),
          stopped: () => interrupted,
        }).finally(() => bar.stop());
        const result = writeFiles(io, options, found);
        return { json: result, text: validationText(io, result), exit: result.lookAhead.ok ? 0 : 5 };
      }),
    );
