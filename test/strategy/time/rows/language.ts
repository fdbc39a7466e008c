/** What the language and Node have without RxJS, and promises that wait for the clock. */
import * as rx from 'rxjs';
import type { Observable } from 'rxjs';
import { finite, type TimeRow } from '../time-row.ts';

/** Ends what `make` started when it is unsubscribed. */
function plain(make: (say: (value: unknown) => void) => () => void): Observable<unknown> {
  return new rx.Observable<unknown>((subscriber) => make((value) => subscriber.next(value)));
}

async function* counting(unit: number): AsyncGenerator<number> {
  for (let count = 1; count <= 3; count++) {
    await rx.firstValueFrom(rx.timer(count * unit));
    yield count;
  }
}

export const language: readonly TimeRow[] = [
  {
    name: 'setTimeout and clearTimeout',
    make: (u) =>
      plain((say) => {
        const never = setTimeout(say, u, 'never');
        const timers = [
          setTimeout(say, 2 * u, 'b'),
          setTimeout(say, u, 'a'),
          setTimeout(() => clearTimeout(never), 0.5 * u),
        ];
        return () => timers.forEach((timer) => clearTimeout(timer));
      }),
    expected: [
      [1, 'a'],
      [2, 'b'],
    ],
  },
  {
    name: 'setInterval and clearInterval',
    make: (u) =>
      plain((say) => {
        let count = 0;
        const timer = setInterval(() => {
          say(++count);
          if (count === 3) clearInterval(timer);
        }, 2 * u);
        return () => clearInterval(timer);
      }),
    expected: [
      [2, 1],
      [4, 2],
      [6, 3],
    ],
  },
  {
    name: 'setTimeout, refreshed',
    make: (u) =>
      plain((say) => {
        const late = setTimeout(say, 2 * u, 'late');
        const refresh = setTimeout(() => late.refresh(), 1.5 * u);
        return () => [late, refresh].forEach((timer) => clearTimeout(timer));
      }),
    expected: [[3.5, 'late']],
  },
  {
    name: 'setImmediate and clearImmediate',
    make: () =>
      plain((say) => {
        const soon = setImmediate(say, 'soon');
        clearImmediate(setImmediate(say, 'never'));
        return () => clearImmediate(soon);
      }),
    expected: [[0, 'soon']],
  },
  {
    name: 'Date',
    make: (u) => {
      const start = Date.now();
      const passed = (): readonly number[] =>
        [Date.now() - start, new Date().getTime() - start].map((ms) => Math.round(ms / u));
      return finite(u, [
        [1, 'a'],
        [3, 'b'],
      ]).pipe(rx.map(passed));
    },
    expected: [
      [1, [1, 1]],
      [3, [3, 3]],
      [3, 'done'],
    ],
  },
  {
    name: 'queueMicrotask',
    make: () => plain((say) => (queueMicrotask(() => say('then')), say('first'), () => {})),
    expected: [
      [0, 'first'],
      [0, 'then'],
    ],
  },
  {
    name: 'an async generator',
    make: (u) => rx.from(counting(u)),
    expected: [
      [1, 1],
      [3, 2],
      [6, 3],
      [6, 'done'],
    ],
  },
  {
    name: 'an async function',
    make: (u) =>
      finite(u, [
        [1, 'a'],
        [2, 'b'],
      ]).pipe(
        rx.concatMap(async (value) => {
          await rx.firstValueFrom(rx.timer(2 * u));
          return value;
        }),
      ),
    expected: [
      [3, 'a'],
      [5, 'b'],
      [5, 'done'],
    ],
  },
];
