/**
 * Real market data from end to end: import by the command, counts as they are known, and backtests that repeat to the
 * byte. The files lie outside of the project (`../shared/data`); without them this says so and skips.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, freshFolder, root, run, strategyFile } from './cli.ts';

const data = join(root, '..', 'shared', 'data');
const frames = join(data, 'binance-frames');
const present = existsSync(frames);
if (!present)
  process.stderr.write('test/e2e/real-data.long.test.ts: ../shared/data is not here, its tests are skipped\n');

interface Census {
  readonly snapshots: number;
  readonly depthMessages: number;
  readonly levels: number;
  readonly trades: number;
  readonly topQuotes: number;
  readonly gaps: number;
  readonly peakPerSecond: number;
}

interface Info {
  readonly frames: number;
  readonly clockShiftMs: number;
  readonly symbols: Readonly<Record<string, Census>>;
  readonly problems: readonly string[];
}

interface Backtested {
  readonly runHash: string;
  readonly fills: number;
  readonly events: Readonly<Record<'total' | 'depth' | 'trades' | 'quotes', number>>;
  readonly orders: Readonly<Record<string, number>>;
}

const files = [
  {
    file: 'usdm-btcusdt-20240808.gz',
    symbol: 'BTCUSDT',
    counts: { depthMessages: 6551, levels: 443_521, trades: 21_313, topQuotes: 66_089, snapshots: 1, gaps: 0 },
    clockShiftMs: -1272.4,
  },
  {
    file: 'spot-btcusdt-20240808.gz',
    symbol: 'BTCUSDT',
    counts: { depthMessages: 3451, levels: 124_090, trades: 9757, topQuotes: 28_040, snapshots: 1, gaps: 0 },
  },
  {
    file: 'spot-ethusdt-20240808.gz',
    symbol: 'ETHUSDT',
    counts: { depthMessages: 3434, levels: 106_814, trades: 6106, topQuotes: 24_077, snapshots: 1, gaps: 0 },
  },
] as const;

describe.skipIf(!present)('real frames (../shared/data)', () => {
  it.each(files)(
    '$file: imported whole, backtested twice to the same bytes',
    async ({ file, symbol, counts, ...rest }) => {
      const cwd = freshFolder();
      const args = ['data', 'import', '--from', 'binance-collector', join(frames, file), '--symbol', symbol];
      const imported = await run([...args, '--out', 'rec', '--json'], { cwd });
      expect(imported.code, imported.stderr).toBe(0);
      const info = documentOf<Info>(await run(['data', 'info', 'rec', '--json'], { cwd }));
      expect(info.problems).toEqual([]);
      expect(info.symbols[symbol]).toMatchObject(counts);
      expect(info.symbols[symbol]?.peakPerSecond).toBeGreaterThan(100);
      if ('clockShiftMs' in rest) expect(info.clockShiftMs).toBeCloseTo(rest.clockShiftMs, 0);

      for (const strategy of ['spread-maker', 'imbalance']) {
        const results: string[] = [];
        let hash: string | undefined;
        for (const name of ['one', 'two']) {
          const command = ['backtest', strategyFile(strategy), '--data', 'rec', '--param', `symbol=${symbol}`];
          const ended = await run([...command, '--seed', '5', '--result', `${name}.json`, '--json'], { cwd });
          expect(ended.code, ended.stderr).toBe(0);
          const summary = documentOf<Backtested>(ended);
          expect(summary.events.trades).toBe(counts.trades);
          expect(summary.events.quotes).toBe(counts.topQuotes);
          expect(summary.events.depth).toBeGreaterThanOrEqual(counts.levels);
          expect(summary.orders['submitted']).toBeGreaterThan(0);
          expect(summary.orders['denied']).toBe(0);
          hash ??= summary.runHash;
          expect(summary.runHash).toBe(hash);
          const { fills, orders, equity } = JSON.parse(readFileSync(join(cwd, `${name}.json`), 'utf8')) as Record<
            string,
            unknown
          >;
          expect((fills as readonly unknown[]).length).toBe(summary.fills);
          results.push(JSON.stringify([fills, orders, equity]));
        }
        expect(results[1] === results[0], `${strategy}: the same bytes`).toBe(true);
      }
    },
    120_000,
  );

  it('candles: ema-cross over the 45,031 bars of a month, twice the same', async () => {
    const cwd = freshFolder();
    const file = join(data, 'candles', 'ftx-btc-perp-1m-20211231-20220201.csv.gz');
    const options = ['--symbol', 'BTCPERP', '--interval', '1m', '--timestamp', 'close', '--volume', 'quote'];
    const imported = await run(
      ['data', 'import', '--from', 'candles-csv', file, ...options, '--out', 'rec', '--json'],
      { cwd },
    );
    expect(imported.code, imported.stderr).toBe(0);
    const info = documentOf<{ readonly symbols: Readonly<Record<string, { readonly candles: number }>> }>(
      await run(['data', 'info', 'rec', '--json'], { cwd }),
    );
    expect(info.symbols['BTCPERP']?.candles).toBe(45_031);
    const hashes: string[] = [];
    for (const name of ['one', 'two']) {
      const command = ['backtest', strategyFile('ema-cross'), '--data', 'rec', '--param', 'symbol=BTCPERP'];
      const ended = await run([...command, '--report', `${name}.html`, '--json'], { cwd });
      expect(ended.code, ended.stderr).toBe(0);
      const { fills, runHash } = documentOf<Backtested>(ended);
      expect(fills).toBeGreaterThan(100);
      hashes.push(runHash);
      expect(readFileSync(join(cwd, `${name}.html`), 'utf8')).toContain('<html');
    }
    expect(hashes[1]).toBe(hashes[0]);
  }, 120_000);
});
