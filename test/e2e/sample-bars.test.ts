/** data/sample-bars: it is what its script makes, whole, and something to try a candle strategy on. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleBars } from '../../data/sample-bars/make.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { openTape } from '../../src/recording/tape/open-tape.ts';
import { verifyRecording } from '../../src/recording/verify.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Opening a recording writes its tape beside it. */
let data = '';
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'tidewire-sample-bars-'));
  cpSync(join(ROOT, 'data/sample-bars'), data, { recursive: true });
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

it('holds the bars that its script makes', async () => {
  expect(await verifyRecording(data)).toMatchObject({ ok: true, frames: 43_200, undecoded: 0, problems: [] });
  const tape = await openTape([data]);
  const lines: string[] = [];
  for (const cursor = tape.cursor('exchange'); cursor.nextUs !== Infinity;) {
    const event = cursor.next();
    if (event.kind !== 'candle') continue;
    const { openTime, open, high, low, close, volume } = event;
    const prices = [open, high, low, close].map((price) => price.toFixed(2));
    lines.push([openTime, ...prices, volume.toFixed(5)].join(','));
  }
  expect(tape.warnings).toEqual([]);
  tape.close();
  expect(lines).toEqual(sampleBars());
});

async function crossed(params: Readonly<Record<string, string>>): ReturnType<typeof backtest> {
  const file = join(ROOT, 'strategies/ema-cross.ts');
  return backtest({
    config: configSchema.parse({}),
    strategies: await prepareStrategies({ file, params, entries: [] }),
    data: [data],
    seed: 1,
    repeat: 1,
    logger: silentLogger,
  });
}

it('says of an interval that its bars cannot make which one they can', async () => {
  const { warnings } = (await crossed({ interval: '1s' })).result;
  const says =
    'BTCUSDT: the strategy takes candles of 1s, the data hold candles of 1m and cannot make them; use an interval of 1m';
  expect(warnings).toContainEqual(expect.stringContaining(says));
});

it('lets ema-cross trade, and gives enough returns for ratios', async () => {
  const { result, failures } = await crossed({});
  expect([...failures.values()]).toEqual([]);
  expect(result.assumptions['exchange']).toBe('candles');
  expect(result.fills.length).toBeGreaterThan(1000);
  expect(result.orderCounts.denied).toBe(0);
  expect(result.stats.sharpe).toEqual(expect.any(Number));
  expect(result.warnings).toEqual(['the data has no depth: exchange model candles']);
});
