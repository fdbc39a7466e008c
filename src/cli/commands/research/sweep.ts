/** `tidewire sweep`: searches parameters over recordings, on all cores, resumable. */
import { Command } from 'commander';
import { methods } from '../../../research/sweep/methods.ts';
import { progressFile } from '../../../research/sweep/progress/progress-file.ts';
import { renderSweep } from '../../../research/sweep/report/render.ts';
import { summaryOfSweep } from '../../../research/sweep/result.ts';
import { sweep } from '../../../research/sweep/sweep.ts';
import { sessionErrors } from '../../../session/errors.ts';
import { action, type BuildCommand } from '../../command.ts';
import { LOCKBOX_HELP, lockboxOption } from '../../research/lockbox-option.ts';
import { progressBar } from '../../terminal/progress-bar.ts';
import {
  researchGround,
  withResearchOptions,
  writeFiles,
  type ResearchOptions,
} from '../../research/research-command.ts';
import { countOption, methodOption, spaceFile } from '../../research/space-file.ts';
import { sweepText } from '../../research/sweep-text.ts';

interface Options extends ResearchOptions {
  readonly space: string;
  readonly method: string;
  readonly trials?: string;
  readonly halving?: boolean;
  readonly lockbox?: string;
  readonly withLockbox?: boolean;
}

/** A searched lockbox has no size. */
function lockboxShareOf({ lockbox, withLockbox }: Options): number {
  if (withLockbox !== true) return lockboxOption(lockbox);
  if (lockbox === undefined) return 0;
  throw sessionErrors.make('bad_option', '--lockbox says what is left out, --with-lockbox that nothing is', {
    option: 'lockbox',
  });
}

export const build: BuildCommand = (io) =>
  withResearchOptions(
    new Command('sweep')
      .description('Search the parameters of a strategy. Every trial is counted in the trial ledger.')
      .argument('[strategy]', 'strategy file; that of the configuration by default')
      .requiredOption('--data <PATH...>', 'recordings, tapes, or folders of them')
      .requiredOption('--space <FILE>', 'YAML: parameters, objectives, constraints')
      .option('--method <NAME>', `one of ${Object.keys(methods).join(', ')}`, 'tpe')
      .option('--trials <N>', '100 by default; of a grid all of it')
      .option('--halving', 'try many on a part of the data, and only the best third further (grid, random, sobol)')
      .option('--lockbox <PCT>', LOCKBOX_HELP)
      .option('--with-lockbox', 'search all of the data, so that validate has no unseen part left'),
  )
    .addHelpText(
      'after',
      '\nAfter an interruption the same command continues where it was.\n\nExample:\n  npx tidewire sweep strategies/spread-maker.ts --data data/sample --space config/spread-maker.space.yaml --trials 50 --report sweep.html',
    )
    .action(
      action(io, async (file: string | undefined, options: Options) => {
        const { params, ...ground } = researchGround(io, options);
        const trials = countOption('trials', options.trials);
        const method = methodOption(options.method);
        const space = spaceFile(io, options.space);
        const bar = progressBar(io, 'searching');
        const found = await sweep({
          ...ground,
          file,
          fixed: params,
          space,
          method,
          ...(trials === undefined ? {} : { trials }),
          halving: options.halving === true,
          lockboxShare: lockboxShareOf(options),
          progress: progressFile(ground.ledger),
          onTrial: (done, of) => bar.update(done / of),
        }).finally(() => bar.stop());
        const result = writeFiles(io, options, found, renderSweep);
        return { json: summaryOfSweep(result), text: sweepText(io, result), exit: result.counts.done === 0 ? 1 : 0 };
      }),
    );
