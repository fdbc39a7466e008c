/** What `pause` and `resume` share: the session, its strategy, and the order that it heeds. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { sessionErrors } from '../../session/errors.ts';
import { isRunning } from '../../session/store/is-running.ts';
import { newId } from '../../session/controls/limit-control.ts';
import { findSession, listSessions, type SessionFolder } from '../../session/store/store.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import { action, type CliIo } from '../command.ts';
import { configParts } from '../config-option.ts';
import { notConfirmed } from './cancel-command.ts';
import { heeded, unconfirmed } from './heeded.ts';

interface Options {
  readonly session?: string;
  readonly reason?: string;
  readonly config?: string;
}

/** The named one, or the only one that runs. */
function runningSession(root: string, wanted: string | undefined): SessionFolder {
  if (wanted !== undefined) {
    const folder = findSession(root, wanted);
    if (isRunning(folder)) return folder;
    throw sessionErrors.make('limit_not_confirmed', `${folder.record.id} does not run`, { session: wanted });
  }
  const running = listSessions(root, () => undefined).filter((folder) => isRunning(folder));
  const [only, ...more] = running;
  if (only !== undefined && more.length === 0) return only;
  const why =
    only === undefined
      ? `no session under ${root} runs`
      : `${running.length} sessions run; say which with --session: ${running.map(({ record }) => record.id).join(', ')}`;
  throw sessionErrors.make('session_not_found', why);
}

/** The named one, or the only one of the session. */
function strategyOf({ record }: SessionFolder, wanted: string | undefined): string {
  const tags = record.strategies.map(({ tag }) => tag);
  const [only, ...more] = tags;
  if (wanted === undefined && only !== undefined && more.length === 0) return only;
  if (wanted !== undefined && tags.includes(wanted)) return wanted;
  const what = wanted === undefined ? 'name a strategy' : `${record.id} has no strategy ${wanted}`;
  throw sessionErrors.make('bad_option', `${what}; its strategies are ${tags.join(', ')}`, { option: 'strategy' });
}

export interface PauseWords {
  readonly name: 'pause' | 'resume';
  readonly description: string;
  readonly help: string;
  readonly done: (strategy: string, session: string) => string;
}

export function pauseCommand(io: CliIo, { name, description, help, done }: PauseWords): Command {
  const isPause = name === 'pause';
  return new Command(name)
    .description(description)
    .argument('[strategy]', 'its tag; not needed where the session has one strategy')
    .option('--session <SESSION>', 'id or folder; not needed where one session runs')
    .option('--reason <TEXT>', 'why; stands in the journal', 'by the command line')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', help)
    .action(
      action(io, async (wanted: string | undefined, options: Options) => {
        const config = configParts(io, options.config, ['journal']);
        const folder = runningSession(resolve(io.cwd, config.journal.dir), options.session);
        const strategy = strategyOf(folder, wanted);
        const { reason = 'by the command line' } = options;
        const order = { kind: 'pause', id: newId(), strategy, on: isPause, reason, at: systemClock.now() } as const;
        const journal = await heeded(folder, order, ({ pauses }) => pauses.has(strategy) === isPause);
        const unproved = isPause ? await unconfirmed(journal, strategy) : [];
        const { id } = folder.record;
        const json = { command: name, session: id, strategy, paused: isPause, reason };
        const text = [done(strategy, id), ...notConfirmed(io, unproved)].join('\n');
        return { json: isPause ? { ...json, unproved } : json, text, exit: unproved.length === 0 ? 0 : 4 };
      }),
    );
}
