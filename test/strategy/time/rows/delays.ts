/** Operators that move values, or the ends of a stream, in time. Operators that limit and measure time. */
import * as rx from 'rxjs';
import { finite, script, type TimeRow } from '../time-row.ts';

export const delays: readonly TimeRow[] = [
  {
    name: 'delay',
    make: (u) =>
      finite(u, [
        [1, 'a'],
        [2, 'b'],
      ]).pipe(rx.delay(2 * u)),
    expected: [
      [3, 'a'],
      [4, 'b'],
      [4, 'done'],
    ],
  },
  {
    name: 'delay until a Date',
    make: (u) =>
      rx.defer(() =>
        finite(u, [
          [1, 'a'],
          [4, 'b'],
        ]).pipe(rx.delay(new Date(Date.now() + 3 * u))),
      ),
    expected: [
      [3, 'a'],
      [4, 'b'],
      [4, 'done'],
    ],
  },
  {
    name: 'delayWhen',
    make: (u) =>
      finite(u, [
        [1, 'a'],
        [2, 'b'],
      ]).pipe(rx.delayWhen((_, index) => rx.timer((index + 1) * u))),
    expected: [
      [2, 'a'],
      [4, 'b'],
      [4, 'done'],
    ],
  },
  {
    name: 'observeOn',
    make: (u) =>
      finite(u, [
        [1, 'a'],
        [2, 'b'],
      ]).pipe(rx.observeOn(rx.asyncScheduler, 2.5 * u)),
    expected: [
      [3.5, 'a'],
      [4.5, 'b'],
      [4.5, 'done'],
    ],
  },
  {
    name: 'subscribeOn',
    make: (u) => rx.timer(u).pipe(rx.subscribeOn(rx.asyncScheduler, 2 * u)),
    expected: [
      [3, 0],
      [3, 'done'],
    ],
  },
  {
    name: 'takeUntil',
    make: (u) => rx.interval(u).pipe(rx.takeUntil(rx.timer(2.5 * u))),
    expected: [
      [1, 0],
      [2, 1],
      [2.5, 'done'],
    ],
  },
  {
    name: 'skipUntil',
    make: (u) => rx.interval(u).pipe(rx.skipUntil(rx.timer(1.5 * u)), rx.take(2)),
    expected: [
      [2, 1],
      [3, 2],
      [3, 'done'],
    ],
  },
  {
    name: 'race',
    make: (u) => rx.race(rx.timer(2 * u).pipe(rx.map(() => 'late')), rx.timer(u).pipe(rx.map(() => 'early'))),
    expected: [
      [1, 'early'],
      [1, 'done'],
    ],
  },
];

export const limits: readonly TimeRow[] = [
  {
    name: 'timeout of each',
    make: (u) => script(u, [1, 'a'], [2.5, 'b']).pipe(rx.timeout(2 * u)),
    expected: [
      [1, 'a'],
      [2.5, 'b'],
      [4.5, 'error TimeoutError'],
    ],
  },
  {
    name: 'timeout of the first',
    make: (u) => script(u, [4, 'a']).pipe(rx.timeout({ first: 3 * u })),
    expected: [[3, 'error TimeoutError']],
  },
  {
    name: 'timeout of the first, met',
    make: (u) => script(u, [1, 'a']).pipe(rx.timeout({ first: 3 * u })),
    expected: [[1, 'a']],
  },
  {
    name: 'timeout at a Date',
    make: (u) => rx.defer(() => script(u, [4, 'a']).pipe(rx.timeout(new Date(Date.now() + 2 * u)))),
    expected: [[2, 'error TimeoutError']],
  },
  {
    name: 'timeout with another stream',
    make: (u) =>
      script(u, [1, 'a']).pipe(rx.timeout({ each: 2 * u, with: () => rx.timer(u).pipe(rx.map(() => 'other')) })),
    expected: [
      [1, 'a'],
      [4, 'other'],
      [4, 'done'],
    ],
  },
  {
    name: 'timeoutWith',
    make: (u) => script(u, [1, 'a']).pipe(rx.timeoutWith(2 * u, rx.of('other'))),
    expected: [
      [1, 'a'],
      [3, 'other'],
      [3, 'done'],
    ],
  },
  {
    name: 'timeInterval',
    make: (u) =>
      script(u, [1, 'a'], [3, 'b']).pipe(
        rx.timeInterval(),
        rx.map(({ value, interval }) => [value, Math.round(interval / u)]),
      ),
    expected: [
      [1, ['a', 1]],
      [3, ['b', 2]],
    ],
  },
  {
    name: 'timestamp',
    make: (u) =>
      rx.defer(() => {
        const start = Date.now();
        return script(u, [1, 'a'], [3, 'b']).pipe(
          rx.timestamp(),
          rx.map(({ value, timestamp }) => [value, Math.round((timestamp - start) / u)]),
        );
      }),
    expected: [
      [1, ['a', 1]],
      [3, ['b', 3]],
    ],
  },
];
