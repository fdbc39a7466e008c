/** Connects a session to who follows and commands it from outside, such as the dashboard's thread. */
import type { JournalStore } from '../../model/entries/journal.ts';
import type { Clock } from '../../model/ports.ts';
import type { Engine } from '../engine.ts';
import type { PacedClock } from '../clock/paced-clock.ts';
import type { SessionOptions } from '../store/running-session.ts';
import { observedJournal, type CommittedRows } from '../upkeep/observed-journal.ts';
import { RemoteControl } from './remote-control.ts';

export interface RemoteLink {
  /** Rows up to this one are durable. Must not throw. */
  readonly appended: (seq: number) => void;
  /** A human ends the session in order. */
  readonly stopSession: () => void;
}

/** `hear`: a further listener for durable commits, once there is an executor. */
export function reportedTo(
  link: RemoteLink | undefined,
  store: JournalStore,
  clock: Pick<Clock, 'nowUs'>,
): { readonly journal: JournalStore; readonly hear: (control: RemoteControl | null) => void } {
  if (link === undefined) return { journal: store, hear: () => {} };
  let control: RemoteControl | null = null;
  const committed = (rows: CommittedRows): void => {
    link.appended(rows.lastSeq);
    control?.committed(rows);
  };
  return { journal: observedJournal(store, clock, { committed }), hear: (known) => (control = known) };
}

/** Null without a link. */
export function remoteControl(
  link: RemoteLink | undefined,
  { strategies, connection, logger }: SessionOptions,
  engine: Engine,
  clock: PacedClock,
): RemoteControl | null {
  if (link === undefined) return null;
  const { clock: real } = connection;
  return new RemoteControl({
    executor: engine.executor,
    strategies: strategies.map(({ tag }) => tag),
    isSymbol: (symbol) => connection.instruments.find(symbol) !== undefined,
    clock: real,
    now: () => clock.now(),
    logger,
    deliver: (run) => clock.deliver(real.nowUs(), run),
    stopStrategy: (tag) => engine.stopStrategy(tag, 'signal'),
    stopSession: link.stopSession,
  });
}
