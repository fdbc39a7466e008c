/** `tidewire sweep`: search the parameters of a strategy over recordings, on all cores, resumable. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { LEDGER_PATH } from '../../research/ledger/trial-ledger.ts';
import { methods } from '../../research/sweep/methods.ts';
import { renderSweep } from '../../research/sweep/report/render.ts';
import { summaryOfSweep, type SweepResult } from '../../research/sweep/result.ts';
import { sweep } from '../../research/sweep/sweep.ts';
import { loadConfig } from '../../session/config/load.ts';
import { createSystemClock } from '../../session/system-clock.ts';
import { parseParamTexts } from '../../strategy/params.ts';
import { action, type BuildCommand, type CliIo } from '../command.ts';
import { configSource, durationOption, repeated, seedOption, timeOption } from '../config-option.ts';
import { progressBar } from '../progress-bar.ts';
import { countOption, methodOption, spaceFile, workersOption } from '../space-file.ts';
import { sweepText } from '../sweep-text.ts';
import { writeOutput } from './backtest.ts';

interface Options {
  readonly data: readonly string[];
  readonly space: string;
  readonly method: string;
  readonly trials?: string;
  readonly workers?: string;
  readonly halving?: boolean;
  readonly timeout?: string;
  readonly from?: string;
  readonly to?: string;
  readonly param?: readonly string[];
  readonly config?: string;
  readonly report?: string;
  readonly result?: string;
  readonly seed?: string;
}

const TRIAL_TIMEOUT_MS = 600_000;

function writeFiles(io: CliIo, options: Options, result: SweepResult): SweepResult {
  const report = options.report === undefined ? null : resolve(io.cwd, options.report);
  const file = options.result === undefined ? null : resolve(io.cwd, options.result);
  const named: SweepResult = { ...result, files: { report, result: file } };
  if (report !== null) writeOutput(report, renderSweep(named));
  if (file !== null) writeOutput(file, `${JSON.stringify(named)}\n`);
  return named;
}

export const build: BuildCommand = (io) =>
  new Command('sweep')
    .description('Search the parameters of a strategy. Every trial is counted in the trial ledger.')
    .argument('[strategy]', 'strategy file; that of the configuration by default')
    .requiredOption('--data <PATH...>', 'recordings, tapes, or folders of them')
    .requiredOption('--space <FILE>', 'YAML: parameters, objectives, constraints')
    .option('--method <NAME>', `one of ${Object.keys(methods).join(', ')}`, 'tpe')
    .option('--trials <N>', '100 by default; of a grid all of it')
    .option('--workers <N>', 'threads; all cores by default')
    .option('--halving', 'try many on a part of the data, and only the best third further (grid, random, sobol)')
    .option('--timeout <DURATION>', 'a trial that takes longer has failed; 10m by default')
    .option('--from <TIME>', 'start, ISO 8601 or Unix ms')
    .option('--to <TIME>', 'end, exclusive')
    .option('--param <k=v>', 'a parameter that is not searched; repeatable', repeated)
    .option('--config <FILE>', 'configuration file')
    .option('--report <FILE>', 'write the HTML report')
    .option('--result <FILE>', 'write everything as JSON')
    .option('--seed <N>', 'seed of the search and of each trial', '1')
    .addHelpText(
      'after',
      '\nThe same command after an interruption goes on where it was.\n\nExample:\n  npx tidewire sweep strategies/spread-maker.ts --data data/sample --space config/spread-maker.space.yaml --trials 50 --report sweep.html',
    )
    .action(
      action(io, async (file: string | undefined, options: Options) => {
        const { config } = loadConfig(configSource(io, options.config));
        const fromMs = timeOption('from', options.from);
        const toMs = timeOption('to', options.to);
        const trials = countOption('trials', options.trials);
        const method = methodOption(options.method);
        const space = spaceFile(io, options.space);
        let interrupted = false;
        void io.interrupted.then(() => (interrupted = true));
        const bar = progressBar(io, 'searching');
        const found = await sweep({
          file,
          fixed: parseParamTexts(options.param ?? []),
          config,
          data: options.data.map((path) => resolve(io.cwd, path)),
          ...(fromMs === undefined ? {} : { fromMs }),
          ...(toMs === undefined ? {} : { toMs }),
          space,
          method,
          ...(trials === undefined ? {} : { trials }),
          seed: seedOption(options.seed) ?? 1,
          halving: options.halving === true,
          workers: workersOption(options.workers),
          trialTimeoutMs: durationOption('timeout', options.timeout) ?? TRIAL_TIMEOUT_MS,
          ledger: resolve(io.cwd, LEDGER_PATH),
          clock: createSystemClock(),
          onTrial: (done, of) => bar.update(done / of),
          stopped: () => interrupted,
        }).finally(() => bar.stop());
        const result = writeFiles(io, options, found);
        return { json: summaryOfSweep(result), text: sweepText(io, result), exit: result.counts.done === 0 ? 1 : 0 };
      }),
    );
