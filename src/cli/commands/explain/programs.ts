/** `tidewire programs`: the order programs of a session, also of one that runs or died. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../../command.ts';
import { configParts } from '../../config-option.ts';
import { programTable } from '../../sessions/program-lines.ts';
import { colouring } from '../../terminal/table.ts';
import { sessionPrograms } from '../../../operations/programs/session-programs.ts';
import { sessionErrors } from '../../../session/errors.ts';
import { presentSession } from '../../../session/store/present-session.ts';
import { findSession, listSessions } from '../../../session/store/store.ts';

interface Options {
  readonly session?: string;
  readonly config?: string;
}

export const build: BuildCommand = (io) =>
  new Command('programs')
    .description('Show the order programs of a session: what each has filled, and what it waits for.')
    .option('--session <session>', 'id or folder; by default the one that runs, would be resumed, or is the newest')
    .option('--config <FILE>', 'configuration file')
    .addHelpText(
      'after',
      '\nRead from the journal, so programs of a dead process are shown too: they continue with the next start.\n`why REF` shows one with its orders, `cancel REF` ends it.\n\nExample:\n  npx tidewire programs --json',
    )
    .action(
      action(io, async (options: Options) => {
        const config = configParts(io, options.config, ['journal']);
        const root = resolve(io.cwd, config.journal.dir);
        const folder =
          options.session === undefined ? presentSession(listSessions(root)) : findSession(root, options.session);
        if (folder === undefined) throw sessionErrors.make('session_not_found', `there is no session under ${root}`);
        const { session, mode, life, programs } = sessionPrograms(folder);
        const paint = colouring(io.isTty, io.env);
        const isWaiting = life !== 'running' && programs.some(({ state }) => state === 'working');
        const text = [
          `${session} (${mode}, ${life})`,
          programs.length === 0 ? 'no order programs' : programTable(programs, paint),
          ...(isWaiting ? [paint('yellow', 'None of them fires until the next start continues the session.')] : []),
        ].join('\n\n');
        return { json: { command: 'programs', session, programs }, text };
      }),
    );
