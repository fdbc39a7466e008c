/** A process that does nothing but write rows, snapshots and segments, until it is killed. Told: a session folder. */
import { makeSegment } from '../../src/journal/archive/make-segment.ts';
import { resumed } from '../../src/journal/resume.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { snapshotOf } from '../../src/spine/snapshot/snapshot.ts';

const [dir = ''] = process.argv.slice(2);
const journal = openJournal(dir);
// A kill soon after it is heard finds a new row.
journal.append(journal.lastSeq, [{ kind: 'state', key: 'opened', value: String(journal.lastSeq) }]);
process.stdout.write('open\n');
for (;;) {
  for (let row = 0; row < 40; row++) {
    const { lastSeq } = journal;
    journal.append(lastSeq, [
      { kind: 'state', key: 'count', value: String(lastSeq + 1) },
      { kind: 'adjustment', id: `a${lastSeq}`, subject: 'balance', name: 'USDT', quantity: '0.1', cause: 'count' },
    ]);
  }
  journal.append(journal.lastSeq, [snapshotOf(resumed(journal))]);
  for (let segment = makeSegment(dir, 50); segment !== null; segment = makeSegment(dir, 50))
    journal.archive?.note(segment);
  journal.idle();
}
