/**
 * No order stays in a state that is to pass (INV-L4): one that waits to leave has its time to live, one that has left its
 * deadline. Counted in seconds in which the process could act.
 */
import type { Machine } from './machine.ts';

/** A time to live of 10 s, or a deadline of 6 s, and what a timer may be late. */
const SECONDS_MAX = 15;

export class TransientLaw {
  readonly #machine: Machine;
  readonly #violated: (what: string) => void;
  /** Of each order that is on its way: seconds. */
  #ages = new Map<string, number>();

  constructor(machine: Machine, violated: (what: string) => void) {
    this.#machine = machine;
    this.#violated = violated;
  }

  everySecond(): void {
    const { process, processClock, boots } = this.#machine;
    if (process === null || !process.hasStarted || processClock?.isPaused === true) return;
    const ages = new Map<string, number>();
    for (const tag of process.tags) {
      for (const { ref, state } of process.engine?.executor.account(tag).openOrders() ?? []) {
        if (state !== 'pending' && state !== 'sending') continue;
        const name = `${boots}/${tag}/${ref}/${state}`;
        const age = (this.#ages.get(name) ?? 0) + 1;
        ages.set(name, age);
        if (age === SECONDS_MAX) this.#violated(`${ref} of ${tag} has been ${state} for ${age} s`);
      }
    }
    this.#ages = ages;
  }
}
