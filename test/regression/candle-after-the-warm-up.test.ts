/**
 * A backtest that begins in the middle of its data built its candles from nothing: the first one after the warm-up held
 * only the trades after `--from`, and in a quiet market none came until the next trade.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Candle } from '../../src/model/market/views.ts';
import { silentLogger } from '../../src/model/ports.ts';
import type { FrameRow } from '../../src/recording/frames/frame-row.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { freshDir, publicRow, recordingOf } from '../recording/fixtures.ts';

const MINUTE = 60_000;
const START = 1_767_225_600_000;
const MINUTES = 30;
/** Nobody trades in minutes 10 to 13. */
const isQuiet = (ms: number): boolean => ms >= 10 * MINUTE && ms < 14 * MINUTE;
const WARMUP = 2;

const STRATEGY = `
import { defineCandleStrategy, note, z } from 'tidewire';
export default defineCandleStrategy({
  name: 'candles',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  interval: '1m',
  warmup: ${WARMUP},
  setup: ({ clock }) => ({ clock }),
  onCandle: (candle, { clock }) => note('candle', { ...candle, at: clock.now() }),
});
`;

/** A trade every 7 s, each received 100 ms later. */
async function tradesOf(): Promise<string> {
  const rows: FrameRow[] = [];
  for (let ms = 500; ms < MINUTES * MINUTE; ms += 7000) {
    if (isQuiet(ms)) continue;
    const at = START + ms;
    const price = (50_000 + ((ms / 500) % 97)).toFixed(2);
    const trade = { tradeId: String(ms), price, quantity: (1 + ((ms / 500) % 5)).toFixed(3), side: 'buy', ts: at };
    const frame = { channel: 'BTCUSDT@trades', ts: at, seq: rows.length + 1, data: [trade] };
    rows.push(publicRow((at + 100) * 1000, frame));
  }
  return (await recordingOf(rows)).dir;
}

interface Decision extends Candle {
  readonly at: number;
}

async function decisions(data: string, fromMs?: number): Promise<readonly Decision[]> {
  const file = join(freshDir(), 'candles.ts');
  writeFileSync(file, STRATEGY);
  const strategies = await prepareStrategies({ file, params: {}, entries: [] });
  const { result, failures } = await backtest({
    config: configSchema.parse({}),
    strategies,
    data: [data],
    ...(fromMs === undefined ? {} : { fromMs }),
    seed: 1,
    repeat: 1,
    logger: silentLogger,
  });
  expect([...failures.values()]).toEqual([]);
  return result.notes.map(({ data: told }) => told as Decision);
}

describe('candles of a backtest that begins in the middle', () => {
  let data = '';
  let whole: readonly Decision[] = [];
  beforeAll(async () => {
    data = await tradesOf();
    whole = await decisions(data);
  });

  test.each([
    ['on a boundary', 5 * MINUTE],
    ['in the middle of a candle', 5 * MINUTE + 30_000],
    ['just before a boundary', 6 * MINUTE - 1],
    ['in the last candle before a quiet stretch', 9 * MINUTE + 40_000],
    ['where a quiet stretch begins', 10 * MINUTE],
    ['in a quiet stretch', 11 * MINUTE + 20_000],
    ['on a boundary in a quiet stretch', 12 * MINUTE],
    ['in the last quiet candle', 13 * MINUTE + 10_000],
  ])('%s are those of the whole data', async (_, from) => {
    const expected = whole.filter(({ openTime }) => openTime + MINUTE > START + from);
    expect(expected.length).toBeGreaterThan(10);
    expect(await decisions(data, START + from)).toEqual(expected);
  });
});
