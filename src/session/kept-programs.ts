/** The order programs of a run by their last word, the newest `PROGRAMS_MAX`. */
import type { ProgramUpdate } from '../model/program.ts';
import type { ResultProgram } from './result.ts';

const PROGRAMS_MAX = 10_000;

export class KeptPrograms {
  readonly #last = new Map<string, ProgramUpdate>();

  told(program: ProgramUpdate): void {
    this.#last.set(`${program.strategy} ${program.ref}`, program);
    if (this.#last.size <= PROGRAMS_MAX) return;
    for (const oldest of this.#last.keys()) {
      this.#last.delete(oldest);
      return;
    }
  }

  /** Adds those of a later part of the run. */
  follow(later: KeptPrograms): void {
    for (const program of later.#last.values()) this.told(program);
  }

  list(): readonly ResultProgram[] {
    return [...this.#last.values()].map(programRow);
  }
}

/** As results show it. */
export function programRow(program: ProgramUpdate): ResultProgram {
  const { ref, kind, strategy, symbol, state, reason, quantity, filled, averagePrice, startedAt, endedAt, children } =
    program;
  return { ref, kind, strategy, symbol, state, reason, quantity, filled, averagePrice, startedAt, endedAt, children };
}

/** With what it waits for. */
export function shownProgram(program: ProgramUpdate): ResultProgram & Pick<ProgramUpdate, 'next' | 'waitsFor'> {
  return { ...programRow(program), waitsFor: program.waitsFor, next: program.next };
}
