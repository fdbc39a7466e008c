/** Creators that take a time or a scheduler. */
import * as rx from 'rxjs';
import { TURN, type TimeRow } from '../time-row.ts';

export const creators: readonly TimeRow[] = [
  {
    name: 'timer',
    make: (u) => rx.timer(2 * u),
    expected: [
      [2, 0],
      [2, 'done'],
    ],
  },
  {
    name: 'timer with a period',
    make: (u) => rx.timer(u, 2 * u).pipe(rx.take(3)),
    expected: [
      [1, 0],
      [3, 1],
      [5, 2],
      [5, 'done'],
    ],
  },
  {
    name: 'timer until a Date',
    make: (u) => rx.defer(() => rx.timer(new Date(Date.now() + 2 * u))),
    expected: [
      [2, 0],
      [2, 'done'],
    ],
  },
  {
    name: 'interval',
    make: (u) => rx.interval(2 * u).pipe(rx.take(3)),
    expected: [
      [2, 0],
      [4, 1],
      [6, 2],
      [6, 'done'],
    ],
  },
  {
    name: 'of on a scheduler',
    make: () => rx.scheduled([1, 2], rx.asyncScheduler),
    expected: [
      [0, 1],
      [TURN, 2],
      [2 * TURN, 'done'],
    ],
  },
  {
    name: 'range on a scheduler',
    make: () => rx.range(1, 2, rx.asyncScheduler),
    expected: [
      [0, 1],
      [TURN, 2],
      [2 * TURN, 'done'],
    ],
  },
  {
    name: 'generate on a scheduler',
    make: () =>
      rx.generate({ initialState: 1, condition: (n) => n < 3, iterate: (n) => n + 1, scheduler: rx.asyncScheduler }),
    expected: [
      [0, 1],
      [TURN, 2],
      [2 * TURN, 'done'],
    ],
  },
  {
    name: 'throwError on a scheduler',
    make: () => rx.throwError(() => new RangeError('late'), rx.asyncScheduler),
    expected: [[0, 'error RangeError']],
  },
  {
    name: 'bindCallback on a scheduler',
    make: (u) =>
      rx.bindCallback(
        (done: (value: string) => void) => void rx.timer(2 * u).subscribe(() => done('called')),
        rx.asyncScheduler,
      )(),
    expected: [
      [2, 'called'],
      [2, 'done'],
    ],
  },
  {
    name: 'bindNodeCallback on a scheduler',
    make: (u) =>
      rx.bindNodeCallback(
        (done: (failed: unknown, value: string) => void) => void rx.timer(2 * u).subscribe(() => done(null, 'called')),
        rx.asyncScheduler,
      )(),
    expected: [
      [2, 'called'],
      [2, 'done'],
    ],
  },
  {
    name: 'animationFrames, of which Node has none',
    make: () => rx.animationFrames(),
    expected: [[0, 'error ReferenceError']],
  },
];
