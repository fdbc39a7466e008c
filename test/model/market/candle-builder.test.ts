import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CandleBuilder } from '../../../src/model/market/candle-builder.ts';
import type { Candle } from '../../../src/model/market/views.ts';
import { btcusdt } from '../depth-events.ts';

const MINUTE = 60_000;
/** Start of a minute, µs. */
const T0 = 1_700_000_040_000_000;

function builder(intervalMs = MINUTE): { build: CandleBuilder; closed: Candle[] } {
  const closed: Candle[] = [];
  return { build: new CandleBuilder(btcusdt, intervalMs, (candle) => closed.push(candle)), closed };
}

const brief = ({ openTime, open, high, low, close, volume }: Candle): readonly number[] => [
  (openTime - T0 / 1000) / MINUTE,
  open,
  high,
  low,
  close,
  volume,
];

describe('candles from trades', () => {
  it('open, high, low, close and volume of the trades within the boundaries', () => {
    const { build, closed } = builder();
    build.onTrade(T0 + 1, 10_000, 100_000);
    build.onTrade(T0 + 2, 10_300, 50_000);
    build.onTrade(T0 + 3, 9_900, 1);
    build.onTrade(T0 + 59_999_999, 10_100, 9);
    expect(closed).toEqual([]);
    build.advance(T0 + 60_000_000);
    expect(closed.map(brief)).toEqual([[0, 100, 103, 99, 101, 1.5001]]);
    expect(closed[0]).toMatchObject({ symbol: 'BTCUSDT', intervalMs: MINUTE, closed: true });
    expect(Object.isFrozen(closed[0])).toBe(true);
  });

  it('a trade exactly at the boundary closes the candle and opens the next', () => {
    const { build, closed } = builder();
    build.onTrade(T0 + 5, 10_000, 1);
    build.onTrade(T0 + 60_000_000, 10_500, 2);
    expect(closed).toHaveLength(1);
    expect(build.forming()).toMatchObject({ openTime: T0 / 1000 + MINUTE, open: 105, close: 105, closed: false });
  });

  it('empty intervals repeat the close with volume 0', () => {
    const { build, closed } = builder();
    build.onTrade(T0 + 5, 10_000, 1);
    build.onTrade(T0 + 6, 10_200, 1);
    build.onTrade(T0 + 3 * 60_000_000, 9_000, 1);
    expect(closed.map(brief)).toEqual([
      [0, 100, 102, 100, 102, 0.00002],
      [1, 102, 102, 102, 102, 0],
      [2, 102, 102, 102, 102, 0],
    ]);
  });

  it('nothing before the first trade', () => {
    const { build, closed } = builder();
    build.advance(T0 + 10 * 60_000_000);
    expect(build.forming()).toBeUndefined();
    expect(closed).toEqual([]);
  });

  it('a trade later than its closed candle is counted and changes nothing', () => {
    const { build, closed } = builder();
    build.onTrade(T0 + 5, 10_000, 1);
    build.advance(T0 + 60_000_000);
    expect(build.onTrade(T0 + 59_000_000, 20_000, 7)).toBe(false);
    build.advance(T0 + 120_000_000);
    expect(build.lateTrades).toBe(1);
    expect(closed.map(({ high, volume }) => [high, volume])).toEqual([
      [100, 0.00001],
      [100, 0],
    ]);
  });

  it('a hole of years is skipped, not filled', () => {
    const { build, closed } = builder();
    build.onTrade(T0, 10_000, 1);
    build.advance(T0 + 20_000 * 60_000_000);
    expect(closed).toHaveLength(1);
    expect(build.skipped).toBe(19_999);
    expect(build.forming()).toMatchObject({ openTime: T0 / 1000 + 20_000 * MINUTE, close: 100, volume: 0 });
  });

  it('boundaries are aligned to the epoch for every interval', () => {
    for (const intervalMs of [1000, 30_000, 300_000, 3_600_000, 86_400_000, 7_000]) {
      const { build } = builder(intervalMs);
      build.onTrade(T0 + 123_456, 10_000, 1);
      expect((build.forming()?.openTime ?? 1) % intervalMs).toBe(0);
    }
  });

  it('refuses an interval that is not a whole number of ms above zero', () => {
    for (const wrong of [0, -1, 0.5, Number.NaN]) expect(() => builder(wrong)).toThrow(RangeError);
  });
});

