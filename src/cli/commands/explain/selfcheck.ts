/**
 * `tidewire selfcheck`: controls over a period, from journals. Exit 5 for a damaged or unreadable journal, or anything
 * left on.
 */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../../command.ts';
import { configSource, timeOption } from '../../config-option.ts';
import { selfCheck } from '../../../operations/selfcheck/selfcheck.ts';
import { selfCheckText } from '../../../operations/selfcheck/selfcheck-text.ts';
import { loadConfig } from '../../../session/config/load.ts';
import { listSessions } from '../../../session/store/store.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';

interface Options {
  readonly annual?: boolean;
  readonly from?: string;
  readonly to?: string;
  readonly config?: string;
}

const DAY_MS = 86_400_000;
const INTEGRITY_EXIT = 5;

export const build: BuildCommand = (io) =>
  new Command('selfcheck')
    .description(
      'Report on limits, denials, alarms, overrides and interventions of a period, to be reviewed and signed.',
    )
    .option('--annual', 'the last 365 days; else the last day')
    .option('--from <TIME>', 'ISO 8601 or Unix ms')
    .option('--to <TIME>', 'ISO 8601 or Unix ms; now by default')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', '\nExample:\n  npx tidewire selfcheck --annual > selfcheck.txt')
    .action(
      action(io, async (options: Options) => {
        const { config } = loadConfig(configSource(io, options.config));
        const to = timeOption('to', options.to) ?? Math.ceil(systemClock.now()) + 1;
        const from = timeOption('from', options.from) ?? to - (options.annual === true ? 365 : 1) * DAY_MS;
        const check = selfCheck(listSessions(resolve(io.cwd, config.journal.dir)), from, to);
        const exit = check.ok ? 0 : INTEGRITY_EXIT;
        return { json: { command: 'selfcheck', ...check }, text: selfCheckText(check), exit };
      }),
    );
