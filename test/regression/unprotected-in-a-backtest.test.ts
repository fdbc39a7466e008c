/** `protect: true` rang on paper and never in a backtest, where nobody looked at what is held. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { freshDir } from '../recording/fixtures.ts';
import { bookOfDepth, everyMs } from '../recording/book-of-depth.ts';

const T0 = Date.parse('2026-01-08T00:00:00Z');

function recording(): Promise<string> {
  return bookOfDepth(T0, everyMs(500, 20_000));
}

const NAKED = `
import { defineStrategy, place, z } from 'tidewire';
import { map, timer } from 'rxjs';

export default defineStrategy({
  name: 'naked',
  protect: PROTECT,
  params: z.object({}),
  setup: () => timer(1000).pipe(map(() => place({ symbol: 'BTCUSDT', quantity: '0.1', side: 'buy', type: 'market' }))),
});
`;

it.each([
  [true, 1],
  [false, 0],
])('protect: %s of a strategy that holds a position without an exit', async (protect, alarms) => {
  const file = join(freshDir(), 'naked.ts');
  writeFileSync(file, NAKED.replace('PROTECT', String(protect)));
  const { result } = await backtest({
    config: configSchema.parse({ account: { start: { USDT: '100000' } } }),
    strategies: await prepareStrategies({ file, params: {}, entries: [] }),
    data: [await recording()],
    seed: 1,
    repeat: 1,
    logger: silentLogger,
  });
  expect(result.warnings.filter((warning) => warning.startsWith('alarm unprotected: '))).toHaveLength(alarms);
});
