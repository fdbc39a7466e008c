/** Names a strategy that does not return in a backtest. It ends nothing. */
import { write } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { systemClock } from '../clock/system-clock.ts';
import { culpritOf, type WatchedStrategy } from './culprit.ts';
import { MainThread } from './main-thread.ts';
import { Pulse } from './pulse.ts';
import { StandStill } from './stand-still.ts';

export interface SupervisedReplay {
  readonly memory: Int32Array;
  readonly strategies: readonly WatchedStrategy[];
}

const LOOK_MS = 500;
const GAP_MS_MAX = 1_500;
const PATIENCE_MS = 10_000;
const STOP_MS = 2_000;

const { memory, strategies } = workerData as SupervisedReplay;
const pulse = new Pulse(memory);
const watch = new StandStill(pulse.get('beat'), performance.now(), GAP_MS_MAX);
let isSaid = false;

async function say(stoodMs: number): Promise<void> {
  const main = new MainThread();
  const { strategy, place } = culpritOf(await main.stop(STOP_MS), strategies);
  main.release();
  if (strategy === null) return;
  const seconds = (stoodMs / 1000).toFixed(0);
  write(2, `\nwarn strategy ${strategy} has not come back for ${seconds} s, at ${place}; Ctrl-C ends it\n`, () => {});
}

systemClock.every(LOOK_MS, () => {
  watch.look(pulse.get('beat'), performance.now());
  if (watch.stoodMs < PATIENCE_MS) {
    isSaid = false;
  } else if (!isSaid) {
    isSaid = true;
    void say(watch.stoodMs);
  }
});
