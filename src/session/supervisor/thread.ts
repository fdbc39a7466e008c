/**
 * The supervisor thread of a session. It ends the process where the main thread
 *
 *   stalled   stood still for `stallMs`
 *   blocked   stood still, or did not hear a signal at all, when it was told to end
 *   late      was told to end and is not over in time
 *   twice     was told to end twice
 */
import { parentPort, workerData } from 'node:worker_threads';
import { endAtOnce, type EndCause } from './end-at-once.ts';
import { Pulse } from './pulse.ts';
import { cancelling, emergencyParts, type Rescue } from './rescue.ts';
import { hearSignals } from './signals.ts';
import { systemClock } from '../system-clock.ts';
import { StandStill } from './stand-still.ts';
import type { WatchedStrategy } from './culprit.ts';

export interface SupervisedSession {
  readonly memory: Int32Array;
  readonly path: string;
  readonly stallMs: number;
  readonly strategies: readonly WatchedStrategy[];
  readonly rescue: Rescue | null;
  readonly json: boolean;
}

const LOOK_MS = 100;
/** Of a running thread. */
const GAP_MS_MAX = 500;
/** A running main thread needs milliseconds. */
const HEAR_MS = 500;
/** With this thread's cancels 25 s. */
const ORDERLY_MS = 22_000;
/** Terminal and launcher may both send one. */
const SAME_SIGNAL_MS = 1_000;
/** The session's start reads its files first. */
const WARM_UP_MS = 1_500;

const session = workerData as SupervisedSession;
const pulse = new Pulse(session.memory);
const watch = new StandStill(pulse.get('beat'), performance.now(), GAP_MS_MAX);
const cancel = session.rescue === null ? null : cancelling(session.rescue);
/** By `livedMs`. */
let signalAt: number | null = null;
let endingAt: number | null = null;
let isTwice = false;
let isOver = false;

function causeNow(): EndCause | null {
  const { stoodMs, livedMs } = watch;
  if (isTwice || pulse.get('atOnce') === 1) return 'twice';
  const isArmed = pulse.get('armed') === 1;
  if (endingAt === null) {
    if (signalAt !== null && livedMs - signalAt >= HEAR_MS) return 'blocked';
    return isArmed && stoodMs >= session.stallMs ? 'stalled' : null;
  }
  if (isArmed && stoodMs >= HEAR_MS) return 'blocked';
  return livedMs - endingAt >= ORDERLY_MS ? 'late' : null;
}

function look(): void {
  if (isOver) return;
  watch.look(pulse.get('beat'), performance.now());
  if (endingAt === null && pulse.get('ending') === 1) endingAt = watch.livedMs;
  const cause = causeNow();
  if (cause === null) return;
  isOver = true;
  const { path, strategies, json } = session;
  void endAtOnce({ cause, stoodMs: watch.stoodMs, path, strategies, cancel, json });
}

function signalled(): void {
  if (signalAt === null) signalAt = watch.livedMs;
  else if (watch.livedMs - signalAt >= SAME_SIGNAL_MS) isTwice = true;
}

systemClock.every(LOOK_MS, look);
if (cancel !== null) systemClock.after(WARM_UP_MS, () => void emergencyParts());
hearSignals(signalled);
parentPort?.postMessage('ready');
