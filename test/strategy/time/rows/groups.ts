/** Operators that cut a stream into parts by time. */
import * as rx from 'rxjs';
import type { Observable } from 'rxjs';
import { script, type TimeRow } from '../time-row.ts';

const collected: rx.OperatorFunction<Observable<string>, string[]> = rx.mergeMap((part) => part.pipe(rx.toArray()));

export const groups: readonly TimeRow[] = [
  {
    name: 'bufferTime',
    make: (u) => script(u, [1, 'a'], [1.5, 'b'], [3, 'c']).pipe(rx.bufferTime(2 * u), rx.take(3)),
    expected: [
      [2, ['a', 'b']],
      [4, ['c']],
      [6, []],
      [6, 'done'],
    ],
  },
  {
    name: 'bufferTime, overlapping',
    make: (u) => script(u, [1, 'a'], [2.5, 'b'], [4.5, 'c']).pipe(rx.bufferTime(3 * u, 2 * u), rx.take(2)),
    expected: [
      [3, ['a', 'b']],
      [5, ['b', 'c']],
      [5, 'done'],
    ],
  },
  {
    name: 'bufferTime of a size',
    make: (u) => script(u, [1, 'a'], [2, 'b'], [3, 'c']).pipe(rx.bufferTime(4 * u, null, 2), rx.take(2)),
    expected: [
      [2, ['a', 'b']],
      [6, ['c']],
      [6, 'done'],
    ],
  },
  {
    name: 'buffer',
    make: (u) => script(u, [1, 'a'], [1.5, 'b'], [3, 'c']).pipe(rx.buffer(rx.interval(2 * u)), rx.take(2)),
    expected: [
      [2, ['a', 'b']],
      [4, ['c']],
      [4, 'done'],
    ],
  },
  {
    name: 'bufferToggle',
    make: (u) =>
      script(u, [1, 'a'], [3.5, 'b'], [6.5, 'c']).pipe(
        rx.bufferToggle(rx.interval(3 * u), () => rx.timer(u)),
        rx.take(2),
      ),
    expected: [
      [4, ['b']],
      [7, ['c']],
      [7, 'done'],
    ],
  },
  {
    name: 'bufferWhen',
    make: (u) =>
      script(u, [1, 'a'], [1.5, 'b'], [3, 'c']).pipe(
        rx.bufferWhen(() => rx.timer(2 * u)),
        rx.take(2),
      ),
    expected: [
      [2, ['a', 'b']],
      [4, ['c']],
      [4, 'done'],
    ],
  },
  {
    name: 'windowTime',
    make: (u) => script(u, [1, 'a'], [1.5, 'b'], [3, 'c']).pipe(rx.windowTime(2 * u), collected, rx.take(2)),
    expected: [
      [2, ['a', 'b']],
      [4, ['c']],
      [4, 'done'],
    ],
  },
  {
    name: 'window',
    make: (u) => script(u, [1, 'a'], [1.5, 'b'], [3, 'c']).pipe(rx.window(rx.interval(2 * u)), collected, rx.take(2)),
    expected: [
      [2, ['a', 'b']],
      [4, ['c']],
      [4, 'done'],
    ],
  },
  {
    name: 'windowToggle',
    make: (u) =>
      script(u, [1, 'a'], [3.5, 'b'], [6.5, 'c']).pipe(
        rx.windowToggle(rx.interval(3 * u), () => rx.timer(u)),
        collected,
        rx.take(2),
      ),
    expected: [
      [4, ['b']],
      [7, ['c']],
      [7, 'done'],
    ],
  },
  {
    name: 'windowWhen',
    make: (u) =>
      script(u, [1, 'a'], [1.5, 'b'], [3, 'c']).pipe(
        rx.windowWhen(() => rx.timer(2 * u)),
        collected,
        rx.take(2),
      ),
    expected: [
      [2, ['a', 'b']],
      [4, ['c']],
      [4, 'done'],
    ],
  },
  {
    name: 'groupBy with a duration',
    make: (u) =>
      script(u, [1, 'a'], [2, 'b'], [3.5, 'c']).pipe(
        rx.groupBy(() => 0, { duration: () => rx.timer(2 * u) }),
        collected,
      ),
    expected: [
      [3, ['a', 'b']],
      [5.5, ['c']],
    ],
  },
];
