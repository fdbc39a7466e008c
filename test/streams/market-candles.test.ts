import { describe, expect, it } from 'vitest';
import { isTidewireError } from '../../src/model/errors.ts';
import type { Candle } from '../../src/model/market/views.ts';
import { MarketData } from '../../src/streams/market-data.ts';
import { FakeClock } from './fake-clock.ts';
import { candle, depth, instruments, trade, usualRows } from './market-fixtures.ts';

const MINUTE = 60_000;
const T = 1_700_000_040_000;

function start(): { clock: FakeClock; data: MarketData; closed: Candle[]; forming: Candle[] } {
  const clock = new FakeClock(T);
  const data = new MarketData({ instruments, clock, bookStart: () => 'updates' });
  const closed: Candle[] = [];
  const forming: Candle[] = [];
  data.candles('BTCUSDT', '1m').subscribe((value) => closed.push(value));
  data.candles('BTCUSDT', '1m', { forming: true }).subscribe((value) => forming.push(value));
  return { clock, data, closed, forming };
}

const minutes = (candles: readonly Candle[]): number[] => candles.map(({ openTime }) => (openTime - T) / MINUTE);

describe('candles from trades', () => {
  it('close with the first event of the symbol past the boundary, a depth message too', () => {
    const { data, closed } = start();
    data.onEvent(trade({ ms: T + 10 }, 10_000));
    data.onEvent(depth({ ms: T + MINUTE - 1 }, true, 1, usualRows));
    expect(closed).toEqual([]);
    data.onEvent(depth({ ms: T + MINUTE }, false, 2, []));
    expect(closed).toMatchObject([{ openTime: T, intervalMs: MINUTE, close: 100, volume: 1, closed: true }]);
  });

  it('close one second after the boundary when nothing comes, and go on repeating', () => {
    const { clock, data, closed } = start();
    data.onEvent(trade({ ms: T }, 10_000));
    clock.advanceTo(T + MINUTE + 999);
    expect(closed).toEqual([]);
    clock.advanceTo(T + MINUTE + 1000);
    expect(minutes(closed)).toEqual([0]);
    clock.advanceTo(T + 3 * MINUTE + 1000);
    expect(minutes(closed)).toEqual([0, 1, 2]);
    expect(closed.map(({ volume, close }) => [volume, close])).toEqual([
      [1, 100],
      [0, 100],
      [0, 100],
    ]);
  });

  it('a local clock that is ahead of the exchange closes nothing early', () => {
    const { clock, data, closed } = start();
    clock.advanceTo(T + 5000);
    const ahead = trade({ ms: T }, 10_000);
    data.onEvent({ ...ahead, receiveUs: (T + 5000) * 1000 });
    clock.advanceTo(T + MINUTE + 5999);
    expect(closed).toEqual([]);
    clock.advanceTo(T + MINUTE + 6000);
    expect(minutes(closed)).toEqual([0]);
  });

  it('with forming, the unfinished candle after each trade and the closed one in its turn', () => {
    const { data, forming } = start();
    data.onEvent(trade({ ms: T }, 10_000));
    data.onEvent(trade({ ms: T + 1 }, 10_100));
    data.onEvent(trade({ ms: T + MINUTE }, 10_200));
    expect(forming.map(({ close, closed }) => [close, closed])).toEqual([
      [100, false],
      [101, false],
      [101, true],
      [102, false],
    ]);
  });

  it('closed candles do not replay, and one builder serves all who ask for an interval', () => {
    const { data, closed } = start();
    data.onEvent(trade({ ms: T }, 10_000));
    data.onEvent(trade({ ms: T + MINUTE }, 10_100));
    const late: Candle[] = [];
    data.candles('BTCUSDT', '60s').subscribe((value) => late.push(value));
    data.onEvent(trade({ ms: T + 2 * MINUTE }, 10_200));
    expect(minutes(late)).toEqual([1]);
    expect(late[0]).toBe(closed[1]);
  });

  it('a subscriber who comes back within an interval gets the whole candle', () => {
    const clock = new FakeClock(T);
    const data = new MarketData({ instruments, clock });
    const first = data.candles('BTCUSDT', '1m').subscribe(() => {});
    data.onEvent(trade({ ms: T }, 10_000));
    first.unsubscribe();
    data.onEvent(trade({ ms: T + 5 }, 10_500));
    const closed: Candle[] = [];
    data.candles('BTCUSDT', '1m').subscribe((value) => closed.push(value));
    data.onEvent(trade({ ms: T + MINUTE }, 10_100));
    expect(closed).toMatchObject([{ open: 100, high: 105, close: 105, volume: 2 }]);
  });

  it('no timer runs when nobody is subscribed', () => {
    const { clock, data } = start();
    data.onEvent(trade({ ms: T }, 10_000));
    expect(clock.pending).toBe(1);
    data.close();
    expect(clock.pending).toBe(0);
  });

  it('an event with a time hours ahead of its receipt moves nothing on', () => {
    const { data, closed } = start();
    data.onEvent(trade({ ms: T }, 10_000));
    const wrong = trade({ ms: T + 1 }, 99_999);
    data.onEvent({ ...wrong, exchangeUs: (T + 1) * 1000 * 1000 });
    data.onEvent(trade({ ms: T + MINUTE }, 10_100));
    expect(closed).toMatchObject([{ openTime: T, high: 100 }]);
  });

  it('an interval that is none is a typed error', () => {
    const { data } = start();
    for (const interval of ['', '1x', '0m', '-1m', '0.5ms']) {
      let thrown: unknown;
      try {
        data.candles('BTCUSDT', interval);
      } catch (error) {
        thrown = error;
      }
      expect(isTidewireError(thrown) && thrown.code).toBe('bad_interval');
    }
  });
});

