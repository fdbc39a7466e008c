/** Snapshots the journal and archives older rows, built on a thread. */
import { Worker } from 'node:worker_threads';
import type { Segment } from '../../model/entries/archive-segment.ts';
import type { InstrumentSpec } from '../../model/market/instrument.ts';
import type { SnapshotEntry } from '../../model/entries/snapshot-entry.ts';
import { messageOf } from '../../model/errors.ts';
import type { JournalStore, RecordEntry } from '../../model/entries/journal.ts';
import type { Cancel, Clock } from '../../model/ports.ts';
import { SNAPSHOT_VERSION } from '../../spine/snapshot/snapshot.ts';
import type { Config } from '../config/schema.ts';
import { THREAD_FLAGS } from '../thread-flags.ts';

/** Rows a start reads at most. */
const SNAPSHOT_ROWS = 50_000;
const LOOK_MS = 10_000;
const SNAPSHOT_THREAD = new URL('./snapshot-worker.ts', import.meta.url);
const ARCHIVE_THREAD = new URL('../../journal/archive/archive-worker.ts', import.meta.url);

export interface SnapshotOrder {
  /** The database. */
  readonly file: string;
  readonly specs: readonly InstrumentSpec[];
  readonly reporting: string;
  /** Of a paper session: its exchange is saved beside. */
  readonly fees?: Config['simulation']['fees'];
}

/** Works on a journal in use. Rejects when unreadable. */
export function makeSnapshot(order: SnapshotOrder): Promise<readonly [SnapshotEntry, RecordEntry]> {
  return answerOf(SNAPSHOT_THREAD, order);
}

/** Archives the next due rows. Rejects on a write failure. */
export function archiveRows(file: string): Promise<Segment | null> {
  return answerOf(ARCHIVE_THREAD, file);
}

function answerOf<Answer>(program: URL, workerData: unknown): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const thread = new Worker(program, { workerData, execArgv: [...process.execArgv, ...THREAD_FLAGS] });
  thread.once('message', (answer: Answer) => resolve(answer));
  thread.once('error', reject);
  thread.once('exit', (code) => reject(new Error(`the thread ended with ${code} and said nothing`)));
  // A session's end does not wait.
  thread.unref();
  return promise;
}

export interface SnapshotWatch {
  readonly about: () => SnapshotOrder;
  readonly journal: Pick<JournalStore, 'archive' | 'lastSeq' | 'lastSnapshot' | 'failing'>;
  readonly clock: Clock;
  /** Not called after the end or a journal failure. */
  readonly write: (entry: SnapshotEntry | RecordEntry) => void;
  readonly failed: (reason: string) => void;
  readonly rows?: number;
}

/** A snapshot of another build's state covers nothing: a start reads all rows. */
function coveredRows(newest: SnapshotEntry | undefined): number {
  return newest?.version === SNAPSHOT_VERSION ? newest.at : 0;
}

export function watchSnapshots({ about, journal, clock, write, failed, rows = SNAPSHOT_ROWS }: SnapshotWatch): Cancel {
  let isOver = false;
  let isBusy = false;
  let coveredTo = coveredRows(journal.lastSnapshot?.());
  const mayWrite = (): boolean => !isOver && !journal.failing;
  const cover = async (): Promise<void> => {
    const [snapshot, sums] = await makeSnapshot(about());
    if (!mayWrite()) return;
    coveredTo = snapshot.at;
    write(snapshot);
    write(sums);
  };
  const archive = async (): Promise<void> => {
    const segment = await archiveRows(about().file);
    if (segment !== null && mayWrite()) journal.archive?.note(segment);
  };
  const cancel = clock.every(LOOK_MS, () => {
    const isSnapshotDue = journal.lastSeq - coveredTo >= rows;
    if (isBusy || !mayWrite() || !(isSnapshotDue || journal.archive?.isDue === true)) return;
    isBusy = true;
    void (isSnapshotDue ? cover() : archive())
      .catch((thrown: unknown) => {
        if (!isOver) failed(messageOf(thrown));
      })
      .finally(() => (isBusy = false));
  });
  return () => {
    isOver = true;
    cancel();
  };
}
