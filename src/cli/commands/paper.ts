/** `tidewire paper`: live public streams, a simulated account, no key. */
import { Command } from 'commander';
import { START_OPTION } from '../config-option.ts';
import { action, type BuildCommand } from '../command.ts';
import {
  runSession,
  withRealtimeOptions,
  type RealtimeCommandOptions,
  type RealtimeMode,
} from '../realtime-command.ts';
import { paperVenue } from '../../session/paper.ts';

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
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire paper strategies/spread-maker.ts --for 60s --param halfSpreadBps=2',
    )
    .action(
      action(io, async (file: string | undefined, options: RealtimeCommandOptions) =>
        runSession(io, file, options, PAPER),
      ),
    );
