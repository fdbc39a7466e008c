/** A process's clock on the world's, without faults, that counts the timers that wait. Nothing runs once it is dead. */
import type { Cancel, Clock } from '../../src/model/ports.ts';
import type { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';

export class CensusClock implements Clock {
  dead = false;
  timers = 0;
  readonly #world: VirtualClock;

  constructor(world: VirtualClock) {
    this.#world = world;
  }

  now(): number {
    return this.#world.now();
  }

  nowUs(): number {
    return this.#world.nowUs();
  }

  after(delayMs: number, run: () => void): Cancel {
    let isOver = false;
    const end = (): void => {
      if (!isOver) this.timers--;
      isOver = true;
    };
    this.timers++;
    const cancel = this.#world.after(delayMs, () => {
      end();
      if (!this.dead) run();
    });
    return () => {
      cancel();
      end();
    };
  }

  every(intervalMs: number, run: () => void): Cancel {
    this.timers++;
    const cancel = this.#world.every(intervalMs, () => {
      if (!this.dead) run();
    });
    let isOver = false;
    return () => {
      cancel();
      if (!isOver) this.timers--;
      isOver = true;
    };
  }
}
