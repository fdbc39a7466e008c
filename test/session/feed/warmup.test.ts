/** Warm-up candles of a backtest: from before `--from`, else from its start, and by the tape that the run reads. */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FrameRow } from '../../../src/recording/frames/frame-row.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { shareTapes } from '../../../src/recording/tape/open-tape.ts';
import { TAPE_FILE } from '../../../src/recording/tape/tape-cache.ts';
import type { SharedTape } from '../../../src/recording/tape/tape.ts';
import { backtest } from '../../../src/session/backtest.ts';
import { configSchema } from '../../../src/session/config/schema.ts';
import { prepareStrategies } from '../../../src/session/strategies.ts';
import { freshDir, publicRow, recordingOf } from '../../recording/fixtures.ts';

const MINUTE = 60_000;
const T0 = 28_333_333 * MINUTE;

/** Says each candle that it decides by. */
const STRATEGY = `
import { defineCandleStrategy, note, z } from 'tidewire';
export default defineCandleStrategy({
  name: 'warm',
  params: z.object({ warmup: z.number().default(3) }),
  interval: '1m',
  warmup: ({ warmup }) => warmup,
  symbols: () => ['BTCUSDT'],
  setup: () => ({}),
  onCandle: (candle) => note(String(candle.openTime)),
});
`;

async function recorded(): Promise<string> {
  const rows: FrameRow[] = [];
  for (let at = 0; at < 12; at++) {
    const ts = T0 + at * MINUTE + 1000;
    const data = [{ tradeId: String(at), price: String(100 + at), quantity: '1', side: 'buy', ts }];
    rows.push(publicRow(ts * 1000 + 2000, { channel: 'BTCUSDT@trades', seq: at + 1, ts, data }));
  }
  return (await recordingOf(rows)).dir;
}

interface Over {
  readonly baseMs?: number;
  readonly shared?: readonly SharedTape[];
  readonly warmup?: string;
}

/** Minutes after the start of the data of the candles that were decided by, and what the run warns of. */
async function runFull(data: string, fromMs: number, over: Over = {}) {
  const file = join(freshDir(), 'warm.ts');
  writeFileSync(file, STRATEGY);
  const { result, failures } = await backtest({
    config: configSchema.parse({ simulation: { latency: { baseMs: over.baseMs ?? 1 } } }),
    strategies: await prepareStrategies({ file, params: { warmup: over.warmup ?? '3' }, entries: [] }),
    data: [data],
    fromMs,
    seed: 1,
    repeat: 1,
    logger: silentLogger,
    ...(over.shared === undefined ? {} : { shared: over.shared }),
  });
  expect([...failures.values()]).toEqual([]);
  return { minutes: result.notes.map(({ text }) => (Number(text) - T0) / MINUTE), warnings: result.warnings };
}

async function run(data: string, fromMs: number, over: Over = {}): Promise<readonly number[]> {
  const { minutes } = await runFull(data, fromMs, over);
  return minutes;
}

describe('warm-up candles', () => {
  it('are those from before the period, and its own first ones where nothing lies before it', async () => {
    const data = await recorded();
    expect(await run(data, T0 + 6 * MINUTE)).toEqual([6, 7, 8, 9, 10]);
    expect(await run(data, T0)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await run(data, T0 - 90 * MINUTE)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('are missed with a warning where the data end before a first decision', async () => {
    const data = await recorded();
    const short = await runFull(data, T0, { warmup: '12' });
    expect(short.minutes).toEqual([]);
    expect(short.warnings).toContainEqual(
      expect.stringContaining('warm decided nothing: its warm-up takes 12 candles'),
    );
    const known = await runFull(data, T0 + 9 * MINUTE, { warmup: '9' });
    expect(known.minutes).toEqual([9, 10]);
    expect(known.warnings).not.toContainEqual(expect.stringContaining('decided nothing'));
  });

  it('come from the tape that the run reads: it is not compiled once more for them', async () => {
    const data = await recorded();
    const cache = join(data, TAPE_FILE);
    await run(data, T0 + 6 * MINUTE, { baseMs: 5 });
    const { ino, mtimeMs } = statSync(cache);
    await run(data, T0 + 6 * MINUTE, { baseMs: 5 });
    expect(statSync(cache)).toMatchObject({ ino, mtimeMs });
    const shared = await shareTapes([data], 1e9);
    rmSync(cache);
    await run(data, T0 + 6 * MINUTE, { shared: shared! });
    expect(existsSync(cache)).toBe(false);
  });
});