const tradeList = fc
  .array(
    fc.record({
      afterUs: fc.integer({ min: 0, max: 90_000_000 }),
      ticks: fc.integer({ min: 1, max: 1_000_000 }),
      lots: fc.integer({ min: 1, max: 1_000_000 }),
    }),
    { minLength: 1, maxLength: 80 },
  )
  .map((steps) => {
    let exchangeUs = T0;
    return steps.map(({ afterUs, ticks, lots }) => ({ exchangeUs: (exchangeUs += afterUs), ticks, lots }));
  });

describe('laws of candles', () => {
  it('the same trades make the same candles, however time is told in between', () => {
    fc.assert(
      fc.property(tradeList, fc.array(fc.nat(3), { maxLength: 80 }), (trades, ticksOfTime) => {
        const plain = builder();
        for (const { exchangeUs, ticks, lots } of trades) plain.build.onTrade(exchangeUs, ticks, lots);
        const chunked = builder();
        let before = T0;
        for (const [index, { exchangeUs, ticks, lots }] of trades.entries()) {
          const parts = ticksOfTime[index] ?? 0;
          for (let part = 1; part <= parts; part++) {
            chunked.build.advance(before + Math.floor(((exchangeUs - before) * part) / parts));
          }
          chunked.build.onTrade(exchangeUs, ticks, lots);
          before = exchangeUs;
        }
        expect(chunked.closed).toEqual(plain.closed);
        expect(chunked.build.forming()).toEqual(plain.build.forming());
      }),
    );
  });

  it('candles follow each other without a hole, hold every lot once, and chain open to nothing outside low and high', () => {
    fc.assert(
      fc.property(tradeList, (trades) => {
        const { build, closed } = builder();
        for (const { exchangeUs, ticks, lots } of trades) build.onTrade(exchangeUs, ticks, lots);
        const all = [...closed, build.forming()].filter((candle) => candle !== undefined);
        for (const [index, candle] of all.entries()) {
          if (index > 0) expect(candle.openTime).toBe((all[index - 1]?.openTime ?? 0) + MINUTE);
          expect(Math.min(candle.open, candle.close)).toBeGreaterThanOrEqual(candle.low);
          expect(Math.max(candle.open, candle.close)).toBeLessThanOrEqual(candle.high);
        }
        const lots = all.reduce((sum, candle) => sum + btcusdt.lotsOf(candle.volume), 0);
        expect(lots).toBe(trades.reduce((sum, trade) => sum + trade.lots, 0));
      }),
    );
  });

  it('a coarser interval is the finer one put together', () => {
    fc.assert(
      fc.property(tradeList, (trades) => {
        const fine = builder(MINUTE);
        const coarse = builder(5 * MINUTE);
        for (const { exchangeUs, ticks, lots } of trades) {
          fine.build.onTrade(exchangeUs, ticks, lots);
          coarse.build.onTrade(exchangeUs, ticks, lots);
        }
        for (const candle of coarse.closed) {
          const within = fine.closed.filter(
            ({ openTime }) => openTime >= candle.openTime && openTime < candle.openTime + 5 * MINUTE,
          );
          // An empty part repeats a close from before; where anything was traded, trades alone make the candle.
          const traded = within.filter(({ volume }) => volume > 0);
          const parts = traded.length > 0 ? traded : within;
          expect(parts[0]?.open).toBe(candle.open);
          expect(parts.at(-1)?.close).toBe(candle.close);
          expect(Math.max(...parts.map(({ high }) => high))).toBe(candle.high);
          expect(Math.min(...parts.map(({ low }) => low))).toBe(candle.low);
        }
      }),
    );
  });
});
