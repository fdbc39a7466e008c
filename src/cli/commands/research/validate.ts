/** `tidewire validate`: walk-forward, overfitting statistics, execution stress, look-ahead proof, verdict. */
import { Command } from 'commander';
import { renderValidation } from '../../../research/validate/report/render.ts';
import { validate } from '../../../research/validate/validate.ts';
import { FOLDS } from '../../../research/validate/walk.ts';
import { sessionErrors } from '../../../session/errors.ts';
import type { WalkForwardMode } from '../../../statistics/overfitting/walk-forward.ts';
import { action, type BuildCommand } from '../../command.ts';
import { durationOption } from '../../config-option.ts';
import { LOCKBOX_HELP, lockboxOption } from '../../research/lockbox-option.ts';
import { progressBar } from '../../terminal/progress-bar.ts';
import {
  researchGround,
  withResearchOptions,
  writeFiles,
  type ResearchOptions,
} from '../../research/research-command.ts';
import { countOption, methodOption, spaceFile } from '../../research/space-file.ts';
import { validationText } from '../../research/validation-text.ts';

interface Options extends ResearchOptions {
  readonly space?: string;
  readonly method: string;
  readonly trials?: string;
  readonly walkForward: string;
  readonly folds?: string;
  readonly purge?: string;
  readonly embargo?: string;
  readonly lockbox?: string;
  readonly openLockbox?: boolean;
}

const MODES: readonly WalkForwardMode[] = ['rolling', 'anchored', 'purged'];

function walkOption(text: string): WalkForwardMode {
  const mode = MODES.find((name) => name === text);
  if (mode !== undefined) return mode;
  const message = `--walk-forward ${text} is none of ${MODES.join(', ')}`;
  throw sessionErrors.make('bad_option', message, { option: 'walk-forward' });
}

/** Refuses options that would have no effect. */
function refuseIdle({ space, trials, walkForward, embargo }: Options, isMethodGiven: boolean): void {
  const refuse = (option: string, why: string): Error =>
    sessionErrors.make('bad_option', `--${option} ${why}`, { option });
  if (space === undefined && trials !== undefined) throw refuse('trials', 'is of a search: give --space, too');
  if (space === undefined && isMethodGiven) throw refuse('method', 'is of a search: give --space, too');
  if (embargo !== undefined && walkForward !== 'purged')
    throw refuse(
      'embargo',
      'goes with --walk-forward purged: the others train on nothing that comes after a test part',
    );
}

export const build: BuildCommand = (io) =>
  withResearchOptions(
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
      .option('--embargo <DURATION>', 'left out of training after each test part; of purged alone')
      .option('--lockbox <PCT>', LOCKBOX_HELP)
      .option('--open-lockbox', 'look into it: once, at the very end; every opening is counted'),
  )
    .addHelpText(
      'after',
      '\nExit code 5 when decisions depend on data that come after them.\n\nExample:\n  npx tidewire validate strategies/spread-maker.ts --data data/sample --space config/spread-maker.space.yaml --trials 32 --report validation.html',
    )
    .action(
      action(io, async (file: string | undefined, options: Options, command: Command) => {
        refuseIdle(options, command.getOptionValueSource('method') === 'cli');
        const ground = researchGround(io, options);
        const trials = countOption('trials', options.trials);
        const method = methodOption(options.method);
        const bar = progressBar(io, 'validating');
        const found = await validate({
          ...ground,
          file,
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
          progress: (fraction) => bar.update(fraction),
        }).finally(() => bar.stop());
        const result = writeFiles(io, options, found, renderValidation);
        return { json: result, text: validationText(io, result), exit: result.lookAhead.ok === false ? 5 : 0 };
      }),
    );
