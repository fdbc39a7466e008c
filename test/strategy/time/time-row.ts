/**
 * One row for each operator, creator and scheduler of RxJS that uses time, and for what the language itself has: a
 * pipeline made for a unit of so many ms, and what it emits at which multiple of the unit. What does not complete ends with
 * the run. In real time the values and their order must be these; in virtual time the instants, too.
 */
import * as rx from 'rxjs';
import type { Observable } from 'rxjs';

/** When, in units, and what: a value as JSON has it, `done`, or `error` with the name of the error. */
export type Mark = readonly [number, unknown];

export interface TimeRow {
  readonly name: string;
  readonly make: (unit: number) => Observable<unknown>;
  readonly expected: readonly Mark[];
}

/** A scheduler's next turn without a delay, in units of 1000 ms: Node's timers have a grain of 1 ms. */
export const TURN = 0.001;

export function finite(unit: number, entries: readonly (readonly [number, string])[]): Observable<string> {
  return rx.merge(...entries.map(([at, value]) => rx.timer(at * unit).pipe(rx.map(() => value))));
}

/** Emits each value at its time, and never completes. */
export function script(unit: number, ...entries: readonly (readonly [number, string])[]): Observable<string> {
  return rx.merge(finite(unit, entries), rx.NEVER);
}
