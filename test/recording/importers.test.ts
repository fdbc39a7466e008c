import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { GridProbe } from '../../src/recording/importers/grid.ts';
import { importRecording, type ImportOptions } from '../../src/recording/importers/import.ts';
import { openTape } from '../../src/recording/tape/open-tape.ts';
import { recordingInfo } from '../../src/recording/info.ts';
import { eventsOf, freshDir, writeFixture } from './fixtures.ts';

type Change = Partial<ImportOptions> & Pick<ImportOptions, 'format' | 'files'>;

async function imported(change: Change) {
  const out = join(freshDir(), 'out');
  const result = await importRecording({ symbols: ['BTCUSDT'], out, now: 0, ...change });
  const tape = await openTape([out]);
  const events = eventsOf(tape, 'exchange');
  tape.close();
  return { out, result, events, warnings: tape.warnings };
}

const FRAMES = [
  '1700000000100000123 {"stream":"btcusdt@depth","data":{"e":"depthUpdate","E":1700000000090,"T":1700000000089,"s":"BTCUSDT","U":5,"u":9,"pu":4,"b":[["100.10","1.5"]],"a":[]}}',
  '1700000000110000000 {"lastUpdateId":7,"E":1700000000088,"T":1700000000087,"bids":[["100.00","2"]],"asks":[["100.30","3"]]}',
  '1700000000120000000 {"e":"bookTicker","u":10,"s":"BTCUSDT","b":"100.10","B":"1.5","a":"100.30","A":"3","T":1700000000110,"E":1700000000110}',
  '1700000000130000000 {"stream":"x","data":{"e":"trade","E":1700000000120,"T":1700000000119,"s":"BTCUSDT","t":77,"p":"100.30","q":"0.5","m":true}}',
  '1700000000131000000 {"stream":"x","data":{"e":"markPriceUpdate","E":1700000000121,"s":"BTCUSDT","p":"100.2","i":"100.1","r":"0.0001","T":1700003600000}}',
  '1700000000132000000 {"stream":"x","data":{"e":"forceOrder","E":1700000000122,"s":"BTCUSDT"}}',
];

