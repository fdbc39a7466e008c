import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Instruments } from '../../../src/model/market/instrument.ts';
import { createDecoder } from '../../../src/recording/compile/decode.ts';
import type { FrameRow } from '../../../src/recording/frames/frame-row.ts';
import { readManifest } from '../../../src/recording/frames/manifest.ts';
import { shareTapes } from '../../../src/recording/tape/open-tape.ts';
import { openTape } from '../../../src/recording/tape/open-tape.ts';
import { TAPE_FILE } from '../../../src/recording/tape/tape-cache.ts';
import { BTC, copyEvent, eventsOf, freshDir, manifestOf, publicRow, recordingOf } from '../fixtures.ts';

const T0 = 1_700_000_000_000;

function depth(seq: number, ms: number, bids: string[][], asks: string[][], type = 'update'): FrameRow {
  return publicRow((T0 + ms) * 1000 + 2000, { channel: 'BTCUSDT@depth', seq, ts: T0 + ms, data: { type, bids, asks } });
}

function trade(id: number, ms: number, price = '100.5'): FrameRow {
  const data = [{ tradeId: String(id), price, quantity: '0.1', side: 'buy', ts: T0 + ms }];
  return publicRow((T0 + ms) * 1000 + 3000, { channel: 'BTCUSDT@trades', seq: id, ts: T0 + ms, data });
}

function note(ms: number, value: object): FrameRow {
  return { receiveUs: (T0 + ms) * 1000, kind: 'note', generation: 1, text: JSON.stringify(value) };
}

const STREAM: readonly FrameRow[] = [
  depth(1, 0, [['100', '1']], [['101', '2']], 'snapshot'),
  trade(1, 10),
  depth(
    2,
    20,
    [
      ['100', '0'],
      ['99.5', '3'],
    ],
    [],
  ),
  trade(2, 15),
  depth(3, 40, [], [['100.5', '1.5']]),
];

const EMPTY_UPDATE = { type: 'update', bids: [], asks: [] };
const TAPE_CACHE = new URL('../../../src/recording/tape/tape-cache.ts', import.meta.url).href;
const OTHER_THREAD = `
const { parentPort, workerData: { dir, stop, module } } = require('node:worker_threads');
import(module).then(async ({ tapeOf }) => {
  const progress = (fraction) => {
    if (fraction <= 0.9 || Atomics.load(stop, 0) === 1) return;
    parentPort.postMessage('compiling');
    Atomics.wait(stop, 0, 0);
  };
  const tape = await tapeOf(dir, { progress });
  parentPort.postMessage(tape.file.path);
  tape.release();
});
`;

