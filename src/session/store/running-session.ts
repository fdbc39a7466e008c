/** A running session. */
import type { Gate, Logger, Random } from '../../model/ports.ts';
import type { Reconciler } from '../../reconciler/reconciler.ts';
import type { Replay } from '../../spine/replay.ts';
import type { PublicStream } from '../../streams/public.ts';
import type { Config } from '../config/schema.ts';
import type { Connection } from '../connection/connection.ts';
import type { EarlierLegs } from '../result/earlier-legs.ts';
import type { Engine } from '../engine.ts';
import type { FollowedSymbols } from '../feed/followed-symbols.ts';
import type { PacedClock } from '../clock/paced-clock.ts';
import type { RemoteControl } from '../remote/remote-control.ts';
import type { RunRecorder } from '../recorder/run-recorder.ts';
import type { SignalEntrance } from '../signals/entrance.ts';
import type { SessionFolder } from './store.ts';
import type { PreparedStrategy } from '../strategies.ts';
export interface SessionOptions {
  readonly mode: 'paper' | 'live';
  readonly config: Config;
  readonly strategies: readonly PreparedStrategy[];
  readonly folder: SessionFolder;
  readonly connection: Connection;
  readonly random: Random;
  readonly seed: number;
  readonly logger: Logger;
}

export interface RunningSession {
  readonly options: SessionOptions;
  readonly engine: Engine;
  readonly stream: PublicStream;
  readonly reconciler: Reconciler;
  /** Of market data, the exchange and this process; those of reconciler and executor are their own. */
  readonly gates: readonly Gate[];
  /** As of its venue. */
  readonly privateAgeMs?: (() => number | null) | undefined;
  readonly recorder: RunRecorder;
  readonly earlier: EarlierLegs | null;
  /** The journal as the start found it. */
  readonly begun: Replay;
  /** Why the result lacks what was before. */
  readonly incomplete: string | null;
  /** Null when it cannot be commanded from outside. */
  readonly remote: RemoteControl | null;
  /** Those of `followed`, which grows. */
  readonly symbols: readonly string[];
  readonly followed: FollowedSymbols;
  /** Where signals come in over the network. */
  readonly signals: SignalEntrance;
  readonly clock: PacedClock;
  readonly startedAt: number;
}
