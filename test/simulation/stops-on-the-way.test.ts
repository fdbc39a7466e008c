/** Where stops close a position on the way of a bar's price. */
import { expect, it } from 'vitest';
import { closedAt } from '../../src/simulation/money/marks-in-bars.ts';
import type { Closing } from '../../src/model/trading/program.ts';

const sell = (ticks: number, lots: number): Closing => ({ closes: 'sell', ticks, lots });
const buy = (ticks: number, lots: number): Closing => ({ closes: 'buy', ticks, lots });
const either = (ticks: number, lots: number): Closing => ({ closes: undefined, ticks, lots });

it.each([
  ['one', [sell(95, 5)], [5, 100, 90], 95],
  ['one at the end of the way', [sell(90, 5)], [5, 100, 90], 90],
  ['one beyond it', [sell(89, 5)], [5, 100, 90], null],
  ['one that the open had passed', [sell(105, 5)], [5, 100, 90], 100],
  ['too small', [sell(95, 4)], [5, 100, 90], null],
  ['more than there is', [sell(95, 8)], [5, 100, 90], 95],
  ['two, by the further', [sell(92, 2), sell(95, 3)], [5, 100, 90], 92],
  ['two, of which one suffices', [sell(92, 2), sell(95, 5)], [5, 100, 90], 95],
  ['of the other side', [buy(95, 5)], [5, 100, 90], null],
  ['upwards', [buy(105, 5)], [5, 100, 110], 105],
  ['upwards, beyond it', [buy(111, 5)], [5, 100, 110], null],
  ['upwards, passed by the open', [buy(99, 5)], [5, 100, 110], 100],
  ['of either side below, falling', [either(95, 5)], [5, 100, 90], 95],
  ['of either side below, rising', [either(95, 5)], [5, 100, 110], null],
  ['of either side above, rising', [either(105, 5)], [5, 100, 110], 105],
  ['of either side above, falling', [either(105, 5)], [5, 100, 90], null],
  ['a rest in the last bits', [sell(95, 4.9999999999)], [5, 100, 90], 95],
] as const)('%s', (_what, stops, [lots, from, to], ticks) => {
  expect(closedAt(stops, lots, from, to)).toBe(ticks);
});
