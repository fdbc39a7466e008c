import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importRecording } from '../../src/recording/importers/import.ts';
import { recordingInfo } from '../../src/recording/info.ts';
import { openTape } from '../../src/recording/tape/open-tape.ts';
import { freshDir } from './fixtures.ts';

const DATA = join(import.meta.dirname, '../../../shared/data');
const present = existsSync(join(DATA, 'README.md'));
if (!present)
  process.stderr.write('SKIPPED: real market data is absent (../shared/data); its exact counts are not checked here\n');

interface Expected {
  readonly file: string;
  readonly symbol: string;
  readonly total: number;
  readonly census: object;
}

const FILES: readonly Expected[] = [
  {
    file: 'usdm-btcusdt',
    symbol: 'BTCUSDT',
    total: 532_923,
    census: {
      snapshots: 1,
      depthMessages: 6551,
      levels: 443_521,
      trades: 21_313,
      topQuotes: 66_089,
      gaps: 0,
      peakPerSecond: 2466,
    },
  },
  {
    file: 'spot-btcusdt',
    symbol: 'BTCUSDT',
    total: 124_090 + 2000 + 9757 + 28_040,
    census: { snapshots: 1, depthMessages: 3451, levels: 124_090, trades: 9757, topQuotes: 28_040, gaps: 0 },
  },
  {
    file: 'spot-ethusdt',
    symbol: 'ETHUSDT',
    total: 106_814 + 2000 + 6106 + 24_077,
    census: { snapshots: 1, depthMessages: 3434, levels: 106_814, trades: 6106, topQuotes: 24_077, gaps: 0 },
  },
];

describe.skipIf(!present)('real market data', () => {
  it.each(FILES)('$file gives its exact counts, no gap and its clock', async ({ file, symbol, total, census }) => {
    const out = join(freshDir(), file);
    const files = [join(DATA, `binance-frames/${file}-20240808.gz`)];
    await importRecording({ format: 'binance-collector', files, symbols: [symbol], out, now: 0 });
    const info = await recordingInfo(out);
    expect(info.symbols[symbol]).toMatchObject(census);
    expect(info.problems).toEqual([]);
    if (file === 'usdm-btcusdt') expect(info.clockShiftMs).toBe(-1272.4);
    const tape = await openTape([out]);
    expect(tape.counts.total).toBe(total);
    for (const order of ['exchange', 'receive'] as const) {
      const cursor = tape.cursor(order);
      let last = -Infinity;
      let events = 0;
      let early = 0;
      while (cursor.nextUs !== Infinity) {
        if (cursor.nextUs < last) early++;
        last = cursor.nextUs;
        const event = cursor.next();
        if (event.receiveUs < event.exchangeUs && order === 'receive' && file === 'usdm-btcusdt') early++;
        events++;
      }
      expect(early).toBe(0);
      expect(events).toBe(info.frames);
    }
    tape.close();
  });

  it('has 45,031 candles of one minute without a gap', async () => {
    const out = join(freshDir(), 'candles');
    await importRecording({
      format: 'candles-csv',
      files: [join(DATA, 'candles/ftx-btc-perp-1m-20211231-20220201.csv.gz')],
      symbols: ['BTC-PERP'],
      out,
      now: 0,
      intervalMs: 60_000,
      timestamp: 'close',
      volume: 'quote',
    });
    const tape = await openTape([out]);
    expect(tape.counts).toMatchObject({ total: 45_031, candles: 45_031 });
    const cursor = tape.cursor('exchange');
    let expected = Date.parse('2021-12-31T23:00:00Z');
    while (cursor.nextUs !== Infinity) {
      const event = cursor.next();
      if (event.kind !== 'candle') throw new Error(`unexpected ${event.kind}`);
      expect(event.openTime).toBe(expected);
      expected += 60_000;
    }
    tape.close();
  });

  it('reads the vendor samples', async () => {
    const out = join(freshDir(), 'tardis');
    const files = ['trades', 'quotes'].map((kind) =>
      join(DATA, `tardis/binance-futures_${kind}_2020-02-22_BTCUSDT.csv.gz`),
    );
    await importRecording({ format: 'tardis-csv', files, symbols: ['BTCUSDT'], out, now: 0 });
    expect((await recordingInfo(out)).symbols['BTCUSDT']).toMatchObject({ trades: 9999, topQuotes: 9999 });
    const book = join(freshDir(), 'book');
    await importRecording({
      format: 'tardis-csv',
      files: [join(DATA, 'tardis/deribit_incremental_book_L2_BTC-PERPETUAL.csv')],
      symbols: ['BTC-PERPETUAL'],
      out: book,
      now: 0,
    });
    expect((await recordingInfo(book)).symbols['BTC-PERPETUAL']).toMatchObject({ snapshots: 1, depthMessages: 0 });
    const depth = join(freshDir(), 'depth');
    await importRecording({
      format: 'binance-vision',
      files: ['snap', 'update'].map((kind) => join(DATA, `samples/binance-usdm_BTCUSDT_depth_${kind}_2022-11-01.csv`)),
      symbols: ['BTCUSDT'],
      out: depth,
      now: 0,
    });
    expect((await recordingInfo(depth)).problems).toEqual([]);
  });
});
