/** Strategies of several timeframes: which candle comes when, and that none comes before it has closed. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { map } from 'rxjs';
import { defineCandleStrategy, defineStrategy, note, z, type Action, type Candle } from 'tidewire';
import { candleFrames, candleIntervals } from '../../src/strategy/running/candle-frames.ts';
import { installVirtualTime } from '../../src/strategy/running/virtual-time.ts';
import { candlesBefore, START_MS, World } from './world.ts';

const MINUTE = 60_000;

let world: World;
let remove: () => void;

function begin(): void {
  world = new World();
  remove = installVirtualTime(world.clock, { unhandled: () => {} });
}
function end(): void {
  world.stopAll();
  remove();
}

/** Notes each candle with what is known of the others. */
function frames(warmup: number | Readonly<Record<string, number>> = 0) {
  return defineCandleStrategy({
    name: 'frames',
    params: z.object({ symbol: z.string().default('BTCUSDT') }),
    intervals: ['1m', '5m', '15m'],
    warmup,
    onCandle(candle, { interval, candle: newest, clock }) {
      const known = ['1m', '5m', '15m'].map((each) => newest(each)?.openTime);
      return note(interval, { openTime: candle.openTime, at: clock.now(), close: candle.close, known });
    },
  });
}

interface Decided {
  readonly interval: string;
  readonly openTime: number;
  readonly at: number;
  readonly known: readonly (number | undefined)[];
}

function decided(actions: readonly Action[]): readonly Decided[] {
  return actions.flatMap((action) =>
    action.kind === 'note' ? [{ interval: action.text, ...(action.data as Omit<Decided, 'interval'>) }] : [],
  );
}

const LENGTHS: Readonly<Record<string, number>> = { '1m': MINUTE, '5m': 5 * MINUTE, '15m': 15 * MINUTE };

describe('intervals', () => {
  beforeEach(begin);
  afterEach(end);

  test('each is delivered when it has closed, the longest of a boundary first', () => {
    const { actions, errors } = world.start(frames());
    for (let second = 1; second <= 16 * 60; second += 20) {
      world.to(second * 1000);
      world.trade(100 + second / 10);
    }
    expect(errors).toEqual([]);
    const all = decided(actions);
    expect(all.slice(-5).map(({ interval, openTime }) => [interval, (openTime - START_MS) / MINUTE])).toEqual([
      ['1m', 12],
      ['1m', 13],
      ['15m', 0],
      ['5m', 10],
      ['1m', 14],
    ]);
    // Who decides by the minute knows the quarter of an hour that closed with it.
    expect(all.at(-1)?.known).toEqual([START_MS + 14 * MINUTE, START_MS + 10 * MINUTE, START_MS]);
  });

  test('in a hole without trades no minute is preceded by a candle that closed later', () => {
    const { actions } = world.start(frames());
    world.to(1000);
    world.trade(100);
    world.to(40 * MINUTE + 1000);
    world.trade(101);
    const closes = decided(actions).map(({ interval, openTime }) => openTime + LENGTHS[interval]!);
    expect(closes).toHaveLength(40 + 8 + 2);
    expect(closes).toEqual(closes.toSorted((left, right) => left - right));
  });

  test('warm-up by interval: history fills each, and nothing is decided before all are warm', () => {
    const minutes = candlesBefore([1, 2, 3]);
    const [long] = candlesBefore([9]);
    const quarter: Candle = { ...long!, openTime: START_MS - 15 * MINUTE, intervalMs: 15 * MINUTE };
    const definition = frames({ '1m': 2, '15m': 1 });
    const warm = world.start(definition, { warmupCandles: new Map([['BTCUSDT', [quarter, ...minutes]]]), tag: 'warm' });
    const cold = world.start(definition, { warmupCandles: new Map([['BTCUSDT', minutes]]), tag: 'cold' });
    for (let minute = 0; minute < 17; minute++) {
      world.to(minute * MINUTE + 1000);
      world.trade(100 + minute);
    }
    expect(decided(warm.actions)[0]).toMatchObject({ interval: '1m', openTime: START_MS });
    expect(decided(cold.actions)[0]).toMatchObject({ interval: '5m', openTime: START_MS + 10 * MINUTE });
    expect(decided(warm.actions)[0]?.known).toEqual([START_MS, undefined, START_MS - 15 * MINUTE]);
  });

  test('the candle that was forming at the start is completed by what the exchange had of it', () => {
    const begun = { ...candlesBefore([50])[0]!, openTime: START_MS, closed: false, low: 40, high: 60, volume: 7 };
    const seen: Candle[] = [];
    const definition = defineCandleStrategy({
      name: 'begun',
      params: z.object({ symbol: z.string().default('BTCUSDT') }),
      interval: '1m',
      onCandle: (candle) => void seen.push(candle),
    });
    world.start(definition, { warmupCandles: new Map([['BTCUSDT', [begun]]]) });
    world.to(30_000);
    world.trade(55, 0.5);
    world.to(70_000);
    world.trade(56, 0.5);
    world.to(130_000);
    expect(seen[0]).toMatchObject({ open: 50, high: 60, low: 40, close: 55, volume: 7.5 });
    expect(seen[1]).toMatchObject({ open: 56, high: 56, low: 56, volume: 0.5 });
  });

  test('an interval that is not among them is an error of the strategy', () => {
    const { errors } = world.start(
      defineCandleStrategy({
        name: 'other',
        params: z.object({ symbol: z.string().default('BTCUSDT') }),
        interval: '1m',
        onCandle: (_, { candle }) => note(String(candle('1h')?.close)),
      }),
    );
    world.to(1000);
    world.trade(100);
    world.to(2 * MINUTE);
    expect(errors[0]?.message).toMatch(/candle\('1h'\): the strategy takes candles of 1m/);
  });

  test.each([
    [{ interval: '1m', intervals: ['5m'] }, /either interval or intervals/],
    [{ intervals: [] }, /intervals is empty/],
    [{ intervals: ['1m', '60s'] }, /twice/],
    [{ intervals: ['1m', 'x'] }, /must be a duration/],
    [{}, /must be a duration/],
  ])('%j is refused', (spec, problem) => expect(candleIntervals(spec)).toMatch(problem));

  test.each([
    [{ '4h': 3 }, /warmup names 4h/],
    [-1, /must be a number/],
  ])('a warm-up of %j is refused', (warmup, problem) => {
    const intervals = candleIntervals({ interval: '1m' });
    if (typeof intervals === 'string') throw new Error(intervals);
    expect(candleFrames(intervals, warmup)).toMatch(problem);
  });
});

