/**
 * Found from outside: a TWAP whose slices are no whole number of ms was woken before its time without end, which ended a
 * backtest and, live, the whole process.
 */
import { map, take } from 'rxjs';
import { expect, it } from 'vitest';
import { defineStrategy, twap, z } from '../../src/index.ts';
import { scenario } from '../../src/testing/index.ts';

const sliced = defineStrategy({
  name: 'sliced',
  params: z.object({}),
  symbols: () => ['BTCUSDT'],
  setup: ({ clock }) =>
    clock.every('10s').pipe(
      take(1),
      map(() => twap({ symbol: 'BTCUSDT', side: 'buy', quantity: '0.12345', over: '10s', slices: 7, urgency: 'high' })),
    ),
});

it('programs/slices/of-uneven-length-come-to-their-end', async () => {
  const deep = { bid: 60_000, ask: 60_001 };
  const scene = await scenario({ strategy: sliced, at: 'BTCUSDT' })
    .book(deep)
    .advance('10s')
    .book(deep)
    .advance('4s')
    .book(deep)
    .advance('4s')
    .book(deep)
    .advance('4s');
  const bought = scene.fills.reduce((sum, { quantity }) => sum + Number(quantity), 0);
  expect(bought).toBeCloseTo(0.12345, 12);
});
