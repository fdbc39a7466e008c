import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  asapScheduler,
  asyncScheduler,
  auditTime,
  bufferTime,
  concat,
  debounceTime,
  delay,
  EMPTY,
  interval,
  map,
  NEVER,
  observeOn,
  of,
  retry,
  sampleTime,
  Subject,
  take,
  takeUntil,
  throttleTime,
  throwError,
  timeInterval,
  timeout,
  timer,
  timestamp,
  type Observable,
} from 'rxjs';
import { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import { installVirtualTime } from '../../../src/strategy/running/virtual-time.ts';

const START = 1_000_000;

let clock: VirtualClock;
let remove: () => void;
let unhandled: unknown[];

beforeEach(() => {
  clock = new VirtualClock(START * 1000);
  unhandled = [];
  remove = installVirtualTime(clock, { unhandled: (thrown) => void unhandled.push(thrown) });
});
afterEach(() => remove());

/** What a stream emits within `ms`, each with its time since the start. */
function marks<T>(stream: Observable<T>, ms: number): readonly (readonly [number, T | string])[] {
  const seen: (readonly [number, T | string])[] = [];
  const at = (): number => clock.now() - START;
  const subscription = stream.subscribe({
    next: (value) => void seen.push([at(), value]),
    error: (thrown: unknown) => void seen.push([at(), `error ${(thrown as Error).name}`]),
    complete: () => void seen.push([at(), 'done']),
  });
  clock.advanceTo((START + ms) * 1000);
  subscription.unsubscribe();
  return seen;
}

/** Emits each value at its time. */
function script<T>(...entries: readonly (readonly [number, T])[]): Observable<T> {
  const subject = new Subject<T>();
  for (const [ms, value] of entries) clock.schedule((START + ms) * 1000, 'delivery', () => subject.next(value));
  return subject;
}

describe('RxJS on the session clock', () => {
  test('interval and timer fire at start + n × interval, without drift', () => {
    expect(marks(interval(250).pipe(take(3)), 2000)).toEqual([
      [250, 0],
      [500, 1],
      [750, 2],
      [750, 'done'],
    ]);
  });

  test('timer with a first delay and a period', () => {
    expect(marks(timer(100, 30).pipe(take(3)), 1000)).toEqual([
      [100, 0],
      [130, 1],
      [160, 2],
      [160, 'done'],
    ]);
  });

  test('a fractional interval keeps its grid to the microsecond over many periods', () => {
    const seen = marks(interval(0.3).pipe(take(10_000)), 10_000);
    expect(seen).toHaveLength(10_001);
    for (const index of [0, 1, 99, 3333, 9999]) expect(seen[index]?.[0]).toBeCloseTo((index + 1) * 0.3, 6);
  });

  test('timer(0) fires at the same instant, and a repeated timer of 0 ms lets time pass', () => {
    expect(marks(timer(0), 10)).toEqual([
      [0, 0],
      [0, 'done'],
    ]);
    const seen = marks(interval(0).pipe(take(4)), 20);
    expect(seen.map(([at]) => at - (seen[0]?.[0] ?? 0))).toEqual([0, 1, 2, 3, 3]);
  });

  test('debounceTime waits from the last value', () => {
    expect(marks(script([0, 'a'], [50, 'b'], [90, 'c'], [400, 'd']).pipe(debounceTime(100)), 1000)).toEqual([
      [190, 'c'],
      [500, 'd'],
    ]);
  });

  test('throttleTime lets the first of each window pass, trailing adds the last', () => {
    const entries = [
      [0, 1],
      [100, 2],
      [249, 3],
      [250, 4],
      [600, 5],
    ] as const;
    expect(marks(script(...entries).pipe(throttleTime(250)), 2000)).toEqual([
      [0, 1],
      [600, 5],
    ]);
  });

  test('throttleTime with a trailing value', () => {
    const entries = [
      [0, 1],
      [100, 2],
      [249, 3],
      [600, 5],
    ] as const;
    const seen = marks(
      script(...entries).pipe(throttleTime(250, asyncScheduler, { leading: true, trailing: true })),
      2000,
    );
    expect(seen).toEqual([
      [0, 1],
      [250, 3],
      [600, 5],
    ]);
  });

  test('delay shifts each value', () => {
    expect(marks(script([10, 'a'], [20, 'b']).pipe(delay(100)), 500)).toEqual([
      [110, 'a'],
      [120, 'b'],
    ]);
  });

  test('auditTime gives the last value of the window that the first opened', () => {
    expect(marks(script([10, 'a'], [40, 'b'], [300, 'c']).pipe(auditTime(50)), 500)).toEqual([
      [60, 'b'],
      [350, 'c'],
    ]);
  });

  test('sampleTime looks on its own grid', () => {
    expect(marks(script([10, 'a'], [40, 'b'], [150, 'c']).pipe(sampleTime(100)), 250)).toEqual([
      [100, 'b'],
      [200, 'c'],
    ]);
  });

  test('bufferTime hands over what came in each window', () => {
    expect(marks(script([10, 'a'], [40, 'b'], [150, 'c']).pipe(bufferTime(100), take(3)), 350)).toEqual([
      [100, ['a', 'b']],
      [200, ['c']],
      [300, []],
      [300, 'done'],
    ]);
  });

  test('timeout errors exactly when its time is over', () => {
    expect(marks(NEVER.pipe(timeout(333)), 1000)).toEqual([[333, 'error TimeoutError']]);
  });

  test('retry waits its delay between attempts', () => {
    let attempts = 0;
    const source = concat(
      of('x'),
      throwError(() => new Error(`attempt ${++attempts}`)),
    );
    expect(marks(source.pipe(retry({ count: 2, delay: 100 })), 1000)).toEqual([
      [0, 'x'],
      [100, 'x'],
      [200, 'x'],
      [200, 'error Error'],
    ]);
  });

  test('timestamp tells the time of the session', () => {
    expect(
      marks(
        interval(100).pipe(
          timestamp(),
          map((item) => item.timestamp - START),
          take(2),
        ),
        500,
      ).slice(0, 2),
    ).toEqual([
      [100, 100],
      [200, 200],
    ]);
  });

  test('timeInterval measures on the clock of the session', () => {
    expect(
      marks(
        interval(40).pipe(
          timeInterval(),
          map((item) => item.interval),
          take(2),
        ),
        500,
      ).map(([, value]) => value),
    ).toEqual([40, 40, 'done']);
  });

  test('asap tasks run at the same instant on the clock', () => {
    expect(marks(of(1, 2).pipe(observeOn(asapScheduler)), 10)).toEqual([
      [0, 1],
      [0, 2],
      [0, 'done'],
    ]);
  });

  test('timers of the same instant fire in the order in which they were armed', () => {
    const order: string[] = [];
    timer(100).subscribe(() => order.push('first'));
    timer(100).subscribe(() => order.push('second'));
    clock.advanceTo((START + 100) * 1000);
    expect(order).toEqual(['first', 'second']);
  });

  test('unsubscribing cancels the timer', () => {
    const waiting = timer(100).subscribe();
    const before = clock.pendingTimers;
    waiting.unsubscribe();
    expect(clock.pendingTimers).toBe(before - 1);
    expect(marks(interval(10).pipe(takeUntil(timer(35))), 100)).toHaveLength(4);
    expect(clock.pendingTimers).toBe(0);
  });

  test('an error that nobody takes is told, not thrown', () => {
    throwError(() => new Error('nobody')).subscribe();
    expect(unhandled).toEqual([]);
    clock.advanceTo((START + 1) * 1000);
    expect(unhandled.map(String)).toEqual(['Error: nobody']);
  });

  test('a second session in the same thread is refused', () => {
    expect(() => installVirtualTime(new VirtualClock(0), { unhandled: () => {} })).toThrow(
      expect.objectContaining({ code: 'clock_already_installed' }),
    );
  });

  test('removing gives RxJS back to real time and drops every timer', () => {
    const kept = timer(5).subscribe(() => expect.unreachable());
    remove();
    clock.advanceTo((START + 10) * 1000);
    expect(Math.abs(asyncScheduler.now() - Date.now())).toBeLessThan(1000);
    kept.unsubscribe();
    expect(EMPTY).toBeDefined();
  });
});
