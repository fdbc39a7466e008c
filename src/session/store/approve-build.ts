/** `journal approve-build`: lets this build continue another build's live session. */
import { openJournal } from '../../journal/sqlite-store.ts';
import { requireNotRewound, requireUnbroken } from '../../journal/verify.ts';
import { replayJournal } from '../../journal/resume.ts';
import { buildDoubt, buildId, lastBuild } from './build.ts';
import { sessionErrors } from '../errors.ts';

/** `now`: Unix ms. Throws `build_approved`, `journal_newer`, `journal_rewound`, and journal errors. */
export function approveBuild(
  dir: string,
  reason: string,
  now: number,
): { readonly last: string; readonly now: string } {
  requireUnbroken(dir);
  const last = lastBuild(dir);
  const build = buildId();
  if (last === null || buildDoubt(last, build) === null) {
    // The rows of another build may be among those that are lost.
    requireNotRewound(dir);
    throw sessionErrors.make('build_approved', `${dir} was last written by this build, ${build}`, { build });
  }
  const { state } = replayJournal(dir);
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
