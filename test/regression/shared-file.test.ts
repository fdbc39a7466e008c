/**
 * Found by a drift that missed the last fills of a session: two entries of its configuration ran the same file, and the second
 * was run again with the limits and the stop policy of the first.
 */
import { expect, it } from 'vitest';
import { configSchema } from '../../src/session/config/schema.ts';
import { strategiesOf } from '../../src/session/rerun.ts';

const file = 'strategies/spread-maker.ts';

it('of several strategies is run again with the entry of each, whatever their order', async () => {
  const config = configSchema.parse({
    strategies: [
      { file, tag: 'held', onStop: 'leave', limits: { maxOpenOrders: 3 } },
      { file, onStop: 'cancel' },
      { file, tag: 'closed', onStop: 'flatten', limits: { maxOpenOrders: 5 } },
    ],
  });
  const named = ['closed', 'spread-maker', 'held'].map((tag) => ({ file, tag, params: {} }));
  const prepared = await strategiesOf(named, config);
  expect(prepared.map(({ tag, onStop, limits }) => [tag, onStop, limits.maxOpenOrders])).toEqual([
    ['closed', 'flatten', 5],
    ['spread-maker', 'cancel', undefined],
    ['held', 'leave', 3],
  ]);
});
