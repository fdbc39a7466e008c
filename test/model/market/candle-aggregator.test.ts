import { describe, expect, it } from 'vitest';
import { CandleAggregator } from '../../../src/model/market/candle-aggregator.ts';
import type { CandleEvent } from '../../../src/model/market/market-event.ts';
import type { Candle } from '../../../src/model/market/views.ts';
import { btcusdt } from '../depth-events.ts';

const MINUTE = 60_000;

function event(minute: number, close: number, options: { intervalMs?: number; closed?: boolean } = {}): CandleEvent {
  const intervalMs = options.intervalMs ?? MINUTE;
  const openTime = minute * MINUTE;
  const exchangeUs = (openTime + intervalMs) * 1000;
  const prices = { open: close - 1, high: close + 2, low: close - 3, close, volume: 1.5 };
  const closed = options.closed ?? true;
  return {
    kind: 'candle',
    instrument: btcusdt,
    exchangeUs,
    receiveUs: exchangeUs,
    intervalMs,
    openTime,
    ...prices,
    closed,
  };
}

function aggregator(intervalMs: number): { take: CandleAggregator; emitted: Candle[] } {
  const emitted: Candle[] = [];
  return { take: new CandleAggregator('BTCUSDT', intervalMs, (candle) => emitted.push(candle)), emitted };
}

describe('candles from recorded candles', () => {
  it('the wanted interval is handed on as it is, holes included, each once', () => {
    const { take, emitted } = aggregator(MINUTE);
    expect(take.onCandle(event(0, 100))).toBe('taken');
    expect(take.onCandle(event(0, 100))).toBe('ignored');
    expect(take.onCandle(event(7, 120))).toBe('taken');
    expect(emitted.map(({ openTime, close, closed }) => [openTime / MINUTE, close, closed])).toEqual([
      [0, 100, true],
      [7, 120, true],
    ]);
    expect(emitted[0]).toEqual({
      symbol: 'BTCUSDT',
      openTime: 0,
      intervalMs: MINUTE,
      open: 99,
      high: 102,
      low: 97,
      close: 100,
      volume: 1.5,
      closed: true,
    });
  });

  it('a coarser one is put together, closing with the last part', () => {
    const { take, emitted } = aggregator(5 * MINUTE);
    for (let minute = 0; minute < 5; minute++) take.onCandle(event(minute, 100 + minute));
    const closed = emitted.filter((candle) => candle.closed);
    expect(closed).toHaveLength(1);
    expect(closed[0]).toMatchObject({ openTime: 0, open: 99, high: 106, low: 97, close: 104, volume: 7.5 });
    expect(emitted).toHaveLength(5);
  });

  it('a hole at the end of an interval closes it with the first part of a later one', () => {
    const { take, emitted } = aggregator(5 * MINUTE);
    take.onCandle(event(0, 100));
    take.onCandle(event(11, 110));
    expect(emitted.filter((candle) => candle.closed)).toMatchObject([{ openTime: 0, close: 100, volume: 1.5 }]);
  });

  it('of the wanted interval and a finer one each candle comes once, of the one that has it whole first', () => {
    const { take, emitted } = aggregator(5 * MINUTE);
    for (let minute = 0; minute < 5; minute++) take.onCandle(event(minute, 100));
    expect(take.onCandle(event(0, 100, { intervalMs: 5 * MINUTE }))).toBe('ignored');
    expect(take.onCandle(event(5, 101))).toBe('taken');
    expect(take.onCandle(event(5, 102, { intervalMs: 5 * MINUTE }))).toBe('taken');
    const closed = emitted.filter((candle) => candle.closed);
    expect(closed.map(({ openTime, close }) => [openTime / MINUTE, close])).toEqual([
      [0, 100],
      [5, 102],
    ]);
  });

  it('a coarser recording cannot make a finer interval', () => {
    expect(aggregator(MINUTE).take.onCandle(event(0, 100, { intervalMs: 3_600_000 }))).toBe('unfit');
  });

  it('unfinished candles pass as forming ones, but are not added up', () => {
    const exact = aggregator(MINUTE);
    exact.take.onCandle(event(0, 100, { closed: false }));
    exact.take.onCandle(event(0, 101));
    expect(exact.emitted.map(({ close, closed }) => [close, closed])).toEqual([
      [100, false],
      [101, true],
    ]);
    const coarse = aggregator(5 * MINUTE);
    coarse.take.onCandle(event(0, 100, { closed: false }));
    coarse.take.onCandle(event(0, 101));
    expect(coarse.emitted.map(({ volume }) => volume)).toEqual([1.5]);
  });
});