describe('binance-collector', () => {
  it('reads combined streams, bare snapshots and futures frames', async () => {
    const file = writeFixture('frames.gz', gzipSync(`${FRAMES.join('\n')}\n`));
    const { result, events } = await imported({ format: 'binance-collector', files: [file] });
    expect(result.manifest.instruments[0]).toMatchObject({
      market: 'derivative',
      tickSize: '0.1',
      lotSize: '0.1',
      minNotional: '0',
      inferred: true,
    });
    expect(result.manifest.rules).toEqual({ BTCUSDT: 'pu' });
    expect(events.map((event) => event['kind'])).toEqual(['depth', 'depth', 'quote', 'trade', 'mark', 'funding']);
    expect(events[1]).toMatchObject({ snapshot: false, firstId: 5, lastId: 9, previousId: 4, levels: ['b1001x15'] });
    expect(events[3]).toMatchObject({
      tradeId: '77',
      takerBuys: false,
      exchangeUs: 1_700_000_000_119_000,
      receiveUs: 1_700_000_000_130_000,
    });
    expect(events[5]).toMatchObject({ rate: '0.0001', nextFundingTime: 1_700_003_600_000 });
    expect(result.manifest.warnings.some((warning) => warning.includes('forceOrder'))).toBe(true);
  });

  it('keeps what stands before the break of a truncated gzip, says what is lost, and refuses it with --strict', async () => {
    const many = Array.from({ length: 4000 }, (_, index) => FRAMES[3]?.replace('"t":77', `"t":${index * 7919}`)).join(
      '\n',
    );
    const packed = gzipSync(many);
    const file = writeFixture('frames.gz', packed.subarray(0, packed.length >> 1));
    const { out, result } = await imported({ format: 'binance-collector', files: [file] });
    expect(result.frames).toBeGreaterThan(500);
    expect(result.frames).toBeLessThan(4000);
    expect(result.manifest.problems[0]).toMatch(/truncated or corrupt.*whole lines/);
    expect((await recordingInfo(out)).problems.length).toBe(1);
    const strict = {
      format: 'binance-collector',
      files: [file],
      symbols: ['BTCUSDT'],
      out: join(freshDir(), 'no'),
      now: 0,
      strict: true,
    } as const;
    await expect(importRecording(strict)).rejects.toMatchObject({ code: 'import_truncated', exit: 5 });
    expect(existsSync(strict.out)).toBe(false);
  });

  it('counts broken lines and goes on', async () => {
    const file = writeFixture(
      'frames.txt',
      [FRAMES[0], 'rubbish', '1700000000125000000 {"e":"trade"', FRAMES[3]].join('\n'),
    );
    const { result, events } = await imported({ format: 'binance-collector', files: [file] });
    expect(events.length).toBe(2);
    expect(result.manifest.problems.join()).toMatch(
      /1 lines were not understood, first: line 2.*1 frames cannot be decoded/,
    );
  });

  it('refuses another symbol, another format and a missing file, and leaves nothing behind', async () => {
    const file = writeFixture('frames.txt', FRAMES.join('\n'));
    const out = join(freshDir(), 'out');
    const base = { files: [file], symbols: ['ETHUSDT'], out, now: 0 } as const;
    await expect(
      importRecording({ ...base, format: 'binance-collector', files: [writeFixture('t', FRAMES[3] ?? '')] }),
    ).rejects.toMatchObject({
      code: 'import_wrong_symbol',
      details: { found: ['BTCUSDT'] },
    });
    // The snapshot among them names no symbol: it alone makes no recording of ETHUSDT.
    expect(FRAMES.some((line) => line.includes('lastUpdateId'))).toBe(true);
    await expect(importRecording({ ...base, format: 'binance-collector' })).rejects.toMatchObject({
      code: 'import_wrong_symbol',
      details: { found: ['BTCUSDT'] },
    });
    await expect(importRecording({ ...base, format: 'tardis-csv' })).rejects.toMatchObject({
      code: 'import_wrong_format',
    });
    await expect(importRecording({ ...base, format: 'jsonl', files: ['/nowhere/x'] })).rejects.toMatchObject({
      code: 'import_file_unreadable',
    });
    expect(existsSync(out)).toBe(false);
    expect(existsSync(`${out}.partial`)).toBe(false);
  });

  it('takes the instrument of a file instead of the inferred one', async () => {
    const instrumentFile = writeFixture(
      'i.json',
      '{"symbol":"BTCUSDT","market":"spot","base":"BTC","quote":"USDT","tickSize":"0.05","lotSize":"0.5","minNotional":"10"}',
    );
    const file = writeFixture('frames.txt', FRAMES.join('\n'));
    const { result, events } = await imported({ format: 'binance-collector', files: [file], instrumentFile });
    expect(result.manifest.instruments[0]).toMatchObject({ tickSize: '0.05', minNotional: '10', status: 'trading' });
    expect(events.find((event) => event['kind'] === 'trade')).toMatchObject({ ticks: 2006, lots: 1 });
  });
});

describe('tardis-csv', () => {
  const header = 'exchange,symbol,timestamp,local_timestamp,';
  it('merges trades and quotes by receive time', async () => {
    const trades = writeFixture(
      'trades.csv',
      `${header}id,side,price,amount\nx,BTCUSDT,1000000000000100,1000000000000300,1,buy,9682,0.132\nx,BTCUSDT,1000000000000500,1000000000000700,2,sell,9681.5,1\n`,
    );
    const quotes = writeFixture(
      'quotes.csv',
      `${header}ask_amount,ask_price,bid_price,bid_amount\nx,BTCUSDT,1000000000000200,1000000000000400,0.84,9682,9681.5,\n`,
    );
    const { events, result } = await imported({ format: 'tardis-csv', files: [trades, quotes] });
    expect(events.map((event) => event['kind'])).toEqual(['trade', 'quote', 'trade']);
    expect(result.manifest.instruments[0]).toMatchObject({ tickSize: '0.1', lotSize: '0.001', market: 'spot' });
    expect(result.manifest.problems).toEqual([]);
  });

  it('joins book rows of one message', async () => {
    const rows = [
      '100,200,true,ask,9682,1',
      '100,200,true,bid,9681,2',
      '150,250,false,bid,9681,0',
      '160,260,false,ask,9683,4',
    ];
    const csv = rows
      .map((row) => `x,BTCUSDT,${row.replace(/(\d+),(\d+),/, '1000000000000$1,1000000000000$2,')}`)
      .join('\n');
    const file = writeFixture('book.csv', `${header}is_snapshot,side,price,amount\n${csv}\n`);
    const { events } = await imported({ format: 'tardis-csv', files: [file] });
    expect(events.map((event) => [event['snapshot'], event['levels']])).toEqual([
      [true, ['b9681x2', 'a9682x1']],
      [false, ['b9681x0']],
      [false, ['a9683x4']],
    ]);
  });
});

