/** The candle strategies of the library, in scenarios: what makes them go in, and what takes them out. */
import { describe, expect, it } from 'vitest';
import { scenario } from '../../src/testing/index.ts';
import bollinger from '../../strategies/bollinger-reversion.ts';
import donchian from '../../strategies/donchian-breakout.ts';
import momentum from '../../strategies/momentum.ts';
import rsi from '../../strategies/rsi-timeframes.ts';
import supertrend from '../../strategies/supertrend.ts';

/** Closes that swing around a price. */
function around(price: number, count: number, swing: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => price + (index % 2 === 0 ? swing : -swing));
}

function steps(from: number, step: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => from + step * (index + 1));
}

const interval = '1m';

describe('bollinger-reversion', () => {
  const begun = () =>
    scenario({ strategy: bollinger, params: { interval, period: 10, stopBps: 100 }, warmup: around(60_000, 10, 10) });

  it('buys below the lower band and sells at the average', async () => {
    const scene = await begun()
      .candles([...around(60_000, 4, 10), 59_900])
      .expect({ fills: [{ side: 'buy', quantity: '0.01' }] })
      .candles([59_905])
      .expect({ fills: [{}] })
      .candles([60_010])
      .expect({ fills: [{}, { side: 'sell' }], denials: [] });
    expect(scene.position().isFlat).toBe(true);
  });

  it('leaves at its stop when the price goes on falling', async () => {
    const scene = await begun().candles([59_900, 59_800, 59_100]);
    expect(scene.fills.map(({ side }) => side)).toEqual(['buy', 'sell']);
  });
});

describe('donchian-breakout', () => {
  const params = { interval, period: 10, ranges: 5 };
  const warmup = around(60_000, 15, 20);

  it('buys above the channel with a stop and a target, which fills', async () => {
    const scene = await scenario({ strategy: donchian, params, warmup }).candles([60_010, 60_100]);
    expect(scene.fills).toMatchObject([{ side: 'buy', quantity: '0.01' }]);
    expect(scene.programs).toMatchObject([{ kind: 'bracket', state: 'working' }]);
    expect(scene.orders).toMatchObject([{ side: 'sell', leg: 'takeProfit:1' }]);
    await scene.fill({ leg: 'takeProfit:1' }).expect({ fills: [{}, { side: 'sell' }], programs: [{ state: 'done' }] });
  });

  it('is stopped when the breakout fails, and does nothing within the channel', async () => {
    await scenario({ strategy: donchian, params, warmup })
      .candles(around(60_000, 5, 10))
      .expect({ fills: [], programs: [] })
      .candles([60_100, 59_900])
      .expect({ fills: [{ side: 'buy' }, { side: 'sell' }], programs: [{ state: 'done', reason: 'stopLoss' }] });
  });
});

describe('momentum', () => {
  const params = { interval, lookback: 5, capital: 6000, volatility: 0.001, short: true };
  const warmup = around(60_000, 6, 1);

  it('holds less of what moves more, and turns with the trend', async () => {
    const calm = await scenario({ strategy: momentum, params, warmup }).candles(steps(60_000, 5, 6));
    const wild = await scenario({ strategy: momentum, params, warmup }).candles(steps(60_000, 100, 6));
    // The whole capital while it is calm.
    expect(calm.position().size).toBeCloseTo(0.1, 3);
    expect(wild.position().size).toBeGreaterThan(0);
    expect(wild.position().size).toBeLessThan(0.05);
    const turned = await wild.candles(steps(60_600, -200, 8));
    expect(turned.position().size).toBeLessThan(0);
    expect(turned.denials).toEqual([]);
  });

  it('does not trade for less than its drift', async () => {
    const scene = await scenario({ strategy: momentum, params, warmup }).candles(steps(60_000, 5, 12));
    expect(scene.fills).toHaveLength(1);
  });
});

describe('supertrend', () => {
  const params = { interval, period: 5, width: 1.5, trailBps: 50 };
  const warmup = steps(61_000, -20, 25);

  it('buys the turn with a trailing stop, which takes it out of a fall', async () => {
    const scene = await scenario({ strategy: supertrend, params, warmup }).candles(steps(60_500, 60, 8));
    expect(scene.fills).toMatchObject([{ side: 'buy' }]);
    expect(scene.programs).toMatchObject([{ kind: 'bracket', state: 'working' }]);
    const after = await scene.candles([60_600]);
    expect(after.fills.map(({ side }) => side)).toEqual(['buy', 'sell']);
    expect(after.programs).toMatchObject([{ state: 'done', reason: 'trailing' }]);
  });

  it('leaves when the line turns before the stop is reached', async () => {
    const wide = { ...params, trailBps: 900 };
    const scene = await scenario({ strategy: supertrend, params: wide, warmup })
      .candles(steps(60_500, 60, 8))
      .candles(steps(60_980, -60, 10));
    expect(scene.fills.map(({ side }) => side)).toEqual(['buy', 'sell']);
    expect(scene.position().isFlat).toBe(true);
  });
});

describe('rsi-timeframes', () => {
  const params = { short: '1m', long: '5m', period: 3, strong: 50, dip: 30, relief: 60 };

  it('buys a dip in a rising market and sells the relief', async () => {
    const scene = await scenario({ strategy: rsi, params })
      .candles(steps(60_000, 20, 34), { interval })
      .expect({ fills: [] })
      .candles([60_640, 60_600], { interval });
    expect(scene.fills).toMatchObject([{ side: 'buy', quantity: '0.01' }]);
    await scene.candles([60_640, 60_700], { interval }).expect({ fills: [{}, { side: 'sell' }], denials: [] });
  });

  it('leaves the same dip alone in a falling market', async () => {
    const falling = [...steps(61_000, -20, 33), 60_380, 60_300, 60_240];
    await scenario({ strategy: rsi, params }).candles(falling, { interval }).expect({ fills: [] });
  });
});
