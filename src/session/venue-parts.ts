/** The contract between `realtime.ts` and a mode's venue. */
import type { JournalStore } from '../model/entries/journal.ts';
import type { MarketSink } from '../model/market/market-event.ts';
import type { Gate, Logger } from '../model/ports.ts';
import type { Venue } from '../model/venue.ts';
import type { Recorder } from '../recording/frames/recorder.ts';
import type { Connection } from './connection/connection.ts';
import type { PacedClock } from './clock/paced-clock.ts';
import type { RunRecorder } from './recorder/run-recorder.ts';
import type { EarlierLegs } from './result/earlier-legs.ts';
import type { RunningSession } from './store/running-session.ts';

export interface VenueParts {
  readonly venue: Venue;
  /** Own trades need no confirmation by a snapshot. */
  readonly isBelieved?: boolean;
  /** Since the last message of the private connection; absent: the venue is in this process. */
  readonly privateAgeMs?: () => number | null;
  readonly sinks: readonly MarketSink[];
  readonly gates: readonly Gate[];
  /** Unix ms. */
  readonly wall?: () => number;
  /** Its frame was unreadable and its book discarded. */
  readonly undecodable?: (symbol: string) => void;
  readonly discarded?: (symbol: string, reason: string) => void;
  /** In session time. */
  readonly started: (session: RunningSession) => void;
  /** Before the result. */
  readonly ended: (atMs: number) => void;
  readonly assumptions: Readonly<Record<string, unknown>>;
}

export interface VenueContext {
  readonly connection: Connection;
  readonly journal: JournalStore;
  readonly clock: PacedClock;
  /** Unix ms: the period and the equity begin then. */
  readonly startedAt: number;
  readonly recorder: RunRecorder;
  readonly raw: Recorder;
  readonly symbols: readonly string[];
  readonly logger: Logger;
  /** Null in the first process. */
  readonly earlier: EarlierLegs | null;
}
