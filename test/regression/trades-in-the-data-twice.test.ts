/**
 * Trades that the data of an import hold twice counted twice, without a word: one file named twice, or aggregated trades beside the single
 * ones. Volumes doubled, and own resting orders were filled twice as soon.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importRecording } from '../../src/recording/importers/import.ts';
import type { ImportFormat } from '../../src/recording/importers/importer.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';

const MS = 1_700_000_000_000;
const COUNT = 50;

async function imported(format: ImportFormat, files: readonly string[]) {
  const { found } = await importRecording({
    format,
    files,
    symbols: ['ABCUSDT'],
    out: join(freshDir(), 'out'),
    now: 0,
  });
  return { trades: found.symbols['ABCUSDT']?.trades, warnings: found.warnings.join() };
}

function frame(event: 'trade' | 'aggTrade', id: number, ms: number): string {
  const ids = event === 'trade' ? { t: id } : { a: 7 + id, f: id, l: id };
  const data = { e: event, E: ms + 1, s: 'ABCUSDT', ...ids, p: '100.00', q: '2.0', T: ms, m: false };
  return `${ms + 5}000000 ${JSON.stringify({ stream: `abcusdt@${event}`, data })}`;
}

function collected(kinds: readonly ('trade' | 'aggTrade')[], from = 0): string {
  const ids = Array.from({ length: COUNT }, (_, index) => from + index);
  return ids.flatMap((id) => kinds.map((kind) => frame(kind, id, MS + id * 1000))).join('\n');
}

it.each([[['trade', 'aggTrade']], [['aggTrade', 'trade']]] as const)(
  'data/import/of %j one kind counts',
  async (kinds) => {
    const { trades, warnings } = await imported('binance-collector', [writeFixture('a.txt', collected(kinds))]);
    expect([trades, warnings.includes(`${COUNT} trades are left out: of single and aggregated`)]).toEqual([
      COUNT,
      true,
    ]);
  },
);

it('data/import/the-other-kind-counts-where-the-first-has-ended', async () => {
  const text = `${collected(['trade'])}\n${collected(['aggTrade'], 200)}`;
  const { trades, warnings } = await imported('binance-collector', [writeFixture('a.txt', text)]);
  expect([trades, warnings.includes('left out')]).toEqual([2 * COUNT, false]);
});

it('data/import/the-archive-of-both-kinds-counts-one', async () => {
  const rows = Array.from({ length: COUNT }, (_, id) => MS + id * 1000);
  const single = writeFixture('ABCUSDT-trades-x.csv', rows.map((ms, id) => `${id},100,2,200,${ms},true`).join('\n'));
  const sums = writeFixture(
    'ABCUSDT-aggTrades-x.csv',
    rows.map((ms, id) => `${id},100,2,${id},${id},${ms},true`).join('\n'),
  );
  expect((await imported('binance-vision', [single, sums])).trades).toBe(COUNT);
});

it('data/import/the-same-file-twice-counts-once', async () => {
  const file = writeFixture('a.txt', collected(['trade']));
  const { trades, warnings } = await imported('binance-collector', [file, file]);
  expect([trades, warnings.includes(`${COUNT} trades are doubled and left out`)]).toEqual([COUNT, true]);
});

it('data/import/one-id-of-two-trades-is-no-double', async () => {
  const lines = [1, 2].map((price) => ({
    ts: MS,
    symbol: 'ABCUSDT',
    type: 'trade',
    tradeId: '1',
    price,
    quantity: 1,
    side: 'buy',
  }));
  const file = writeFixture('a.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  expect((await imported('jsonl', [file])).trades).toBe(2);
});
