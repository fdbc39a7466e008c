import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defineCandleStrategy, note, target, z, type Candle } from 'tidewire';
import { installVirtualTime } from '../../src/strategy/running/virtual-time.ts';
import { candlesBefore, World } from './world.ts';

let world: World;
let remove: () => void;

beforeEach(() => {
  world = new World();
  remove = installVirtualTime(world.clock, { unhandled: () => {} });
});
afterEach(() => {
  world.stopAll();
  remove();
});

/** Notes every close that it may decide on, and keeps all that it saw. */
function recorder(warmup: number, seen: number[]) {
  return defineCandleStrategy({
    name: 'recorder',
    params: z.object({ symbol: z.string().default('BTCUSDT') }),
    interval: '1m',
    warmup,
    onCandle(candle) {
      seen.push(candle.close);
      return note(`decided at ${candle.close}`);
    },
  });
}

/** One trade a minute; the n-th candle closes at 101 + n. */
function tradeMinutes(count: number): void {
  for (let minute = 0; minute < count; minute++) {
    world.to(minute * 60_000 + 1000);
    world.trade(101 + minute);
  }
  world.to(count * 60_000 + 1500);
}

describe('warm-up', () => {
  test('history fills it: the first decision is on the first candle of the session', () => {
    const seen: number[] = [];
    const { actions } = world.start(recorder(3, seen), {
      warmupCandles: new Map([['BTCUSDT', candlesBefore([1, 2, 3, 4, 5])]]),
    });
    expect(actions).toEqual([]);
    tradeMinutes(2);
    expect(seen).toEqual([3, 4, 5, 101, 102]);
    expect(actions.map((action) => action.kind === 'note' && action.text)).toEqual([
      'decided at 101',
      'decided at 102',
    ]);
  });

  test('without history the session itself fills it', () => {
    const seen: number[] = [];
    const { actions } = world.start(recorder(3, seen));
    tradeMinutes(5);
    expect(seen).toEqual([101, 102, 103, 104, 105]);
    expect(actions).toHaveLength(2);
  });

  test('half a history is filled up by the session', () => {
    const seen: number[] = [];
    const { actions } = world.start(recorder(3, seen), { warmupCandles: new Map([['BTCUSDT', candlesBefore([9])]]) });
    tradeMinutes(3);
    expect(seen).toEqual([9, 101, 102, 103]);
    expect(actions).toHaveLength(1);
  });

  test('a candle that history holds already is not seen twice', () => {
    const seen: number[] = [];
    const history: readonly Candle[] = candlesBefore([1, 2]).map((candle) => ({
      ...candle,
      openTime: candle.openTime + 60_000,
    }));
    world.start(recorder(2, seen), { warmupCandles: new Map([['BTCUSDT', history]]) });
    tradeMinutes(2);
    expect(seen).toEqual([1, 2, 102]);
  });
});

test('each symbol has variables of its own, made once', () => {
  let made = 0;
  const definition = defineCandleStrategy({
    name: 'per-symbol',
    params: z.object({ symbols: z.array(z.string()).default(['BTCUSDT', 'ETHUSDT']) }),
    symbols: ({ symbols }) => symbols,
    interval: '1m',
    setup: ({ symbol, state }) => ({ symbol, number: ++made, count: state(z.number(), 0, `${symbol}/count`) }),
    onCandle(candle, { vars }) {
      vars.count.set(vars.count.get() + 1);
      return note(`${vars.symbol} ${vars.number} ${candle.symbol} ${vars.count.get()}`);
    },
  });
  world.instruments.add({ ...world.market.instrument('BTCUSDT').spec, symbol: 'ETHUSDT', base: 'ETH' });
  const { actions } = world.start(definition);
  world.to(1000);
  world.trade(100);
  world.trade(50, 0.1, 'ETHUSDT');
  world.to(62_000);
  expect(actions.map((action) => (action.kind === 'note' ? action.text : '')).toSorted()).toEqual([
    'BTCUSDT 1 BTCUSDT 1',
    'ETHUSDT 2 ETHUSDT 1',
  ]);
});

test('a symbol that is named twice is traded once', () => {
  const definition = defineCandleStrategy({
    name: 'twice',
    params: z.object({ symbols: z.array(z.string()).default(['BTCUSDT', 'BTCUSDT']) }),
    symbols: ({ symbols }) => symbols,
    interval: '1m',
    onCandle: (candle) => note(`decided at ${candle.close}`),
  });
  expect(definition.candleNeeds({ symbols: ['BTCUSDT', 'BTCUSDT'] })?.symbols).toEqual(['BTCUSDT']);
  const { actions } = world.start(definition);
  tradeMinutes(2);
  expect(actions.map((action) => action.kind === 'note' && action.text)).toEqual(['decided at 101', 'decided at 102']);
});

