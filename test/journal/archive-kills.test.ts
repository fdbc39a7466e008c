/** Real processes that archive, killed at any instant; and a reader that reads while rows are moved. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { makeSegment } from '../../src/journal/archive/make-segment.ts';
import { archiveFolder } from '../../src/journal/archive/segment-files.ts';
import { replayJournal, resumed } from '../../src/journal/resume.ts';
import { JOURNAL_FILE, openJournal } from '../../src/journal/sqlite-store.ts';
import { readJournal, verifyJournal } from '../../src/journal/verify.ts';
import { replayRows } from '../../src/spine/replay.ts';
import { snapshotOf, snapshotText } from '../../src/spine/snapshot/snapshot.ts';
import { tempDir } from '../execution/rig.ts';

const PROGRAM = fileURLToPath(new URL('archiving-process.ts', import.meta.url));
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function place(): string {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  return dir;
}

describe('a process that archives', () => {
  it('and is killed at any instant leaves every row once, and the next goes on', async () => {
    const dir = place();
    let before = 0;
    const segments = (): number => {
      const folder = archiveFolder(join(dir, JOURNAL_FILE));
      return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.zst')).length : 0;
    };
    // A busy machine may kill each before it has archived anything.
    for (let kill = 0; kill < 12 || segments() <= 5; kill++) {
      const child = spawn(process.execPath, [PROGRAM, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(child, 'exit');
      await once(child.stdout, 'data');
      await wait(40 + kill * 13);
      child.kill('SIGKILL');
      await ended;
      const report = verifyJournal(dir);
      expect(report).toMatchObject({ ok: true, problem: null });
      expect(report.rows).toBeGreaterThan(before);
      expect(snapshotText(replayJournal(dir))).toBe(snapshotText(replayRows(readJournal(dir))));
      before = report.rows;
    }
    const journal = openJournal(dir);
    const adjusted = [...journal.read()].filter(({ entry }) => entry.kind === 'adjustment').length;
    expect(
      resumed(journal)
        .state.explainedBalance('USDT')
        .eq(adjusted / 10),
    ).toBe(true);
    journal.close();
  }, 120_000);

  it('does not disturb who reads in the meantime', () => {
    const dir = place();
    const journal = openJournal(dir);
    const notes = (count: number): number =>
      journal.append(
        journal.lastSeq,
        Array.from({ length: count }, (_, index) => ({ kind: 'note', strategy: 's', text: `${index}` }) as const),
      );
    notes(2_500);
    journal.append(journal.lastSeq, [snapshotOf(resumed(journal))]);
    notes(700);
    journal.append(journal.lastSeq, [snapshotOf(resumed(journal))]);
    const read: number[] = [];
    for (const { seq } of readJournal(dir)) {
      read.push(seq);
      if (seq === 10) {
        for (let segment = makeSegment(dir, 700); segment !== null; segment = makeSegment(dir, 700))
          journal.archive?.note(segment);
      }
      if (seq > 10) journal.idle();
    }
    expect(read).toEqual(Array.from({ length: journal.lastSeq }, (_, index) => index + 1));
    journal.close();
    expect(verifyJournal(dir).ok).toBe(true);
  });
});
