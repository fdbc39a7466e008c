/**
 * One virtual clock for everything in a simulated world, and the loop that drives it: after each instant all promises
 * that it resolved have run, before time goes on. Nothing here looks at the machine's clock.
 */
import { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';

/** Taken before any session replaces the globals of strategies. */
const turn = setImmediate;
const tick = process.nextTick.bind(process);

/** So often the event loop has a turn, in which messages, signals and rejections that nobody handles are heard. */
const INSTANTS_A_TURN = 256;

/** Whoever waits goes on as a promise of a turn of its own. */
function turnOver(): Promise<void> {
  return new Promise((resolve) => {
    turn(resolve);
  });
}

/**
 * Asked for out of a promise, a tick comes when no promise has anything left to do, as a turn does, at a fraction of its cost.
 */
function promisesRun(): Promise<void> {
  return new Promise((resolve) => {
    tick(resolve);
  });
}

export class SimulatedTime {
  readonly clock: VirtualClock;
  /** Instants at which something happened. */
  instants = 0;

  constructor(startMs: number) {
    this.clock = new VirtualClock(startMs * 1000);
  }

  /** `after` runs when an instant is over, its promises included. */
  async runTo(us: number, after: () => void): Promise<void> {
    for (let count = 0; this.clock.step(us); count++) {
      this.instants++;
      await (count % INSTANTS_A_TURN === 0 ? turnOver() : promisesRun());
      after();
    }
    this.clock.advanceTo(us);
  }
}
