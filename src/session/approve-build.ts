/**
 * A human says that another build of tidewire may go on with a live session than the one that left it: a start row that
 * names the build, as every process on a journal writes one. Called by `journal approve-build`.
 */
import { openJournal } from '../execution/journal/sqlite-store.ts';
import { readJournal } from '../execution/journal/verify.ts';
import { replayRows } from '../execution/replay.ts';
import { buildDoubt, buildId, lastBuild } from './build.ts';
import { sessionErrors } from './errors.ts';

/** `now`: Unix ms. Throws `build_approved` when there is nothing to approve, `journal_newer`, and those of the journal. */
export function approveBuild(
  dir: string,
  reason: string,
  now: number,
): { readonly last: string; readonly now: string } {
  const last = lastBuild(dir);
  const build = buildId();
  if (last === null || buildDoubt(last, build) === null)
    throw sessionErrors.make('build_approved', `${dir} was last written by this build, ${build}`, { build });
  const { state } = replayRows(readJournal(dir));
  const boot = state.boot + 1;
  const facts = { mode: 'approve-build', build, reason };
  const journal = openJournal(dir);
  try {
    const start = { kind: 'session', event: 'start', boot, bootId: `approved_${boot}`, facts } as const;
    journal.append(Math.max(now, state.lastTs), [start]);
  } finally {
    journal.close();
  }
  return { last, now: build };
}