describe('a tape', () => {
  it('holds exactly the events that its frames decode to', async () => {
    const { dir } = await recordingOf(STREAM);
    const manifest = readManifest(dir);
    const decoded: Record<string, unknown>[] = [];
    const decoder = createDecoder(manifest, new Instruments(manifest.instruments));
    for (const row of STREAM) decoder.row(row, (event) => decoded.push(copyEvent(event)));
    const tape = await openTape([dir]);
    expect(eventsOf(tape, 'receive')).toEqual(
      [...decoded].sort((a, b) => Number(a['receiveUs']) - Number(b['receiveUs'])),
    );
    expect(tape.counts).toEqual({ total: 7, depth: 5, trades: 2, quotes: 0, candles: 0 });
    expect(tape.damaged).toBe(false);
    tape.close();
  });

  it('copies of trades keep their id', async () => {
    const { dir } = await recordingOf(STREAM);
    const tape = await openTape([dir]);
    const ids = eventsOf(tape, 'exchange')
      .filter((event) => event['kind'] === 'trade')
      .map((event) => event['tradeId']);
    expect(ids).toEqual(['1', '2']);
    tape.close();
  });

  it('delivers both orders sorted and complete, whatever the times', async () => {
    const times = fc.array(fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: -300, max: 300 })), {
      minLength: 1,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(times, async (pairs) => {
        const rows = pairs.map(([ms, delay], index) => {
          const data = [{ tradeId: `t${index}`, price: '100', quantity: '1', side: 'sell', ts: T0 + ms }];
          return publicRow((T0 + ms + delay) * 1000, { channel: 'BTCUSDT@trades', ts: T0 + ms, data });
        });
        const { dir } = await recordingOf(rows);
        const tape = await openTape([dir]);
        for (const order of ['exchange', 'receive'] as const) {
          const events = eventsOf(tape, order);
          const key = order === 'exchange' ? 'exchangeUs' : 'receiveUs';
          const us = events.map((event) => Number(event[key]));
          expect(us).toEqual([...us].sort((a, b) => a - b));
          // One stream: recorded order wins over time (T1).
          expect(events.map((event) => event['tradeId'])).toEqual(pairs.map((_, index) => `t${index}`));
          expect(
            events.every((event) => Number(event['receiveUs']) >= Number(event['exchangeUs']) || order === 'receive'),
          ).toBe(true);
        }
        tape.close();
      }),
      { numRuns: 25 },
    );
  });

  it('repairs a clock that is behind by −min + base latency, with a warning (T2)', async () => {
    const rows = [0, 5, 9].map((ms, index) => ({
      ...trade(index + 1, ms),
      receiveUs: (T0 + ms - 1500) * 1000 + index,
    }));
    const { dir } = await recordingOf(rows);
    const tape = await openTape([dir]);
    const [first] = eventsOf(tape, 'receive');
    expect(Number(first?.['receiveUs']) - Number(first?.['exchangeUs'])).toBe(1000);
    expect(tape.warnings.some((warning) => warning.includes('-1500.0 ms'))).toBe(true);
    tape.close();
  });

  it('reuses a good cache, and rebuilds a stale or a corrupt one', async () => {
    const { dir } = await recordingOf(STREAM);
    const first = await openTape([dir]);
    const events = eventsOf(first, 'exchange');
    const hash = first.dataHash;
    first.close();
    const path = join(dir, TAPE_FILE);
    const good = readFileSync(path);
    for (const at of [0, 9, 40, good.length >> 1, good.length - 3]) {
      const bytes = Buffer.from(good);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
      writeFileSync(path, bytes);
      const again = await openTape([dir]);
      expect(eventsOf(again, 'exchange')).toEqual(events);
      expect(again.dataHash).toBe(hash);
      again.close();
      expect(readFileSync(path).equals(good)).toBe(true);
    }
    const segment = join(dir, 'frames-000001.twf');
    writeFileSync(segment, readFileSync(segment).subarray(0, 60));
    await expect(openTape([dir])).rejects.toMatchObject({ code: 'recording_damaged', exit: 5 });
  });

  it('is compiled by two threads of a process at once, each beside the other', async () => {
    const { dir } = await recordingOf(STREAM);
    const stop = new Int32Array(new SharedArrayBuffer(4));
    // Stands still in the second pass, its draft begun, until this thread has compiled the whole.
    const other = new Worker(OTHER_THREAD, { eval: true, workerData: { dir, stop, module: TAPE_CACHE } });
    await once(other, 'message');
    (await openTape([dir])).close();
    Atomics.store(stop, 0, 1);
    Atomics.notify(stop, 0);
    expect(await once(other, 'message')).toEqual([join(dir, TAPE_FILE)]);
    const tape = await openTape([dir]);
    expect(eventsOf(tape, 'exchange')).toHaveLength(STREAM.length);
    tape.close();
    expect(readdirSync(dir).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('uses what is whole of a damaged recording, marks the place as a gap and says what is lost', async () => {
    const { dir, summary } = await recordingOf(STREAM, manifestOf(), { blockBytes: 1 });
    expect(summary.frames).toBe(5);
    const segment = join(dir, 'frames-000001.twf');
    const bytes = readFileSync(segment);
    const second = 40 + bytes.readUInt32LE(8);
    bytes.writeUInt8(bytes.readUInt8(second + 45) ^ 1, second + 45);
    writeFileSync(segment, bytes);
    const tape = await openTape([dir]);
    expect(tape.damaged).toBe(true);
    expect(tape.sources[0]?.lostFrames).toBe(1);
    // From the first depth message to the second nothing is known; the trade was received in between, recorded later.
    const received = eventsOf(tape, 'receive');
    expect(received.map((event) => event['kind'])).toEqual(['depth', 'gap', 'trade', 'gap', 'depth', 'depth']);
    expect(received.filter((event) => event['kind'] === 'gap')).toMatchObject([
      { open: true, receiveUs: (T0 + 2) * 1000 },
      { open: false, receiveUs: (T0 + 22) * 1000 },
    ]);
    expect(tape.warnings.some((warning) => warning.includes('1 frames are lost'))).toBe(true);
    tape.close();
  });

  it('begins a period in the middle with the book as it stood', async () => {
    const { dir } = await recordingOf(STREAM);
    const tape = await openTape([dir], { fromMs: T0 + 30, toMs: T0 + 100 });
    const events = eventsOf(tape, 'exchange');
    expect(events.map((event) => event['kind'])).toEqual(['depth', 'depth']);
    expect(events[0]).toMatchObject({
      snapshot: true,
      lastId: 2,
      exchangeUs: (T0 + 30) * 1000,
      levels: ['b9950x3000', 'a10100x2000'],
    });
    expect(tape.counts.total).toBe(1);
    tape.close();
    await expect(openTape([dir], { fromMs: T0 + 1000 })).rejects.toMatchObject({ code: 'recording_empty' });
  });

  it('begins a period behind a gap with the book that ids have proved since, and one within it with the gap', async () => {
    const dropped = note(30, { note: 'dropped', frames: 3 });
    const rows = [...STREAM.slice(0, 3), dropped, depth(3, 1000, [], [['100.5', '1.5']]), depth(4, 2000, [], [])];
    const { dir } = await recordingOf(rows);
    const begin = async (fromMs: number): Promise<Record<string, unknown>[]> => {
      const tape = await openTape([dir], { fromMs });
      const events = eventsOf(tape, 'receive');
      expect(eventsOf(tape, 'exchange').slice(0, 2)).toEqual(events.slice(0, 2));
      tape.close();
      return events;
    };
    expect(await begin(T0 + 1500)).toMatchObject([
      { kind: 'depth', snapshot: true, lastId: 3 },
      { kind: 'depth', lastId: 4 },
    ]);
    expect(await begin(T0 + 500)).toMatchObject([
      { kind: 'depth', snapshot: true, lastId: 2 },
      { kind: 'gap', open: true, reason: '3 frames were dropped while recording', fromUs: (T0 + 22) * 1000 },
      { kind: 'depth', lastId: 3 },
      { kind: 'depth', lastId: 4 },
    ]);
    const without = await recordingOf(rows, manifestOf({ rules: { BTCUSDT: 'none' } }));
    const tape = await openTape([without.dir], { fromMs: T0 + 500 });
    expect(eventsOf(tape, 'receive').map((event) => event['snapshot'])).toEqual([false, false]);
    tape.close();
  });

  it('begins with no book before what it is made of was received (M9)', async () => {
    const late = (ms: number, row: FrameRow): FrameRow => ({ ...row, receiveUs: row.receiveUs + ms * 1000 });
    const ofEth = (row: FrameRow): FrameRow => ({ ...row, text: row.text.replaceAll('BTCUSDT', 'ETHUSDT') });
    const manifest = manifestOf({
      symbols: ['BTCUSDT', 'ETHUSDT'],
      instruments: [{ ...BTC }, { ...BTC, symbol: 'ETHUSDT', base: 'ETH' }],
      rules: { BTCUSDT: 'seq', ETHUSDT: 'seq' },
    });
    const rows = [
      STREAM[0]!,
      ofEth(STREAM[0]!),
      ofEth(depth(2, 800, [['99', '1']], [])),
      late(198, depth(2, 900, [['99', '1']], [])),
      late(198, depth(3, 1050, [], [['100.5', '1.5']])),
    ];
    const tape = await openTape([(await recordingOf(rows, manifest)).dir], { fromMs: T0 + 1000 });
    const received = eventsOf(tape, 'receive').map((event) => [
      event['symbol'],
      event['snapshot'],
      Number(event['receiveUs']) / 1000 - T0,
    ]);
    expect(received).toEqual([
      ['ETHUSDT', true, 1001],
      ['BTCUSDT', true, 1100],
      ['BTCUSDT', false, 1250],
    ]);
    expect(eventsOf(tape, 'exchange').map((event) => Number(event['exchangeUs']) / 1000 - T0)).toEqual([
      1000, 1000, 1050,
    ]);
    tape.close();
  });

  it('begins with the book of the recording that knew it last, whatever their order', async () => {
    const manifest = manifestOf({ rules: { BTCUSDT: 'none' } });
    const old = await recordingOf([depth(1, 0, [['90', '1']], [], 'snapshot')], manifest);
    const later = await recordingOf(
      [depth(1, 1000, [['95', '1']], [], 'snapshot'), depth(2, 9000, [['96', '1']], [])],
      manifest,
    );
    for (const paths of [
      [old.dir, later.dir],
      [later.dir, old.dir],
    ]) {
      const tape = await openTape(paths, { fromMs: T0 + 5000 });
      expect(eventsOf(tape, 'exchange').map((event) => event['levels'])).toEqual([['b9500x1000'], ['b9600x1000']]);
      tape.close();
    }
  });

  it('reads the same from memory that threads share, and stays on the disk when it is too large', async () => {
    const { dir } = await recordingOf(STREAM);
    const onDisk = await openTape([dir]);
    const shared = await shareTapes([dir], 1e9);
    expect(await shareTapes([dir], 100)).toBeNull();
    const inMemory = await openTape([dir], { shared: shared! });
    expect(eventsOf(inMemory, 'exchange')).toEqual(eventsOf(onDisk, 'exchange'));
    expect(eventsOf(inMemory, 'receive')).toEqual(eventsOf(onDisk, 'receive'));
    expect([inMemory.dataHash, inMemory.contentHash]).toEqual([onDisk.dataHash, onDisk.contentHash]);
    const part = await openTape([dir], { shared: shared!, fromMs: T0 + 12, toMs: T0 + 30 });
    expect(part.contentHash).toBe(onDisk.contentHash);
    expect(part.dataHash).not.toBe(onDisk.dataHash);
    for (const tape of [onDisk, inMemory, part]) tape.close();
  });

  it('has one content hash whatever the order of the recordings and the base latency, and one data hash for each', async () => {
    const untimed = { ...trade(3, 50), text: JSON.stringify({ channel: 'BTCUSDT@depth', seq: 4, data: EMPTY_UPDATE }) };
    const dirs: string[] = [];
    for (const rows of [STREAM, [...STREAM, untimed], [depth(1, 90_000, [['1', '1']], [], 'snapshot')]]) {
      dirs.push((await recordingOf(rows)).dir);
    }
    const hashes = async (paths: readonly string[], baseLatencyUs?: number): Promise<readonly [string, string]> => {
      const tape = await openTape(paths, baseLatencyUs === undefined ? {} : { baseLatencyUs });
      tape.close();
      return [tape.contentHash, tape.dataHash];
    };
    const [first, second, third] = dirs as [string, string, string];
    const orders = [
      [first, second, third],
      [third, second, first],
      [second, third, first],
    ];
    const given: (readonly [string, string])[] = [];
    for (const paths of orders) given.push(await hashes(paths));
    expect(new Set(given.map(([content]) => content)).size).toBe(1);
    expect(new Set(given.map(([, data]) => data)).size).toBe(3);
    const near = await hashes([second]);
    const far = await hashes([second], 5000);
    expect(far[0]).toBe(near[0]);
    expect(far[1]).not.toBe(near[1]);
    // Ledgers know one recording at the usual latency by this hash.
    expect(near[0]).toBe(near[1]);
    expect((await hashes([first]))[0]).not.toBe(near[0]);
  });

  it('repeats with times and ids that go on', async () => {
    const { dir } = await recordingOf(STREAM);
    const tape = await openTape([dir], { repeat: 3 });
    const events = eventsOf(tape, 'exchange');
    expect(events.length).toBe(15);
    expect(tape.counts.total).toBe(21);
    const us = events.map((event) => Number(event['exchangeUs']));
    expect(us).toEqual([...us].sort((a, b) => a - b));
    expect((us[5] ?? 0) - (us[0] ?? 0)).toBe(60_000_000);
    expect(new Set(events.filter((event) => event['kind'] === 'trade').map((event) => event['tradeId'])).size).toBe(6);
    tape.close();
  });

  it('merges recordings by time, and refuses two grids for one symbol', async () => {
    const eth = { ...BTC, symbol: 'ETHUSDT', base: 'ETH' };
    const other = trade(7, 12);
    const ethRow = { ...other, text: other.text.replaceAll('BTCUSDT', 'ETHUSDT') };
    const a = await recordingOf(STREAM);
    const b = await recordingOf(
      [ethRow],
      manifestOf({ symbols: ['ETHUSDT'], instruments: [eth], rules: { ETHUSDT: 'seq' } }),
    );
    const tape = await openTape([a.dir, b.dir]);
    expect(tape.instruments.map((instrument) => instrument.symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
    expect(eventsOf(tape, 'exchange').map((event) => event['symbol'])[2]).toBe('ETHUSDT');
    tape.close();
    const coarse = await recordingOf(STREAM, manifestOf({ instruments: [{ ...BTC, tickSize: '0.1' }] }));
    await expect(openTape([a.dir, coarse.dir])).rejects.toMatchObject({ code: 'instrument_conflict' });
  });

  it('opens the gap of a restart where the data end, on both sides, and closes it where they go on (T5)', async () => {
    const connected = { note: 'connected', connection: 'public' };
    const hour = 3_600_000;
    const soon = { ...depth(2, 1000, [['99', '1']], []), receiveUs: (T0 + 1000) * 1000 + 100 };
    const resumed = [
      note(hour, { note: 'session', format: 1, seed: 1, account: false, strategies: [] }),
      note(hour + 1, connected),
      depth(9, hour + 10, [['200', '1']], [['201', '1']], 'snapshot'),
    ];
    const killed = [note(hour, connected), depth(9, hour + 10, [['200', '1']], [['201', '1']], 'snapshot')];
    for (const after of [resumed, killed]) {
      // The clock was put back once: what was received last is not what was recorded last.
      const back = { ...trade(1, 500), receiveUs: (T0 + 900) * 1000 };
      const { dir } = await recordingOf([note(-5, connected), STREAM[0]!, soon, back, ...after]);
      const tape = await openTape([dir]);
      for (const order of ['exchange', 'receive'] as const) {
        const key = order === 'exchange' ? 'exchangeUs' : 'receiveUs';
        const events = eventsOf(tape, order);
        expect(events.map((event) => event['kind'])).toEqual(['depth', 'trade', 'depth', 'gap', 'gap', 'depth']);
        const [, , before, open, close] = events;
        // Closer to the exchange than the base latency: the gap must not come in front of what is still there.
        expect(open).toMatchObject({ open: true, [key]: before![key] });
        expect(close).toMatchObject({ open: false, receiveUs: (T0 + hour) * 1000, fromUs: soon.receiveUs });
      }
      tape.close();
    }
  });

  it('turns lost connections into gaps for every symbol (T5)', async () => {
    const rows = [
      note(-5, { note: 'connected', connection: 'public' }),
      ...STREAM.slice(0, 2),
      note(12, { note: 'lost', connection: 'private', reason: 'x' }),
      note(14, { note: 'lost', connection: 'public', reason: 'x' }),
      note(18, { note: 'connected', connection: 'public' }),
      ...STREAM.slice(2),
    ];
    const { dir } = await recordingOf(rows);
    const tape = await openTape([dir]);
    const gaps = eventsOf(tape, 'receive').filter((event) => event['kind'] === 'gap');
    expect(gaps).toMatchObject([
      { open: true, fromUs: (T0 + 14) * 1000 },
      { open: false, fromUs: (T0 + 14) * 1000, receiveUs: (T0 + 18) * 1000 },
    ]);
    tape.close();
  });

  it('says where nothing is, and what is not a tape', async () => {
    await expect(openTape([freshDir()])).rejects.toMatchObject({ code: 'recording_not_found' });
    await expect(openTape([join(freshDir(), 'no')])).rejects.toMatchObject({ code: 'recording_not_found' });
    const path = join(freshDir(), 'x.tape');
    writeFileSync(path, 'not a tape, only forty bytes of some text');
    await expect(openTape([path])).rejects.toMatchObject({ code: 'tape_invalid' });
    expect(existsSync(path)).toBe(true);
  });
});
