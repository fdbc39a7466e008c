/**
 * A stop with `onStale: exit` left its position live when the book fell silent, and did nothing in a backtest of that very
 * recording: a backtest had nobody who says that prices are stale. It judges the silence as a live session does.
 */
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

/** A book that moves ten times a second, but for half a minute after the tenth second. */
function recording(): Promise<string> {
  return bookOfDepth(
    T0,
    everyMs(100, 60_000).filter((ms) => ms <= 10_000 || ms >= 40_000),
  );
}

const STOPPED = `
import { defineStrategy, place, stop, z } from 'tidewire';
import { concat, map, timer } from 'rxjs';

export default defineStrategy({
  name: 'stopped',
  params: z.object({ onStale: z.enum(['hold', 'exit']) }),
  setup({ params: { onStale } }) {
    const of = { symbol: 'BTCUSDT', quantity: '0.1' };
    return concat(
      timer(1000).pipe(map(() => place({ ...of, side: 'buy', type: 'market' }))),
      timer(1000).pipe(map(() => stop({ ...of, side: 'sell', quantity: '0.09', trigger: '50000', onStale }))),
    );
  },
});
`;

it.each([
  ['exit', 1],
  ['hold', 0],
] as const)('a book that falls silent: %s', async (onStale, sells) => {
  const file = join(freshDir(), 'stopped.ts');
  writeFileSync(file, STOPPED);
  const { result } = await backtest({
    config: configSchema.parse({ account: { start: { USDT: '100000' } } }),
    strategies: await prepareStrategies({ file, params: { onStale }, entries: [] }),
    data: [await recording()],
    seed: 1,
    repeat: 1,
    logger: silentLogger,
  });
  const sold = result.fills.filter(({ side, ts }) => side === 'sell' && ts < T0 + 40_000);
  expect(sold.length).toBe(sells);
  // Three seconds of silence, seen by the next look; the rate was not learned yet.
  for (const { ts } of sold) expect(ts - T0).toBeGreaterThan(13_000);
  for (const { ts } of sold) expect(ts - T0).toBeLessThan(14_200);
  expect(result.programs.map(({ reason }) => reason)).toEqual([onStale === 'exit' ? 'stale' : 'stopped']);
  expect(result.warnings.join('\n')).toContain('nothing of its book since 2026-01-08T00:00:10.001Z');
});