test('onCandle may answer nothing, one action or several', () => {
  const definition = defineCandleStrategy({
    name: 'answers',
    params: z.object({ symbol: z.string().default('BTCUSDT') }),
    interval: '1m',
    onCandle(candle, { params }) {
      if (candle.close === 101) return;
      if (candle.close === 102) return target(params.symbol, { quantity: '0.01' });
      return [note('a'), note('b')];
    },
  });
  const { actions } = world.start(definition);
  tradeMinutes(3);
  expect(actions.map(({ kind }) => kind)).toEqual(['target', 'note', 'note']);
});

test('a throw in onCandle names the candle, also during warm-up', () => {
  const definition = defineCandleStrategy({
    name: 'brittle',
    params: z.object({ symbol: z.string().default('BTCUSDT'), bad: z.number() }),
    interval: '1m',
    warmup: 2,
    onCandle(candle, { params }) {
      if (candle.close === params.bad) throw new Error('bad candle');
    },
  });
  const history = new Map([['BTCUSDT', candlesBefore([1, 2])]]);
  const early = world.start(definition, { params: { bad: 2 }, warmupCandles: history });
  const late = world.start(definition, { params: { bad: 101 }, warmupCandles: history });
  tradeMinutes(1);
  expect(early.errors[0]?.details['event']).toMatch(/^warm-up candle BTCUSDT \{.*close: 2/);
  expect(late.errors[0]?.details['event']).toMatch(/^candle BTCUSDT 1m \{.*close: 101/);
});

describe('a definition that cannot run is refused where it is written', () => {
  const base = {
    name: 'ok',
    params: z.object({ symbol: z.string().default('BTCUSDT') }),
    interval: '1m',
    onCandle: () => {},
  };

  test('interval, name and onCandle', () => {
    expect(() => defineCandleStrategy({ ...base, interval: '1 minute' })).toThrow(
      /interval must be a duration.*candles\.test\.ts:\d+/,
    );
    expect(() => defineCandleStrategy({ ...base, name: 'has spaces' })).toThrow(/name must be/);
    expect(() => defineCandleStrategy({ ...base, onCandle: undefined as unknown as () => void })).toThrow(
      /onCandle must be a function/,
    );
  });

  test('a symbol that is nowhere', () => {
    const definition = defineCandleStrategy({ name: 'nowhere', interval: '1m', onCandle: () => {} });
    expect(() => definition.candleNeeds({})).toThrow(/it has no symbol/);
  });

  test.each([
    [{ symbols: ['BTCUSDT'] }, /symbols must be a function, such as \(\) => \['BTCUSDT'\], got an array of 1/],
    [{ setup: {} }, /setup must be a function, such as .*, got an object/],
    [{ onStop: 'flatten' }, /onStop must be a function, such as .*, got 'flatten'/],
  ])('what should be a function: %j', (wrong, problem) => {
    expect(() => defineCandleStrategy({ ...base, ...(wrong as object) })).toThrow(problem);
  });

  test('symbols that answer text', () => {
    const definition = defineCandleStrategy({ ...base, symbols: (() => 'BTCUSDT') as unknown as () => string[] });
    expect(() => definition.candleNeeds({ symbol: 'BTCUSDT' })).toThrow(
      /symbols must answer an array of symbols, got 'BTCUSDT'/,
    );
  });

  test('the needs are what the session loads', () => {
    const definition = defineCandleStrategy({ ...base, warmup: () => 7.2 });
    expect(definition.candleNeeds({ symbol: 'ETHUSDT' })).toEqual({
      symbols: ['ETHUSDT'],
      frames: [{ interval: '1m', intervalMs: 60_000, warmup: 8 }],
    });
  });

  test('a parameter may be the interval, and one that is no duration is refused before the session', () => {
    const definition = defineCandleStrategy({
      ...base,
      params: base.params.extend({ interval: z.string().default('15m') }),
      interval: ({ interval }) => interval,
      warmup: 2,
    });
    const needs = { symbols: ['BTCUSDT'], frames: [{ interval: '15m', intervalMs: 900_000, warmup: 2 }] };
    expect(definition.candleNeeds({ symbol: 'BTCUSDT', interval: '15m' })).toEqual(needs);
    expect(() => definition.candleNeeds({ symbol: 'BTCUSDT', interval: 'soon' })).toThrow(
      /interval must be a duration.*soon/,
    );
  });
});
