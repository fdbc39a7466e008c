/**
 * Found by a stranger: on bars a stop that an open leapt over traded a bar later, at its trigger: a rebound made the gap free.
 */
import { afterAll, expect, it } from 'vitest';
import { bar, BARS_FROM, SYMBOL, World } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const MINUTE = 60_000;

const FLAT = [100, 100, 100, 100];
const LEAP = [90, 99, 89.5, 98.95];
const SLIDE = [100, 100, 89.5, 98.95];
const entry = { symbol: SYMBOL, side: 'buy', type: 'market', quantity: '1' };
const exits = { bracket: { stopLoss: '99' }, trail: { trailing: { distance: '1' } } };

/** Price of the exit. */
async function exitPrice(third: readonly number[], next: number, how: keyof typeof exits): Promise<number> {
  const bars = [
    bar(0, FLAT),
    bar(1, FLAT),
    bar(2, FLAT),
    bar(3, third),
    bar(4, [next, next, next, next]),
    bar(5, FLAT),
  ];
  const steps = [{ at: BARS_FROM + 2 * MINUTE + 1, actions: [{ kind: 'bracket', entry, ...exits[how] }] }];
  const { fills } = await world.play(bars, steps, {});
  expect(fills.map(({ side }) => side)).toEqual(['buy', 'sell']);
  return Number(fills[1]!.price);
}

it.each(['bracket', 'trail'] as const)(
  'a %s leaves at the open that leapt over its stop, less slippage',
  async (how) => {
    expect(await exitPrice(LEAP, 99.5, how)).toBeCloseTo(89.99, 2);
  },
);

it('or at the next open where that is worse', async () => {
  expect(await exitPrice(LEAP, 88, 'bracket')).toBeCloseTo(87.99, 2);
});

it('and at its stop where the bar has passed through it', async () => {
  expect(await exitPrice(SLIDE, 99.5, 'bracket')).toBe(98.99);
});
