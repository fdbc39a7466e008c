/** The supervisor thread of a session. It ends the process when its patience is over (`patience.ts`). */
import { parentPort, workerData } from 'node:worker_threads';
import { endAtOnce } from './end-at-once.ts';
import { Patience } from './patience.ts';
import { Pulse } from './pulse.ts';
import { cancelling, emergencyParts, type Rescue } from './rescue.ts';
import { hearSignals } from './signals.ts';
import { systemClock } from '../clock/system-clock.ts';
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
/** The session's start reads its files first. */
const WARM_UP_MS = 1_500;

const session = workerData as SupervisedSession;
const pulse = new Pulse(session.memory);
const patience = new Patience(session.stallMs, pulse.get('beat'), performance.now());
const cancel = session.rescue === null ? null : cancelling(session.rescue);
let isOver = false;

function look(): void {
  if (isOver) return;
  const cause = patience.look({
    beat: pulse.get('beat'),
    nowMs: performance.now(),
    isArmed: pulse.get('armed') === 1,
    isEnding: pulse.get('ending') === 1,
    isAtOnce: pulse.get('atOnce') === 1,
  });
  if (cause === null) return;
  isOver = true;
  const { path, strategies, json } = session;
  void endAtOnce({ cause, stoodMs: patience.stoodMs, path, strategies, cancel, json });
}

systemClock.every(LOOK_MS, look);
if (cancel !== null) systemClock.after(WARM_UP_MS, () => void emergencyParts());
hearSignals(() => patience.signalled());
parentPort?.postMessage('ready');
