/** What the compiler infers for people who write strategies. Checked by `tsc`, like every test. */
import type { Observable } from 'rxjs';
import { expectTypeOf, test } from 'vitest';
import {
  defineCandleStrategy,
  defineStrategy,
  note,
  place,
  target,
  z,
  type Candle,
  type Indicator,
  type PlaceAction,
  type Top,
} from 'tidewire';
import * as tidewire from 'tidewire';
import { expect } from 'vitest';

test('parameters are inferred from the schema', () => {
  defineStrategy({
    name: 'typed',
    params: z.object({ symbol: z.string().default('BTCUSDT'), levels: z.number().optional() }),
    setup({ params, market, state }) {
      expectTypeOf(params).toEqualTypeOf<{ symbol: string; levels?: number | undefined }>();
      expectTypeOf(market.top(params.symbol)).toEqualTypeOf<Observable<Top>>();
      expectTypeOf(state(z.number(), 0).get()).toEqualTypeOf<number>();
      // @ts-expect-error the initial value must fit the schema
      expect(() => state(z.number(), 'zero')).toBeDefined();
    },
  });
});

test('a strategy without parameters has none', () => {
  defineStrategy({
    name: 'bare',
    setup({ params }) {
      expectTypeOf(params).toEqualTypeOf<Record<string, never>>();
    },
  });
});

test('variables are inferred from setup', () => {
  defineCandleStrategy({
    name: 'typed',
    params: z.object({ symbol: z.string(), fast: z.number() }),
    interval: '1m',
    warmup: ({ fast }) => fast,
    setup: ({ params, indicators, symbol }) => ({ fast: indicators.ema(params.fast), own: symbol }),
    onCandle(candle, { params, vars }) {
      expectTypeOf(candle).toEqualTypeOf<Candle>();
      expectTypeOf(params).toEqualTypeOf<{ symbol: string; fast: number }>();
      expectTypeOf(vars).toEqualTypeOf<{ fast: Indicator; own: string }>();
      expectTypeOf(vars.fast.next(candle.close)).toEqualTypeOf<number | undefined>();
      if (candle.close > 1) return;
      return target(params.symbol, { quantity: 0 });
    },
    onStop: (reason) => {
      expectTypeOf(reason).toEqualTypeOf<'signal' | 'end' | 'error'>();
    },
  });
});

test('what is not an action is refused by the compiler', () => {
  defineStrategy({
    name: 'wrong',
    // @ts-expect-error a stream of tops is no stream of actions
    setup: ({ market }) => market.top('BTCUSDT'),
  });
  defineCandleStrategy({
    name: 'wrong',
    interval: '1m',
    // @ts-expect-error a number is no decision
    onCandle: (candle) => candle.close,
  });
  expectTypeOf(place({ symbol: 'S', side: 'buy', type: 'market', quantity: 1 })).toEqualTypeOf<PlaceAction>();
  // @ts-expect-error a side is buy or sell
  expect(() => place({ symbol: 'S', side: 'long', type: 'market', quantity: 1 })).toThrow(/side/);
  expect(note('x').kind).toBe('note');
});

test('the public API is the builders and z, and nothing else', () => {
  expect(Object.keys(tidewire).toSorted()).toEqual([
    'advertise',
    'bracket',
    'cancel',
    'cancelAll',
    'chase',
    'dca',
    'defineCandleStrategy',
    'defineStrategy',
    'file',
    'flatten',
    'grid',
    'iceberg',
    'model',
    'note',
    'oco',
    'p2pTrade',
    'pair',
    'place',
    'pov',
    'programs',
    'quote',
    'rebalance',
    'size',
    'stop',
    'target',
    'trailingStop',
    'transfer',
    'twap',
    'vwap',
    'z',
  ]);
});
