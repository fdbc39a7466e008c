/**
 * One virtual clock for everything in a simulated world, and the loop that drives it: after each instant all promises
 * that it resolved have run, before time goes on. Nothing here looks at the machine's clock.
 */
import { VirtualClock } from '../../../src/simulation/virtual-clock.ts';

/** Taken before any session replaces the globals of strategies. */
const turn = setImmediate;

function promisesRun(): Promise<void> {
  return new Promise((resolve) => {
    turn(resolve);
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
    while (this.clock.step(us)) {
      this.instants++;
      await promisesRun();
      after();
    }
    this.clock.advanceTo(us);
  }
}
