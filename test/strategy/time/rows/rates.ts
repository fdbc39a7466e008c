/** Operators that thin a stream out by time. */
import * as rx from 'rxjs';
import { finite, script, type TimeRow } from '../time-row.ts';

const THREE = [
  [1, 'a'],
  [2, 'b'],
  [3, 'c'],
  [5, 'd'],
] as const;

export const rates: readonly TimeRow[] = [
  {
    name: 'debounceTime',
    make: (u) => script(u, [1, 'a'], [2, 'b'], [5, 'c']).pipe(rx.debounceTime(2 * u)),
    expected: [
      [4, 'b'],
      [7, 'c'],
    ],
  },
  {
    name: 'debounceTime at the end',
    make: (u) =>
      finite(u, [
        [1, 'a'],
        [2, 'b'],
      ]).pipe(rx.debounceTime(3 * u)),
    expected: [
      [2, 'b'],
      [2, 'done'],
    ],
  },
  {
    name: 'debounce',
    make: (u) => script(u, [1, 'a'], [2, 'b'], [5, 'c']).pipe(rx.debounce(() => rx.timer(2 * u))),
    expected: [
      [4, 'b'],
      [7, 'c'],
    ],
  },
  {
    name: 'throttleTime',
    make: (u) => script(u, ...THREE).pipe(rx.throttleTime(2.5 * u)),
    expected: [
      [1, 'a'],
      [5, 'd'],
    ],
  },
  {
    name: 'throttleTime, trailing',
    make: (u) =>
      script(u, ...THREE).pipe(rx.throttleTime(2.5 * u, rx.asyncScheduler, { leading: false, trailing: true })),
    expected: [
      [3.5, 'c'],
      [6, 'd'],
    ],
  },
  {
    name: 'throttleTime, leading and trailing',
    make: (u) =>
      script(u, ...THREE).pipe(rx.throttleTime(2.5 * u, rx.asyncScheduler, { leading: true, trailing: true })),
    expected: [
      [1, 'a'],
      [3.5, 'c'],
      [6, 'd'],
    ],
  },
  {
    name: 'throttle',
    make: (u) => script(u, ...THREE).pipe(rx.throttle(() => rx.timer(2.5 * u), { leading: true, trailing: true })),
    expected: [
      [1, 'a'],
      [3.5, 'c'],
      [6, 'd'],
    ],
  },
  {
    name: 'auditTime',
    make: (u) => script(u, [1, 'a'], [2, 'b'], [5, 'c']).pipe(rx.auditTime(2 * u)),
    expected: [
      [3, 'b'],
      [7, 'c'],
    ],
  },
  {
    name: 'audit',
    make: (u) => script(u, [1, 'a'], [2, 'b'], [5, 'c']).pipe(rx.audit(() => rx.timer(2 * u))),
    expected: [
      [3, 'b'],
      [7, 'c'],
    ],
  },
  {
    name: 'sampleTime',
    make: (u) => script(u, [1, 'a'], [1.5, 'b'], [5, 'c']).pipe(rx.sampleTime(2 * u)),
    expected: [
      [2, 'b'],
      [6, 'c'],
    ],
  },
  {
    name: 'sample',
    make: (u) => script(u, [1, 'a'], [1.5, 'b'], [5, 'c']).pipe(rx.sample(rx.interval(2 * u))),
    expected: [
      [2, 'b'],
      [6, 'c'],
    ],
  },
];
