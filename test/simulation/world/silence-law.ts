/**
 * No line is kept on which nothing comes (INV-L2, reliability S01): the exchange answers every ping, so that silence means that
 * the line is half open. Counted in seconds in which the process could act.
 */
import type { Machine } from './machine.ts';

/** 26 s of silence, or 8 s without a pong after one of 22 s, and what a loop that is busy may hold back. */
const SECONDS_MAX = 60;

export class SilenceLaw {
  readonly #machine: Machine;
  readonly #violated: (what: string) => void;
  /** Of each line: seconds since something came. */
  #silent = new Map<string, number>();

  constructor(machine: Machine, violated: (what: string) => void) {
    this.#machine = machine;
    this.#violated = violated;
  }

  everySecond(): void {
    const { sockets, processClock, boots } = this.#machine;
    if (sockets === null || processClock?.isPaused === true) return;
    const silent = new Map<string, number>();
    for (const [line, heard] of sockets.heard) {
      const name = `${boots}/${line}/${heard}`;
      const seconds = (this.#silent.get(name) ?? 0) + 1;
      silent.set(name, seconds);
      if (seconds === SECONDS_MAX) this.#violated(`a line is kept on which nothing has come for ${seconds} s`);
    }
    this.#silent = silent;
  }
}
