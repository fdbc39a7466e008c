/** A journal that publishes its durable commits, for replicas of the session: metrics, dashboard. */
import type { JournalEntry, JournalStore } from '../../model/entries/journal.ts';
import type { ReconcileReport } from '../../reconciler/reconciler.ts';
import type { Clock } from '../../model/ports.ts';

/** One durable commit. */
export interface CommittedRows {
  /** Of its last row. */
  readonly lastSeq: number;
  /** Session clock of the rows, Unix ms: the receipt of the frame that led to them. */
  readonly ts: number;
  readonly entries: readonly JournalEntry[];
  /** Machine clock around the commit, Unix µs. */
  readonly startedUs: number;
  readonly endedUs: number;
}

/** Called within the turn: a replica keeps what it gets and returns at once. */
export interface SessionObserver {
  committed(rows: CommittedRows): void;
  passed(report: ReconcileReport): void;
}

/** The store itself without an observer. */
export function observedJournal(
  store: JournalStore,
  clock: Pick<Clock, 'nowUs'>,
  observer: Pick<SessionObserver, 'committed'> | undefined,
): JournalStore {
  if (observer === undefined) return store;
  const { archive, lastSnapshot, keepsNothing } = store;
  return {
    append: (ts, entries) => {
      const startedUs = clock.nowUs();
      const lastSeq = store.append(ts, entries);
      observer.committed({ lastSeq, ts, entries, startedUs, endedUs: clock.nowUs() });
      return lastSeq;
    },
    read: (fromSeq) => store.read(fromSeq),
    get lastSeq() {
      return store.lastSeq;
    },
    ...(archive === undefined ? {} : { archive }),
    ...(lastSnapshot === undefined ? {} : { lastSnapshot: () => lastSnapshot.call(store) }),
    ...(keepsNothing === undefined ? {} : { keepsNothing }),
    get failing() {
      return store.failing ?? null;
    },
    idle: () => store.idle(),
    close: () => store.close(),
  };
}