describe('recorded candles', () => {
  it('are delivered as they are where there are no trades, with no timer and no filling', () => {
    const { clock, data, closed } = start();
    data.onEvent(candle({ ms: T + MINUTE }, MINUTE, T, 100));
    data.onEvent(candle({ ms: T + 5 * MINUTE }, MINUTE, T + 4 * MINUTE, 104));
    expect(minutes(closed)).toEqual([0, 4]);
    expect(clock.pending).toBe(0);
    expect(data.mid('BTCUSDT')).toBe(104);
  });

  it('make coarser intervals', () => {
    const { data } = start();
    const five: Candle[] = [];
    data.candles('BTCUSDT', '5m').subscribe((value) => five.push(value));
    const aligned = Math.ceil(T / (5 * MINUTE)) * 5 * MINUTE;
    for (let minute = 0; minute < 5; minute++) {
      const openTime = aligned + minute * MINUTE;
      data.onEvent(candle({ ms: openTime + MINUTE }, MINUTE, openTime, 100 + minute));
    }
    expect(five).toMatchObject([{ openTime: aligned, open: 100, high: 104, close: 104, volume: 5 }]);
  });

  it('go on where another session stood', () => {
    const [before, after] = [start().data, start().data];
    const five: Candle[] = [];
    const aligned = Math.ceil(T / (5 * MINUTE)) * 5 * MINUTE;
    before.candles('BTCUSDT', '5m').subscribe();
    after.candles('BTCUSDT', '5m').subscribe((value) => five.push(value));
    for (let minute = 0; minute < 5; minute++) {
      if (minute === 3) after.resumeCandles(before.candlesAt((aligned + 3 * MINUTE) * 1000));
      const openTime = aligned + minute * MINUTE;
      (minute < 3 ? before : after).onEvent(candle({ ms: openTime + MINUTE }, MINUTE, openTime, 100 + minute));
    }
    expect(five).toMatchObject([{ openTime: aligned, open: 100, high: 104, close: 104, volume: 5 }]);
  });

  it('are passed over once there are trades, so that no candle comes twice', () => {
    const { data, closed } = start();
    data.onEvent(trade({ ms: T }, 10_000));
    data.onEvent(candle({ ms: T + 1 }, MINUTE, T - MINUTE, 99));
    data.onEvent(trade({ ms: T + MINUTE }, 10_000));
    data.onEvent(candle({ ms: T + MINUTE + 1 }, MINUTE, T, 100));
    expect(minutes(closed)).toEqual([0]);
  });
});
