/** The period of a backtest: what was asked for, as far as the data reach. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FrameRow } from '../../../src/recording/frames/frame-row.ts';
import { importRecording } from '../../../src/recording/importers/import.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { backtest } from '../../../src/session/backtest.ts';
import { configSchema } from '../../../src/session/config/schema.ts';
import { prepareStrategies } from '../../../src/session/strategies.ts';
import { freshDir, publicRow, recordingOf, writeFixture } from '../../recording/fixtures.ts';

const MINUTE = 60_000;
const MONTH = 30 * 24 * 60 * MINUTE;
const T0 = 28_333_320 * MINUTE;

const STRATEGY = `
import { defineStrategy, z } from 'tidewire';
import { EMPTY } from 'rxjs';
export default defineStrategy({ name: 'idle', params: z.object({}), setup: () => EMPTY });
`;

async function fiveMinutes(): Promise<string> {
  const rows: FrameRow[] = [];
  for (let at = 0; at <= 300; at++) {
    const ts = T0 + at * 1000;
    const data = { type: at === 0 ? 'snapshot' : 'update', bids: [['100', '1']], asks: [['101', `${at + 1}`]] };
    rows.push(publicRow(ts * 1000 + 2000, { channel: 'BTCUSDT@depth', seq: at + 1, ts, data }));
  }
  return (await recordingOf(rows)).dir;
}

async function run(data: string, asked: { fromMs?: number; toMs?: number }) {
  const file = join(freshDir(), 'idle.ts');
  writeFileSync(file, STRATEGY);
  const { result } = await backtest({
    config: configSchema.parse({}),
    strategies: await prepareStrategies({ file, params: {}, entries: [] }),
    data: [data],
    ...asked,
    seed: 1,
    repeat: 1,
    logger: silentLogger,
  });
  return result;
}

describe('the period of a backtest', () => {
  it('does not reach beyond the data, and says where it was cut', async () => {
    const data = await fiveMinutes();
    const result = await run(data, { fromMs: T0 - MONTH, toMs: T0 + MONTH });
    expect(result.period).toEqual({ from: T0, to: T0 + 5 * MINUTE });
    expect(result.equity[0]?.[0]).toBe(T0);
    expect(result.stats['cagr']).toBeNull();
    const cut = result.warnings.filter((warning) => warning.includes('the data'));
    expect(cut).toEqual([
      `the data begin at ${new Date(T0).toISOString()}, later than the period asked for: it begins there`,
      `the data end at ${new Date(T0 + 5 * MINUTE).toISOString()}, earlier than the period asked for: it ends there`,
    ]);
  });

  it('is the one that was asked for within the data, and nothing is said of less than a minute', async () => {
    const data = await fiveMinutes();
    const inside = await run(data, { fromMs: T0 + 1500, toMs: T0 + 4 * MINUTE });
    expect(inside.period.from).toBe(T0 + 1500);
    const around = await run(data, { fromMs: T0 - MINUTE, toMs: T0 + 6 * MINUTE });
    expect(around.period).toEqual({ from: T0, to: T0 + 5 * MINUTE });
    for (const { warnings } of [inside, around]) {
      expect(warnings.filter((warning) => warning.includes('the data'))).toEqual([]);
    }
  });

  it('begins with the open of the first candle', async () => {
    const hours = Array.from({ length: 24 }, (_, hour) => `${T0 + hour * 60 * MINUTE},100,102,99,101,5`);
    const file = writeFixture('hours.csv', `time,open,high,low,close,volume\n${hours.join('\n')}\n`);
    const out = join(freshDir(), 'out');
    const layout = { intervalMs: 60 * MINUTE, timestamp: 'open' } as const;
    await importRecording({ format: 'candles-csv', files: [file], symbols: ['BTCUSDT'], out, now: 0, ...layout });
    const asked = await run(out, { fromMs: T0 });
    expect(asked.period).toEqual({ from: T0, to: T0 + 24 * 60 * MINUTE });
    expect(asked.warnings.filter((warning) => warning.includes('the data begin'))).toEqual([]);
    expect((await run(out, { fromMs: T0 - MONTH })).period.from).toBe(T0);
  });
});
