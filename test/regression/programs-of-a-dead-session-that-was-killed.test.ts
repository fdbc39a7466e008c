/**
 * Found from outside: after a crash, `panic --flatten` and `journal clear-kill`, the way to abandon all, the next start went on with the
 * order programs of the dead session, and bought again.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replayJournal } from '../../src/journal/resume.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { documentOf, freshFolder, run } from '../e2e/cli.ts';
import { entriesOf } from '../e2e/session-view.ts';

const begun = (ref: string): JournalEntry => ({
  kind: 'program',
  event: 'start',
  strategy: 'a',
  ref,
  auto: false,
  tag: 'a',
  program: 'twap',
  symbol: 'BTCUSDT',
  spec: {},
  data: {},
});

const ENDED: JournalEntry = {
  kind: 'program',
  event: 'end',
  strategy: 'a',
  ref: 'over',
  state: 'done',
  reason: 'filled',
};

/** The programs that still work after the latch is off, and what the command names. */
async function cleared(latch: 'file' | 'journal' | 'none') {
  const cwd = freshFolder();
  const path = join(cwd, 'data', 'sessions', 'dead');
  const journal = openJournal(path);
  journal.append(1_000, [begun('over'), ENDED, begun('tw1'), begun('tw2')]);
  if (latch === 'journal') journal.append(2_000, [{ kind: 'kill', on: true, reason: 'panic' }]);
  journal.close();
  if (latch === 'file') writeFileSync(join(path, 'KILL'), 'panic\n');
  const ended = await run(['journal', 'clear-kill', 'dead', '--reason', 'abandoned', '--json'], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  const { state } = replayJournal(path);
  const kinds = entriesOf(path, 'kill').map(({ on }) => on);
  return {
    working: [...state.programs.working].map(({ ref }) => ref),
    named: documentOf<{ readonly programs: readonly { readonly ref: string }[] }>(ended).programs.map(({ ref }) => ref),
    killed: state.killReason,
    kinds,
  };
}

it.each(['file', 'journal'] as const)('ends them with the latch: %s', async (latch) => {
  expect(await cleared(latch)).toEqual({ working: [], named: ['tw1', 'tw2'], killed: undefined, kinds: [true, false] });
});

it('leaves them alone where nothing was killed', async () => {
  expect(await cleared('none')).toMatchObject({ working: ['tw1', 'tw2'], named: [], kinds: [false] });
});