describe('binance-vision', () => {
  it('reads zipped trades without header, and klines at their close', async () => {
    const trades = zipOf(
      'BTCUSDT-trades-2024-01-01.csv',
      '11,100.5,2,201,1704067200123,True,True\n12,100.6,1,100.6,1704067200456,false,True\n',
    );
    const zip = writeFixture('BTCUSDT-trades-2024-01-01.zip', trades);
    const { events } = await imported({ format: 'binance-vision', files: [zip] });
    expect(events).toMatchObject([
      { tradeId: '11', takerBuys: false, exchangeUs: 1_704_067_200_123_000, receiveUs: 1_704_067_200_124_000 },
      { tradeId: '12', takerBuys: true },
    ]);
    const klines = writeFixture(
      'BTCUSDT-1m-2024-01-01.csv',
      '1704067200000,100,102,99,101,5.5,1704067259999,550,10,1,1,0\n',
    );
    const bars = await imported({ format: 'binance-vision', files: [klines] });
    expect(bars.events).toMatchObject([
      {
        kind: 'candle',
        openTime: 1_704_067_200_000,
        intervalMs: 60_000,
        exchangeUs: 1_704_067_260_000_000,
        volume: 5.5,
      },
    ]);
  });

  it('refuses files that hold no book, with a sentence', async () => {
    const file = writeFixture('BTCUSDT-bookDepth-2024-01-01.csv', 'timestamp,percentage,depth,notional\n');
    await expect(imported({ format: 'binance-vision', files: [file] })).rejects.toMatchObject({
      code: 'import_wrong_format',
    });
  });
});

describe('candles-csv', () => {
  const csv =
    'timestamp,open,high,low,close,volume\n2021-12-31 23:01:00.000000,10,12,8,10,1000\n2021-12-31 23:02:00.000000,10,11,9,10,500\n';
  it('knows open from close times, and volume in quote', async () => {
    const file = writeFixture('c.csv', csv);
    const close = await imported({
      format: 'candles-csv',
      files: [file],
      timestamp: 'close',
      volume: 'quote',
      intervalMs: 60_000,
    });
    expect(close.events[0]).toMatchObject({
      openTime: Date.parse('2021-12-31T23:00:00Z'),
      exchangeUs: Date.parse('2021-12-31T23:01:00Z') * 1000,
      volume: 100,
    });
    const open = await imported({ format: 'candles-csv', files: [file] });
    expect(open.events[0]).toMatchObject({
      openTime: Date.parse('2021-12-31T23:01:00Z'),
      exchangeUs: Date.parse('2021-12-31T23:02:00Z') * 1000,
      volume: 1000,
    });
  });

  it('names the missing column', async () => {
    const file = writeFixture('c.csv', csv.replace('volume', 'vol'));
    await expect(imported({ format: 'candles-csv', files: [file] })).rejects.toThrow(/no column volume/);
  });

  it('takes no bar of infinity, and no day that does not exist', async () => {
    const odd = [
      '2022-01-01 00:01:00,10,Infinity,8,10,5',
      '2022-01-01 00:02:00,10,12,8,10,Infinity',
      '2022-02-30 00:03:00,10,12,8,10,5',
    ];
    const { events, warnings } = await imported({
      format: 'candles-csv',
      files: [writeFixture('odd.csv', `${csv}${odd.join('\n')}\n`)],
    });
    expect(events).toHaveLength(2);
    expect(warnings.join('\n')).toMatch(/"2022-02-30 00:03:00" is not a time[^]*2 frames cannot be decoded/);
  });

  /** Bars of one minute that open at these minutes of a day, in this order. */
  const bars = (minutes: readonly number[]): string => {
    const rows = minutes.map((minute) => `${new Date(Date.UTC(2024, 0, 1, 0, minute)).toISOString()},10,11,9,10,5`);
    return writeFixture('bars.csv', `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`);
  };

  it('tells the interval from the first rows, also where bars are missing between them', async () => {
    const { events } = await imported({ format: 'candles-csv', files: [bars([0, 5, 6, 7])] });
    expect(events.map((event) => event['intervalMs'])).toEqual([60_000, 60_000, 60_000, 60_000]);
    expect(events[0]!['exchangeUs']).toBe(Date.UTC(2024, 0, 1, 0, 1) * 1000);
  });

  it('refuses a file that begins with the newest bar, and says what to do', async () => {
    for (const options of [{}, { intervalMs: 60_000 }]) {
      const newestFirst = imported({ format: 'candles-csv', files: [bars([5, 4, 3, 2, 1, 0])], ...options });
      await expect(newestFirst).rejects.toThrow(
        /bars.csv: the lines go back in time; sort them by time, the oldest first/,
      );
    }
  });

  it('leaves out and counts bars that are unordered, doubled or missing, of both sides alike', async () => {
    const { events, warnings } = await imported({
      format: 'candles-csv',
      files: [bars([0, 1, 2, 2, 4, 3, 2, 5, 7, 8])],
    });
    const minutes = events.map((event) => (Number(event['openTime']) - Date.UTC(2024, 0, 1)) / 60_000);
    expect(minutes).toEqual([0, 1, 2, 4, 5, 7, 8]);
    expect(warnings.filter((text) => text.includes('bars'))).toEqual([
      'BTCUSDT, bars of 60 s: 2 missing, the first at 2024-01-01T00:03:00.000Z; 2 doubled and left out, the first of each is taken; 1 unordered and left out, they begin before one that stands above them',
    ]);
  });
});

