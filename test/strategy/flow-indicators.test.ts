/** Channels and flows: streaming equals a plain batch reading of the formula, and every finite input gives a finite value. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indicators } from '../../src/strategy/indicators/indicators.ts';

const N = 4;
const unit = fc.integer({ min: 0, max: 8 });
const bar = fc
  .record({ low: fc.integer({ min: 1, max: 30 }), up: unit, at: fc.integer({ min: 0, max: 4 }), volume: unit })
  .map(({ low, up, at, volume }) => ({ low, high: low + up, close: low + (up * at) / 4, volume }));
const bars = fc.array(bar, { minLength: 1, maxLength: 30 });
const quote = fc
  .record({
    bid: fc.integer({ min: 1, max: 5 }),
    spread: fc.integer({ min: 1, max: 3 }),
    bidQuantity: unit,
    askQuantity: unit,
  })
  .map(({ bid, spread, ...rest }) => ({ ...rest, bid, ask: bid + spread }));
const quotes = fc.array(quote, { minLength: 1, maxLength: 30 });
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** `batch` reads the inputs so far, all of them, once there are `warm`. */
function agrees<In>(
  made: () => { next(input: In): unknown },
  inputs: fc.Arbitrary<In[]>,
  warm: number,
  batch: (seen: readonly In[]) => Readonly<Record<string, number>> | number,
): void {
  fc.assert(
    fc.property(inputs, (all) => {
      const indicator = made();
      for (const [index, input] of all.entries()) {
        const got = indicator.next(input);
        if (index + 1 < warm) {
          expect(got).toBeUndefined();
          continue;
        }
        const expected = batch(all.slice(0, index + 1));
        const pairs =
          typeof expected === 'number'
            ? [[got, expected]]
            : Object.entries(expected).map(([name, value]) => [(got as Record<string, number>)[name], value]);
        for (const [one, other] of pairs) {
          expect(Number.isFinite(one)).toBe(true);
          expect(Math.abs(Number(one) - Number(other))).toBeLessThan(1e-9);
        }
      }
    }),
  );
}

test('donchian, aroon and keltner', () => {
  agrees(
    () => indicators.donchian(N),
    bars,
    N,
    (seen) => {
      const lower = Math.min(...seen.slice(-N).map(({ low }) => low));
      const upper = Math.max(...seen.slice(-N).map(({ high }) => high));
      return { lower, middle: (lower + upper) / 2, upper };
    },
  );
  agrees(
    () => indicators.aroon(N),
    bars,
    N + 1,
    (seen) => {
      const newest = [...seen].reverse().slice(0, N + 1);
      const top = Math.max(...newest.map(({ high }) => high));
      const bottom = Math.min(...newest.map(({ low }) => low));
      const up = (100 * (N - newest.findIndex(({ high }) => high === top))) / N;
      const down = (100 * (N - newest.findIndex(({ low }) => low === bottom))) / N;
      return { up, down, oscillator: up - down };
    },
  );
  agrees(
    () => indicators.keltner(N, 1.5),
    bars,
    N,
    (seen) => {
      const middle = seen.slice(1).reduce((ema, { close }) => ema + (2 / (N + 1)) * (close - ema), seen[0]?.close ?? 0);
      const ranges = seen.map(({ high, low }, index) => {
        const before = seen[index - 1]?.close ?? high;
        return Math.max(high, index === 0 ? high : before) - Math.min(low, index === 0 ? low : before);
      });
      const range = ranges.slice(N).reduce((rma, next) => rma + (next - rma) / N, sum(ranges.slice(0, N)) / N);
      return { lower: middle - 1.5 * range, middle, upper: middle + 1.5 * range };
    },
  );
});

test('efficiency ratio', () => {
  agrees(
    () => indicators.er(N),
    bars,
    N + 1,
    (seen) => {
      const closes = seen.slice(-N - 1).map(({ close }) => close);
      const way = sum(closes.slice(1).map((close, index) => Math.abs(close - (closes[index] ?? 0))));
      return way === 0 ? 0 : Math.abs((closes.at(-1) ?? 0) - (closes[0] ?? 0)) / way;
    },
  );
});

test('z-score and realised volatility', () => {
  const closes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 });
  agrees(
    () => indicators.zScore(N),
    closes,
    N,
    (seen) => {
      const last = seen.slice(-N);
      const mean = sum(last) / N;
      const deviation = Math.sqrt(sum(last.map((value) => (value - mean) ** 2)) / N);
      return new Set(last).size === 1 ? 0 : ((last.at(-1) ?? 0) - mean) / deviation;
    },
  );
  agrees(
    () => indicators.realisedVolatility(N),
    closes,
    N + 1,
    (seen) => {
      const logs = seen.slice(-N - 1).map((value) => Math.log(value));
      return Math.hypot(...logs.slice(1).map((value, index) => value - (logs[index] ?? 0)));
    },
  );
});

test('obv, mfi and cmf', () => {
  agrees(
    () => indicators.obv(),
    bars,
    1,
    (seen) =>
      sum(
        seen.map(({ close, volume }, i) => (i === 0 ? volume : Math.sign(close - (seen[i - 1]?.close ?? 0)) * volume)),
      ),
  );
  agrees(
    () => indicators.mfi(N),
    bars,
    N + 1,
    (seen) => {
      const typical = seen.map(({ high, low, close }) => (high + low + close) / 3);
      const signed = seen.map(
        ({ volume }, i) => Math.sign((typical[i] ?? 0) - (typical[i - 1] ?? 0)) * (typical[i] ?? 0) * volume,
      );
      const last = signed.slice(-N);
      const up = sum(last.filter((value) => value > 0));
      const down = -sum(last.filter((value) => value < 0));
      return up + down === 0 ? 50 : 100 - 100 / (1 + up / down);
    },
  );
  agrees(
    () => indicators.cmf(N),
    bars,
    N,
    (seen) => {
      const last = seen.slice(-N);
      const flow = last.map((b) =>
        b.high === b.low ? 0 : ((2 * b.close - b.low - b.high) / (b.high - b.low)) * b.volume,
      );
      const volume = sum(last.map((b) => b.volume));
      return volume === 0 ? 0 : sum(flow) / volume;
    },
  );
});

test('microprice and order flow', () => {
  agrees(
    () => indicators.microprice(),
    quotes,
    1,
    (seen) => {
      const { bid, ask, bidQuantity, askQuantity } = seen.at(-1) ?? { bid: 0, ask: 0, bidQuantity: 0, askQuantity: 0 };
      const both = bidQuantity + askQuantity;
      return both === 0 ? (bid + ask) / 2 : (bid * askQuantity + ask * bidQuantity) / both;
    },
  );
  agrees(
    () => indicators.orderFlow(N),
    quotes,
    N + 1,
    (seen) => {
      const changes = seen.slice(1).map((now, index) => {
        const was = seen[index] ?? now;
        const demand =
          now.bid > was.bid
            ? now.bidQuantity
            : now.bid < was.bid
              ? -was.bidQuantity
              : now.bidQuantity - was.bidQuantity;
        const supply =
          now.ask < was.ask
            ? now.askQuantity
            : now.ask > was.ask
              ? -was.askQuantity
              : now.askQuantity - was.askQuantity;
        return demand - supply;
      });
      return sum(changes.slice(-N));
    },
  );
});
