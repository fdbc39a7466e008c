/** The schedulers, and what is recursive on them. */
import * as rx from 'rxjs';
import type { TimeRow } from '../time-row.ts';

export const schedulers: readonly TimeRow[] = [
  {
    name: 'asapScheduler',
    make: () => rx.scheduled([1, 2], rx.asapScheduler),
    expected: [
      [0, 1],
      [0, 2],
      [0, 'done'],
    ],
  },
  {
    name: 'asapScheduler with a delay',
    make: (u) => rx.timer(2 * u, rx.asapScheduler),
    expected: [
      [2, 0],
      [2, 'done'],
    ],
  },
  {
    name: 'queueScheduler',
    make: () => rx.scheduled([1, 2], rx.queueScheduler),
    expected: [
      [0, 1],
      [0, 2],
      [0, 'done'],
    ],
  },
  {
    name: 'queueScheduler with a delay',
    make: (u) => rx.timer(2 * u, rx.queueScheduler),
    expected: [
      [2, 0],
      [2, 'done'],
    ],
  },
  {
    name: 'animationFrameScheduler with a delay',
    make: (u) => rx.timer(2 * u, rx.animationFrameScheduler),
    expected: [
      [2, 0],
      [2, 'done'],
    ],
  },
  {
    name: 'asyncScheduler.schedule, again and again',
    make: (u) =>
      new rx.Observable<number>((subscriber) =>
        rx.asyncScheduler.schedule(
          function work(count = 0) {
            subscriber.next(count);
            if (count === 2) subscriber.complete();
            else this.schedule(count + 1, (count + 1) * u);
          },
          u,
          0,
        ),
      ),
    expected: [
      [1, 0],
      [2, 1],
      [4, 2],
      [4, 'done'],
    ],
  },
  {
    name: 'expand',
    make: (u) => rx.of(1).pipe(rx.expand((n) => (n < 4 ? rx.of(n + 1).pipe(rx.delay(u)) : rx.EMPTY))),
    expected: [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [3, 'done'],
    ],
  },
  {
    name: 'expand on a scheduler',
    make: (u) =>
      rx
        .of(1)
        .pipe(
          rx.expand((n) => (n < 3 ? rx.timer(u).pipe(rx.map(() => n + 1)) : rx.EMPTY), Infinity, rx.asyncScheduler),
        ),
    expected: [
      [0, 1],
      [1, 2],
      [2, 3],
      [2, 'done'],
    ],
  },
];
