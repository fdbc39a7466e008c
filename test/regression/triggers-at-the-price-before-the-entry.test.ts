/**
 * Found by a stranger: on bars a stop or trail was judged with the close before its entry, though the entry's own fill had
 * shown the open. After a gap it fired at a price that had never traded since.
 */
import { afterAll, expect, it } from 'vitest';
import { bar, BARS_FROM, SYMBOL, told, World } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const MINUTE = 60_000;

/** After two bars at 100 the market opens at 99 and stays there. */
const GAP = [0, 1, 2, 3, 4, 5].map((minute) =>
  bar(minute, minute < 2 ? [100, 100, 100, 100] : [99, 99.1, 98.95, 99.05]),
);
const entry = { symbol: SYMBOL, side: 'buy', type: 'market', quantity: '1' };
const bracket = (exits: object) => [
  { at: BARS_FROM + 2 * MINUTE + 1, actions: [{ kind: 'bracket', entry, ...exits }] },
];

it.each([
  ['trailing, in bps', { trailing: { bps: 40 } }],
  ['trailing, by distance', { trailing: { distance: '0.3' } }],
])('a bracket with %s does not fall from a price before its entry', async (_, exits) => {
  const { fills } = await world.play(GAP, bracket(exits), {});
  expect(told(fills)).toHaveLength(1);
});

it('falls from the price of its entry', async () => {
  const falls = [...GAP.slice(0, 4), bar(4, [99, 99, 98.5, 98.6]), bar(5, [98.6, 98.7, 98.5, 98.6])];
  const { fills } = await world.play(falls, bracket({ trailing: { bps: 40 } }), {});
  expect(told(fills)).toHaveLength(2);
});
