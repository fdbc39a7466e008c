/**
 * `data import` of files without a symbol filed all of them under the first of several in `--symbol`: bars of one market stood in the
 * recording of another, and the second symbol was never named.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ImportFormat } from '../../src/recording/importers/importer.ts';
import { callCli } from '../cli/call-cli.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';

function bars(name: string, price: number): string {
  const rows = Array.from(
    { length: 3 },
    (_, index) => `${1_700_000_040_000 + index * 60_000},${`${price},`.repeat(4)}1`,
  );
  return writeFixture(name, ['timestamp,open,high,low,close,volume', ...rows].join('\n'));
}

async function imported(format: ImportFormat, files: readonly string[], symbols: string) {
  const out = join(freshDir(), 'out');
  const end = await callCli(
    ['data', 'import', '--from', format, ...files, '--symbol', symbols, '--out', out],
    freshDir(),
  );
  return { ...end, out };
}

it('data/import/several-symbols-for-files-that-name-none-are-refused', async () => {
  const files = [bars('a.csv', 100), bars('e.csv', 3000)];
  for (const some of [files, files.slice(0, 1)]) {
    const { code, stderr, out } = await imported('candles-csv', some, 'AUSDT,EUSDT');
    expect(code).toBe(2);
    expect(stderr).toContain('a.csv names no symbol, so --symbol AUSDT,EUSDT does not say which it holds');
    expect(existsSync(out)).toBe(false);
  }
  const trades = writeFixture('trades.csv', '1,10,2,20,1700000000000,true\n2,10,2,20,1700000000001,true\n');
  expect(await imported('binance-vision', [trades], 'AUSDT,EUSDT')).toMatchObject({ code: 2 });
});

it('data/import/names-an-asked-symbol-that-is-not-in-the-data', async () => {
  const trade = {
    ts: 1_700_000_000_000,
    symbol: 'AUSDT',
    type: 'trade',
    tradeId: '1',
    price: '10',
    quantity: '1',
    side: 'buy',
  };
  const file = writeFixture('x.jsonl', JSON.stringify(trade));
  const { code, stdout } = await imported('jsonl', [file], 'AUSDT,EUSDT');
  expect([code, stdout.includes('EUSDT was asked for, and the data holds nothing of it')]).toEqual([0, true]);
  expect((await imported('jsonl', [file], 'AUSDT')).stdout).not.toContain('was asked for');
});
