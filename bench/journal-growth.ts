/**
 * Bytes a day at two orders a second, as a live session leaves them: the journal without an archive, and journal and archive
 * with one. A day is 172,800 orders of 7 rows; the part that is run is extrapolated.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSegment } from '../src/journal/archive/make-segment.ts';
import { archiveFolder } from '../src/journal/archive/segment-files.ts';
import { resumed } from '../src/journal/resume.ts';
import { JOURNAL_FILE, openJournal } from '../src/journal/sqlite-store.ts';
import { snapshotOf } from '../src/spine/snapshot/snapshot.ts';
import { fillJournal } from './restart.ts';

const ROWS = 600_000;
const STEP = 50_000;
const DAY_ROWS = 172_800 * 7;
const MB = 1e6;

interface Sizes {
  readonly rows: number;
  readonly journal: number;
  readonly archive: number;
}

function run(folder: string, archives: boolean): readonly Sizes[] {
  const journal = openJournal(folder, { durability: 'normal' });
  const path = join(folder, JOURNAL_FILE);
  const sizes: Sizes[] = [];
  let count = 0;
  let pieceMsMax = 0;
  for (let rows = STEP; rows <= ROWS; rows += STEP) {
    count = fillJournal(journal, rows, count);
    if (archives) {
      journal.append(1_767_571_200_000 + count, [snapshotOf(resumed(journal))]);
      for (let segment = makeSegment(folder); segment !== null; segment = makeSegment(folder))
        journal.archive?.note(segment);
      // Folds in the log of what was appended at once.
      journal.idle();
      for (let moment = 0; moment < (2 * STEP) / 100; moment++) {
        const from = performance.now();
        journal.idle();
        pieceMsMax = Math.max(pieceMsMax, performance.now() - from);
      }
    } else for (let moment = 0; moment < 10; moment++) journal.idle();
    const segments = archives && rows > 2 * STEP ? readdirSync(archiveFolder(path)) : [];
    const archive = segments.reduce((sum, name) => sum + statSync(join(archiveFolder(path), name)).size, 0);
    sizes.push({ rows, journal: statSync(path).size, archive });
  }
  journal.close();
  if (archives) console.log(`  longest idle moment ${pieceMsMax.toFixed(1)} ms`);
  return sizes;
}

export function journalGrowthBench(): void {
  for (const archives of [false, true]) {
    const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
    try {
      console.log(archives ? 'With snapshots and archive' : 'Without');
      const sizes = run(folder, archives);
      const [from, to] = [sizes[Math.floor(sizes.length / 2)], sizes.at(-1)];
      if (from === undefined || to === undefined) return;
      const perDay = (bytes: number): string => ((bytes * DAY_ROWS) / (to.rows - from.rows) / MB).toFixed(0);
      console.log(
        `  after ${to.rows} rows: journal ${(to.journal / MB).toFixed(0)} MB, archive ${(to.archive / MB).toFixed(1)} MB`,
      );
      console.log(
        `  a day: journal ${perDay(to.journal - from.journal)} MB, archive ${perDay(to.archive - from.archive)} MB`,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
