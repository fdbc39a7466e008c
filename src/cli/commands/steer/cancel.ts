/** `tidewire cancel REF`: cancels an order of a running session, or ends an order program with its orders. */
import { Command } from 'commander';
import {
  BY_HAND,
  canceledResult,
  runningSessions,
  several,
  type CancelOptions,
} from '../../sessions/cancel-command.ts';
import { action, type BuildCommand } from '../../command.ts';
import { replayJournal } from '../../../journal/resume.ts';
import { isTidewireError } from '../../../model/errors.ts';
import { cancelInSession } from '../../../operations/cancel/cancel.ts';
import { cancelTarget, type CancelTarget } from '../../../operations/cancel/target.ts';
import type { SessionFolder } from '../../../session/store/store.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';

/** The session that knows the ref; the error of the newest where none does. */
function meant(folders: readonly SessionFolder[], ref: string): { readonly folder: SessionFolder } & CancelTarget {
  const found: ({ readonly folder: SessionFolder } & CancelTarget)[] = [];
  let failure: unknown;
  for (const folder of folders) {
    const { record, path } = folder;
    const tags = record.strategies.map(({ tag }) => tag);
    try {
      found.push({ folder, ...cancelTarget(replayJournal(path).state, tags, ref, record.id) });
    } catch (thrown) {
      if (!isTidewireError(thrown)) throw thrown;
      // That one has it says more than that another one lacks it.
      if (failure === undefined || thrown.code !== 'cancel_unknown') failure = thrown;
    }
  }
  const [only, ...others] = found;
  if (only === undefined) throw failure;
  if (others.length > 0) throw several(found.map(({ folder }) => folder));
  return only;
}

export const build: BuildCommand = (io) =>
  new Command('cancel')
    .description('Cancel an order of a running session, or end an order program with its orders.')
    .argument('<ref>', 'ref of the order or the program (or tag/ref)')
    .option('--session <session>', 'id or folder; the running session that knows the ref by default')
    .option('--reason <TEXT>', 'why; stands in the journal', BY_HAND)
    .option('--config <FILE>', 'configuration file')
    .addHelpText(
      'after',
      '\nShows what ended and which position lost its exit. Exit 0 when every end is confirmed, 4 when the exchange has\nnot confirmed one yet (the session continues). An order of a program is cancelled with its program. A strategy may send a\nnew order at once: `pause` it first.\n\nExample:\n  npx tidewire cancel spread-maker-bracket-1 --json',
    )
    .action(
      action(io, async (name: string, options: CancelOptions) => {
        const { folder, strategy, ref } = meant(runningSessions(io, options), name);
        const canceled = await cancelInSession(folder, { kind: 'cancel', strategy, ref }, options.reason, systemClock);
        return canceledResult(io, 'cancel', folder.record.id, canceled, { ref, strategy });
      }),
    );
