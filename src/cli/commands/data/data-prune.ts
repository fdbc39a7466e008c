/** `tidewire data prune [--dry-run]`: deletes old recordings and sessions by `recording.keep` and `journal.keep`. */
import { relative, resolve } from 'node:path';
import { Command } from 'commander';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { configParts } from '../../config-option.ts';
import { table } from '../../terminal/table.ts';
import { KEEP_EXPECTED, parseKeep, type Keep } from '../../../model/keep.ts';
import type { Stored } from '../../../operations/retention/choose.ts';
import { prune, type Pruned } from '../../../operations/retention/prune.ts';
import { sessionErrors } from '../../../session/errors.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';

interface Options {
  readonly dryRun?: boolean;
  readonly recordings?: string;
  readonly journals?: string;
  readonly config?: string;
}

const HELP = `
Without a rule nothing is deleted. A rule is a duration (90d) or a size (20GB: the oldest go first). Never deleted: a
session that runs, that the next start would continue, that left an order, a movement of money or a position
unresolved, the newest one of its strategies, and a recording that was written to within the last hour. Of an open
session nothing is deleted, neither its archive nor its recording. Of a live session the trades stay, in .trades under
journal.dir, for journal trades.

Example:
  npx tidewire data prune --recordings 30d --journals 20GB --dry-run`;

export function pruneCommand(io: CliIo): Command {
  return new Command('prune')
    .description('delete old recordings and sessions by recording.keep and journal.keep')
    .option('--dry-run', 'only say what would be deleted and how much that frees')
    .option('--recordings <KEEP>', 'instead of recording.keep')
    .option('--journals <KEEP>', 'instead of journal.keep')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', HELP)
    .action(
      action(io, async (options: Options): Promise<CommandResult> => {
        const config = configParts(io, options.config, ['journal', 'recording']);
        const texts = {
          recordings: options.recordings ?? config.recording.keep ?? null,
          journals: options.journals ?? config.journal.keep ?? null,
        };
        const dryRun = options.dryRun === true;
        const done = prune({
          sessionsDir: resolve(io.cwd, config.journal.dir),
          recordingsDir: resolve(io.cwd, config.recording.dir),
          recordings: keepOf('recordings', texts.recordings),
          journals: keepOf('journals', texts.journals),
          dryRun,
          now: systemClock.now(),
        });
        const shown = (stored: Stored): Stored => ({ ...stored, path: relative(io.cwd, stored.path) });
        const { freed } = done;
        const [gone, kept] = [done.gone.map(shown), done.kept.map(shown)];
        return {
          json: { command: 'data prune', dryRun, keep: texts, freed, gone, kept },
          text: textOf({ gone, kept, freed }, texts, dryRun),
        };
      }),
    );
}

function keepOf(name: string, text: string | null): Keep | null {
  if (text === null) return null;
  const keep = parseKeep(text);
  if (keep !== null) return keep;
  throw sessionErrors.make('bad_option', `--${name} ${text}: ${KEEP_EXPECTED}`, { option: name });
}

type Texts = Readonly<Record<'recordings' | 'journals', string | null>>;

function textOf({ gone, kept, freed }: Pruned, { recordings, journals }: Texts, dryRun: boolean): string {
  if (recordings === null && journals === null)
    return 'nothing is deleted: set recording.keep or journal.keep, or give --recordings or --journals';
  const rows = gone.map(({ kind, path, bytes, at }) => [kind, path, megabytes(bytes), new Date(at).toISOString()]);
  const stay = kept.map(({ kind, path, bytes, needed }) => [kind, path, megabytes(bytes), needed ?? '']);
  const verb = dryRun ? 'would free' : 'freed';
  return [
    ...(rows.length === 0 ? [] : [table(rows, { head: ['', 'goes', 'size', 'of'], right: [2] }), '']),
    ...(stay.length === 0 ? [] : [table(stay, { head: ['', 'stays', 'size', 'because'], right: [2] }), '']),
    `${verb} ${megabytes(freed)} in ${gone.length} of ${gone.length + kept.length} that are over`,
  ].join('\n');
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
