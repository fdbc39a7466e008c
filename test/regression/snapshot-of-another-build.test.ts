/** After an upgrade the newest snapshot, of another build's state, counted as made: the session wrote none of its own for 50,000 rows, and until then a missing archive segment stopped its start. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replayJournal } from '../../src/journal/resume.ts';
import { JOURNAL_FILE, openJournal } from '../../src/journal/sqlite-store.ts';
import { watchSnapshots } from '../../src/session/upkeep/snapshot-watch.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { SNAPSHOT_VERSION, snapshotOf } from '../../src/spine/snapshot/snapshot.ts';
import { HandClock, makeRig, tempDir, TestVenue } from '../execution/rig.ts';

it('snapshot/of-another-build/is-replaced-soon-after-the-start', async () => {
  const { dir, remove } = tempDir();
  const clock = new HandClock();
  const journal = openJournal(dir);
  const rig = makeRig({ journal, clock, venue: new TestVenue(clock) });
  rig.executor.submit('maker', { kind: 'note', text: 'before the upgrade' });
  const rows = journal.lastSeq;
  rig.executor.record({ ...snapshotOf(replayRows(journal.read())), version: SNAPSHOT_VERSION - 1 });
  const stop = watchSnapshots({
    about: () => ({ file: join(dir, JOURNAL_FILE), specs: [], reporting: 'USDT' }),
    journal,
    clock,
    rows,
    write: (entry) => rig.executor.record(entry),
    failed: (reason) => expect(reason).toBe(''),
  });
  clock.advance(10_000);
  await expect.poll(() => journal.lastSnapshot?.()?.version, { timeout: 20_000 }).toBe(SNAPSHOT_VERSION);
  expect(journal.lastSnapshot?.()?.at).toBeGreaterThan(rows);
  stop();
  journal.close();
  expect(stateHash(replayJournal(dir).state)).toBe(stateHash(rig.executor.state));
  remove();
}, 30_000);
