/** `tidewire paper`: live public streams, a simulated account, no key. */
import { Command } from 'commander';
import { START_OPTION } from '../config-option.ts';
import { action, type BuildCommand } from '../command.ts';
import {
  runSession,
  withRealtimeOptions,
  type RealtimeCommandOptions,
  type RealtimeMode,
} from '../sessions/realtime-command.ts';
import { paperVenue } from '../../session/paper.ts';
import { watchedSession } from '../sessions/watched-session.ts';

interface PaperOptions extends RealtimeCommandOptions {
  readonly watch?: boolean;
}

const PAPER: RealtimeMode = {
  mode: 'paper',
  allow: () => null,
  account: 'paper',
  makeVenue: paperVenue,
};

export const build: BuildCommand = (io) =>
  withRealtimeOptions(
    new Command('paper').description('Run a strategy on live public streams with a simulated account.'),
  )
    .option(...START_OPTION)
    .option('--watch', 'begin again when a strategy file or a local import of it changes')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire paper strategies/spread-maker.ts --for 60s --param halfSpreadBps=2',
    )
    .action(
      action(io, async (file: string | undefined, options: PaperOptions) =>
        options.watch === true ? watchedSession(io, file, options, PAPER) : runSession(io, file, options, PAPER),
      ),
    );
