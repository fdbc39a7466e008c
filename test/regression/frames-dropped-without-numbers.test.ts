/**
 * A recording that says that frames of it are lost, of an exchange whose updates bear no numbers: a backtest went on with the
 * book of before as if nothing were missing, and filled at prices that were long gone.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import type { FrameRow } from '../../src/recording/frame-row.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { freshDir, publicRow, recordingOf } from '../recording/fixtures.ts';

const T0 = 1_700_000_000_000;

const STRATEGY = `
import { defineStrategy, note, place, z } from 'tidewire';
import { map, merge, timer } from 'rxjs';
const buy = { symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: '1' };
export default defineStrategy({
  name: 'looker',
  params: z.object({}),
  setup: ({ market }) => merge(
    market.top('BTCUSDT').pipe(map(({ mid }) => note('mid', { mid }))),
    timer(3500).pipe(map(() => place(buy))),
  ),
});
`;

function depth(ms: number, type: string, bids: readonly string[], asks: readonly string[]): FrameRow {
  const levels = (prices: readonly string[]) => prices.map((price) => [price, '5']);
  const data = { type, bids: levels(bids), asks: levels(asks) };
  return publicRow((T0 + ms) * 1000, { channel: 'BTCUSDT@depth', ts: T0 + ms, data });
}

it('does not go on with a book of which frames are lost', async () => {
  const text = JSON.stringify({ note: 'dropped', frames: 40 });
  const { dir } = await recordingOf([
    depth(0, 'snapshot', ['100'], ['104']),
    depth(500, 'update', ['101'], []),
    { receiveUs: (T0 + 2000) * 1000, kind: 'note', generation: 1, text },
    depth(3000, 'update', ['102'], []),
    depth(4000, 'snapshot', ['110'], ['112']),
    depth(6000, 'update', ['111'], []),
  ]);
  const file = join(freshDir(), 'looker.ts');
  writeFileSync(file, STRATEGY);
  const strategies = await prepareStrategies({ file, params: {}, entries: [] });
  const config = configSchema.parse({});
  const { result } = await backtest({ config, strategies, data: [dir], seed: 1, repeat: 1, logger: silentLogger });
  expect({
    mids: result.notes.map(({ data }) => (data as { mid: number }).mid),
    fills: result.fills.map(({ price, quantity }) => `${quantity}@${price}`),
  }).toEqual({ mids: [102, 102.5, 111, 111.5], fills: [] });
});
