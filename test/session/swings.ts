/** A backtest over a recording of strategies that swing between a position and none, or the other side. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../src/model/ports.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import type { BacktestResult } from '../../src/session/result/result.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { freshDir } from '../recording/fixtures.ts';

/** Goes to a position, and every so many prices to none. */
const SWINGS = `
import { defineStrategy, target, z } from 'tidewire';
import { map, scan, filter } from 'rxjs';
export default defineStrategy({
  name: 'swings',
  params: z.object({ symbol: z.string(), quantity: z.string(), every: z.number(), turns: z.boolean() }),
  symbols: ({ symbol }) => [symbol],
  setup: ({ params: { symbol, quantity, every, turns }, market }) =>
    market.top(symbol).pipe(
      scan((count) => count + 1, -1),
      filter((count) => count % every === 0),
      map((count) => target(symbol, { quantity: turns && (count / every) % 2 === 1 ? '0' : quantity })),
    ),
});
`;

/** `entries`: `strategies` of the configuration, without their file. */
export async function swing(
  data: string,
  start: Readonly<Record<string, string>>,
  entries: readonly object[],
): Promise<BacktestResult> {
  const file = join(freshDir(), 'swings.ts');
  writeFileSync(file, SWINGS);
  const config = configSchema.parse({
    account: { start },
    strategies: entries.map((entry) => ({ file, ...entry })),
    risk: { dailyLossFraction: 0 },
  });
  const { result } = await backtest({
    config,
    strategies: await prepareStrategies({ file: undefined, params: {}, entries: config.strategies }),
    data: [data],
    seed: 1,
    repeat: 1,
    logger: silentLogger,
  });
  return result;
}