/** Trades as [ms after the last, price]. */
const trades = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 * MINUTE }), fc.integer({ min: 90, max: 110 })), {
  minLength: 1,
  maxLength: 60,
});

function run(events: readonly (readonly [number, number])[], untilMs: number): readonly Decided[] {
  begin();
  try {
    const { actions } = world.start(frames());
    let at = 0;
    for (const [after, price] of events) {
      at += after;
      if (at > untilMs) break;
      world.to(at);
      world.trade(price);
    }
    world.to(untilMs);
    return decided(actions);
  } finally {
    end();
  }
}

test('no look-ahead: who sees a part of the data decides as one who sees all of it', () => {
  fc.assert(
    fc.property(trades, fc.double({ min: 0, max: 1, noNaN: true }), (events, share) => {
      const total = events.reduce((sum, [after]) => sum + after, 0) + 2000;
      const cutMs = Math.floor(total * share);
      const whole = run(events, total);
      expect(run(events, cutMs)).toEqual(whole.filter(({ at }) => at <= START_MS + cutMs));
      for (const { interval, openTime, at } of whole) expect(at).toBeGreaterThanOrEqual(openTime + LENGTHS[interval]!);
    }),
    { numRuns: 60 },
  );
});

describe('market.history and market.bars', () => {
  beforeEach(begin);
  afterEach(end);

  function asking(count: number, declared: number) {
    return defineStrategy({
      name: 'asking',
      params: z.object({ symbol: z.string().default('BTCUSDT') }),
      warmup: ({ symbol }) => [{ symbol, interval: '1m', candles: declared }],
      setup: ({ params, market }) => {
        const past = market.history(params.symbol, '1m', count);
        return market.trades(params.symbol).pipe(map(() => note(past.map(({ close }) => close).join(' '))));
      },
    });
  }

  test('the last closed candles, at most as many as are asked for', () => {
    const forming = { ...candlesBefore([9])[0]!, openTime: START_MS, closed: false };
    const warmupCandles = new Map([['BTCUSDT', [...candlesBefore([1, 2, 3]), forming]]]);
    const started = [2, 5].map((count) => world.start(asking(count, 5), { warmupCandles, tag: `asks-${count}` }));
    world.trade(100);
    expect(started.map(({ actions }) => actions)).toEqual([[note('2 3')], [note('1 2 3')]]);
  });

  test('more than is declared is an error that says what to write', () => {
    const { errors } = world.start(asking(6, 5));
    expect(errors[0]).toMatchObject({ code: 'strategy_history_undeclared' });
    expect(errors[0]?.message).toMatch(/market\.history\('BTCUSDT', '1m', 6\).* declares 5 candles/);
  });

  test('a declaration that is none is an error of the definition', () => {
    const bad = defineStrategy({
      name: 'bad',
      warmup: () => [{ symbol: 'BTCUSDT', interval: 'x', candles: 1 }],
      setup: () => {},
    });
    expect(() => bad.history({})).toThrow(/warmup: interval must be a duration/);
  });

  test('bars of two symbols come together', () => {
    world.instruments.add({ ...world.market.instrument('BTCUSDT').spec, symbol: 'ETHUSDT', base: 'ETH' });
    const { actions, errors } = world.start(
      defineStrategy({
        name: 'pairs',
        setup: ({ market }) =>
          market
            .bars({ a: 'BTCUSDT', b: 'ETHUSDT' }, '1m')
            .pipe(map(({ a, b }) => note(`${a.symbol} ${a.close} ${b.symbol} ${b.close}`))),
      }),
    );
    for (let minute = 0; minute < 3; minute++) {
      world.to(minute * MINUTE + 1000);
      world.trade(100 + minute);
      // The second symbol begins a minute later.
      if (minute > 0) world.trade(10 + minute, 0.01, 'ETHUSDT');
    }
    world.to(3 * MINUTE + 1500);
    expect(errors).toEqual([]);
    expect(actions).toEqual([note('BTCUSDT 101 ETHUSDT 11'), note('BTCUSDT 102 ETHUSDT 12')]);
  });
});
