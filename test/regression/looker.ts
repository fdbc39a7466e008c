/** A strategy that tells each mid it sees and buys once 3.5 s after the start, and a backtest of it over given rows. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../src/model/ports.ts';
import type { FrameRow } from '../../src/recording/frames/frame-row.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { freshDir, recordingOf } from '../recording/fixtures.ts';

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

export interface Seen {
  readonly mids: readonly number[];
  /** As `quantity@price`. */
  readonly fills: readonly string[];
}

export async function played(rows: readonly FrameRow[]): Promise<Seen> {
  const { dir } = await recordingOf(rows);
  const file = join(freshDir(), 'looker.ts');
  writeFileSync(file, STRATEGY);
  const strategies = await prepareStrategies({ file, params: {}, entries: [] });
  const config = configSchema.parse({});
  const { result } = await backtest({ config, strategies, data: [dir], seed: 1, repeat: 1, logger: silentLogger });
  return {
    mids: result.notes.map(({ data }) => (data as { mid: number }).mid),
    fills: result.fills.map(({ price, quantity }) => `${quantity}@${price}`),
  };
}
