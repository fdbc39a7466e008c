/** What a mode (`paper.ts`, `live.ts`) is given to make its venue, and what it gives back to `realtime.ts`. */
import type { JournalStore } from '../model/journal.ts';
import type { MarketSink } from '../model/market-event.ts';
import type { Gate, Logger } from '../model/ports.ts';
import type { Treasury } from '../model/treasury.ts';
import type { Venue } from '../model/venue.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Connection } from './connection.ts';
import type { PacedClock } from './paced-clock.ts';
import type { RunRecorder } from './run-recorder.ts';
import type { EarlierLegs } from './earlier-legs.ts';
import type { RunningSession } from './realtime.ts';

/** What a mode makes of the parts: its venue, and what watches the account. */
export interface VenueParts {
  readonly venue: Venue;
  /** A simulation in this process: what it says of own trades needs no proof by the account. */
  readonly isBelieved?: boolean;
  readonly treasury: Treasury;
  /** See market events before the strategies do. */
  readonly sinks: readonly MarketSink[];
  readonly gates: readonly Gate[];
  /** The wall clock of the machine, Unix ms, where what waited while it slept must not leave. */
  readonly wall?: () => number;
  /** A public frame of this symbol could not be read; its order book was given up, which no market event says. */
  readonly undecodable?: (symbol: string) => void;
  readonly discarded?: (symbol: string, reason: string) => void;
  /** After the venue has started, inside the session's time. */
  readonly started: (session: RunningSession) => void;
  /** The account's last value, before the result is made. */
  readonly ended: (atMs: number) => void;
  readonly assumptions: Readonly<Record<string, unknown>>;
}

export interface VenueContext {
  readonly connection: Connection;
  readonly journal: JournalStore;
  readonly clock: PacedClock;
  readonly recorder: RunRecorder;
  /** The session's recording. */
  readonly raw: Recorder;
  readonly symbols: readonly string[];
  readonly logger: Logger;
  /** What earlier processes of the session did, as the recorder was told; null in the first. */
  readonly earlier: EarlierLegs | null;
}
