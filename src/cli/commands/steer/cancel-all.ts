/** `tidewire cancel-all`: cancels the orders of a running session and ends its order programs. */
import { Command } from 'commander';
import {
  BY_HAND,
  canceledResult,
  runningSessions,
  several,
  type CancelOptions,
} from '../../sessions/cancel-command.ts';
import { action, type BuildCommand } from '../../command.ts';
import { cancelInSession, requireKnown } from '../../../operations/cancel/cancel.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';

interface Options extends CancelOptions {
  readonly symbol?: string;
  readonly strategy?: string;
}

export const build: BuildCommand = (io) =>
  new Command('cancel-all')
    .description('Cancel the orders of a running session and end its order programs.')
    .option('--symbol <SYMBOL>', 'only in this symbol')
    .option('--strategy <TAG>', 'only of this strategy')
    .option('--session <session>', 'id or folder; the one that runs by default')
    .option('--reason <TEXT>', 'why; stands in the journal', BY_HAND)
    .option('--config <FILE>', 'configuration file')
    .addHelpText(
      'after',
      '\nShows what ended and which position lost its exit. Exit 0 when every end is confirmed, also when nothing was\nopen; 4 when the exchange has not confirmed one yet (the session continues). A quoting strategy continues to quote:\n`pause` it first, or use `panic`, which stops everything for good.\n\nExample:\n  npx tidewire cancel-all --symbol BTCUSDT --json',
    )
    .action(
      action(io, async (options: Options) => {
        const running = runningSessions(io, options);
        const [folder, ...others] = running;
        if (folder === undefined || others.length > 0) throw several(running);
        const { record } = folder;
        const { symbol = null, strategy = null } = options;
        if (strategy !== null)
          requireKnown(
            'strategy',
            strategy,
            record.strategies.map(({ tag }) => tag),
          );
        const wish = { kind: 'cancelAll', strategy, symbol } as const;
        const canceled = await cancelInSession(folder, wish, options.reason, systemClock);
        return canceledResult(io, 'cancel-all', record.id, canceled, { symbol, strategy });
      }),
    );
