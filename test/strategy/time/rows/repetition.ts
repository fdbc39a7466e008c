/** Operators that begin again after a time. What remembers values for a time, or shares a source for a time. */
import * as rx from 'rxjs';
import type { Observable } from 'rxjs';
import { script, type TimeRow } from '../time-row.ts';

function failing(unit: number): Observable<number> {
  return rx.concat(
    rx.timer(unit),
    rx.throwError(() => new Error('again')),
  );
}

export const again: readonly TimeRow[] = [
  {
    name: 'retry with a delay',
    make: (u) => failing(u).pipe(rx.retry({ count: 2, delay: 2 * u })),
    expected: [
      [1, 0],
      [4, 0],
      [7, 0],
      [7, 'error Error'],
    ],
  },
  {
    name: 'retry with a growing delay',
    make: (u) => failing(u).pipe(rx.retry({ count: 2, delay: (_, count) => rx.timer(count * u) })),
    expected: [
      [1, 0],
      [3, 0],
      [6, 0],
      [6, 'error Error'],
    ],
  },
  {
    name: 'retryWhen',
    make: (u) => failing(u).pipe(rx.retryWhen((errors) => errors.pipe(rx.delay(2 * u), rx.take(2)))),
    expected: [
      [1, 0],
      [4, 0],
      [6, 'done'],
    ],
  },
  {
    name: 'repeat with a delay',
    make: (u) => rx.timer(u).pipe(rx.repeat({ count: 3, delay: 2 * u })),
    expected: [
      [1, 0],
      [4, 0],
      [7, 0],
      [7, 'done'],
    ],
  },
  {
    name: 'repeat with a growing delay',
    make: (u) => rx.timer(u).pipe(rx.repeat({ count: 3, delay: (count) => rx.timer(count * u) })),
    expected: [
      [1, 0],
      [3, 0],
      [6, 0],
      [6, 'done'],
    ],
  },
  {
    name: 'repeatWhen',
    make: (u) => rx.timer(u).pipe(rx.repeatWhen((ends) => ends.pipe(rx.delay(2 * u), rx.take(1)))),
    expected: [
      [1, 0],
      [4, 0],
      [4, 'done'],
    ],
  },
];

/** Hears of what is shared from 4 units on. */
function lateOf(unit: number, shared: Observable<string>): Observable<string> {
  return rx.merge(shared.pipe(rx.ignoreElements()), rx.timer(4 * unit).pipe(rx.switchMap(() => shared)));
}

export const sharing: readonly TimeRow[] = [
  {
    name: 'shareReplay of a window',
    make: (u) =>
      lateOf(u, script(u, [1, 'a'], [2.5, 'b'], [5, 'c']).pipe(rx.shareReplay({ windowTime: 2 * u, refCount: true }))),
    expected: [
      [4, 'b'],
      [5, 'c'],
    ],
  },
  {
    name: 'publishReplay of a window',
    make: (u) =>
      lateOf(u, script(u, [1, 'a'], [2.5, 'b'], [5, 'c']).pipe(rx.publishReplay(Infinity, 2 * u), rx.refCount())),
    expected: [
      [4, 'b'],
      [5, 'c'],
    ],
  },
  {
    name: 'ReplaySubject of a window',
    make: (u) => {
      const subject = new rx.ReplaySubject<string>(Infinity, 2 * u);
      const source = script(u, [1, 'a'], [2.5, 'b'], [5, 'c']).pipe(
        rx.tap((value) => subject.next(value)),
        rx.ignoreElements(),
      );
      return rx.merge(source, lateOf(u, subject));
    },
    expected: [
      [4, 'b'],
      [5, 'c'],
    ],
  },
  {
    name: 'share, reset by a timer',
    make: (u) => {
      let count = 0;
      const shared = rx
        .defer(() => rx.merge(rx.of(++count), rx.NEVER))
        .pipe(rx.share({ connector: () => new rx.ReplaySubject(1), resetOnRefCountZero: () => rx.timer(2 * u) }));
      const look = (at: number): Observable<number> =>
        rx.timer(at * u).pipe(rx.switchMap(() => shared.pipe(rx.takeUntil(rx.timer(0.5 * u)))));
      return rx.merge(look(1), look(2), look(6));
    },
    expected: [
      [1, 1],
      [2, 1],
      [6, 2],
      [6.5, 'done'],
    ],
  },
];
