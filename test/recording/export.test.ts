import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { exportTape } from '../../src/recording/export/export.ts';
import { importRecording } from '../../src/recording/importers/import.ts';
import { openTape } from '../../src/recording/tape/open-tape.ts';
import { eventsOf, freshDir, writeFixture } from './fixtures.ts';

const LINES = [
  { ts: 1000.5, recv: 1005, symbol: 'A', type: 'snapshot', U: 3, u: 3, bids: [['10.5', '1']], asks: [['11', '2']] },
  { ts: 1001, recv: 1006, symbol: 'A', type: 'depth', U: 4, u: 6, bids: [['10.5', '0']], asks: [['10.75', '3']] },
  { ts: 1002, recv: 1007, symbol: 'A', type: 'trade', tradeId: '8', price: '10.75', quantity: '2', side: 'sell' },
  {
    ts: 1003,
    recv: 1008,
    symbol: 'A',
    type: 'quote',
    updateId: 9,
    bid: '10',
    bidQuantity: '1',
    ask: '11',
    askQuantity: '2',
  },
  { ts: 1004, recv: 1009, symbol: 'A', type: 'funding', rate: '-0.0001', nextFundingTime: 2000 },
];

async function sample() {
  const out = join(freshDir(), 'rec');
  const file = writeFixture('x.jsonl', LINES.map((line) => JSON.stringify(line)).join('\n'));
  await importRecording({ format: 'jsonl', files: [file], symbols: [], out, now: 0 });
  return openTape([out]);
}

describe('export', () => {
  it('as JSON lines can be imported again to the same events', async () => {
    const tape = await sample();
    const out = join(freshDir(), 'x.jsonl');
    expect(await exportTape(tape, { format: 'jsonl', out })).toMatchObject({ events: 5, rows: 5 });
    const again = join(freshDir(), 'again');
    await importRecording({ format: 'jsonl', files: [out], symbols: [], out: again, now: 0 });
    const second = await openTape([again]);
    expect(eventsOf(second, 'exchange')).toEqual(eventsOf(tape, 'exchange'));
    tape.close();
    second.close();
  });

  it('as CSV and Parquet holds a row per level and trade', async () => {
    const tape = await sample();
    const csv = join(freshDir(), 'x.csv');
    expect(await exportTape(tape, { format: 'csv', out: csv, kinds: ['depth', 'trade'] })).toMatchObject({
      events: 3,
      rows: 5,
    });
    const lines = readFileSync(csv, 'utf8').trim().split('\n');
    expect(lines.length).toBe(6);
    expect(lines[1]).toMatch(/^1000500,1005000,A,snapshot,bid,10.5,1,/);
    const parquet = join(freshDir(), 'x.parquet');
    await exportTape(tape, { format: 'parquet', out: parquet });
    const bytes = readFileSync(parquet);
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    });
    expect(rows.length).toBe(7);
    expect(rows[4]).toMatchObject({
      kind: 'trade',
      exchange_us: 1_002_000n,
      price: 10.75,
      side: 'sell',
      trade_id: '8',
    });
    expect(rows[6]).toMatchObject({ funding_rate: '-0.0001' });
    tape.close();
  });

  it('that cannot be written is a typed error', async () => {
    const tape = await sample();
    const out = join(freshDir(), 'no', 'x.csv');
    await expect(exportTape(tape, { format: 'csv', out })).rejects.toMatchObject({ code: 'recording_write_failed' });
    tape.close();
  });
});