describe('jsonl', () => {
  it('reads every type, with one time or two', async () => {
    const lines = [
      { ts: 1000, recv: 1005, symbol: 'A', type: 'snapshot', seq: 3, bids: [['10', '1']], asks: [['11', '2']] },
      { ts: 1001, recv: 1006, symbol: 'A', type: 'depth', seq: 4, bids: [['10', '0']], asks: [] },
      { ts: 1002, symbol: 'A', type: 'trade', tradeId: 'x-1', price: '10.5', quantity: 2, side: 'sell' },
      { ts: 1003, symbol: 'A', type: 'quote', bid: '10', bidQuantity: '1', ask: '11', askQuantity: '2' },
      { ts: 1004, symbol: 'B', type: 'mark', markPrice: '3', indexPrice: '3.1' },
      { ts: 1005, symbol: 'B', type: 'funding', rate: '-0.0001', nextFundingTime: 2000 },
      { ts: 61000, symbol: 'B', type: 'candle', openTime: 0, open: 1, high: 2, low: 1, close: 2, volume: 3 },
    ];
    const file = writeFixture('x.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    const { events, result } = await imported({ format: 'jsonl', files: [file], symbols: [] });
    expect(events.map((event) => event['kind'])).toEqual([
      'depth',
      'depth',
      'trade',
      'quote',
      'mark',
      'funding',
      'candle',
    ]);
    expect(events[2]).toMatchObject({ tradeId: 'x-1', receiveUs: 1_003_000 });
    expect(result.manifest.rules).toMatchObject({ A: 'seq' });
    expect(result.manifest.symbols).toEqual(['A', 'B']);
  });

  it('reads rates of funding as JSON and Python write small ones', async () => {
    const mark = { ts: 1000, symbol: 'B', type: 'mark', markPrice: '3', indexPrice: '3.1' };
    const lines = [1.3e-7, '-7e-05', '1E-4', 'e-4', '1e'].map((rate) => ({ ...mark, type: 'funding', rate }));
    const file = writeFixture('x.jsonl', [mark, ...lines].map((line) => JSON.stringify(line)).join('\n'));
    const { events } = await imported({ format: 'jsonl', files: [file], symbols: [] });
    expect(events.slice(1).map((event) => event['rate'])).toEqual(['0.00000013', '-0.00007', '0.0001']);
  });
});

describe('GridProbe', () => {
  it.each([
    [['100.10', '7.5'], '0.1'],
    [['0.00100000', '12'], '0.001'],
    [['18640', '1190', '0'], '10'],
    [['300', 1200], '100'],
    [['0', '0.000'], 'none'],
    [[1e-7], '0.0000001'],
  ])('%j has step %s', (values, step) => {
    const probe = new GridProbe();
    for (const value of values) probe.add(value);
    expect(probe.step('none')).toBe(step);
  });
});

/** A zip archive of one deflated file. */
function zipOf(name: string, content: string): Buffer {
  const packed = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(content.length, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, entry, Buffer.from(name), end]);
}
