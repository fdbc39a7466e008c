import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlaneReader, PlaneWriter } from '../../../src/recording/tape/byte-planes.ts';
import { ChunkPacker, ChunkUnpacker } from '../../../src/recording/tape/packed-chunk.ts';
import { openTape } from '../../../src/recording/tape/open-tape.ts';
import { TAPE_FILE } from '../../../src/recording/tape/tape-cache.ts';
import {
  chunkBytes,
  type ChunkSize,
  type TapeChunk,
  VALUES_OF_KINDS,
  viewChunk,
} from '../../../src/recording/tape/tape-chunk.ts';
import { TapeFile } from '../../../src/recording/tape/tape-file.ts';
import { eventsOf, freshDir, publicRow, recordingOf } from '../fixtures.ts';

const T0 = 1_700_000_000_000;

function there(column: readonly number[]): Float64Array {
  const writer = new PlaneWriter();
  writer.numbers(column, column.length);
  const reader = new PlaneReader(Buffer.from(writer.take()));
  const back = new Float64Array(column.length);
  reader.numbers(back, column.length);
  expect(reader.ended).toBe(true);
  return back;
}

function packedBytes(column: readonly number[]): number {
  const writer = new PlaneWriter();
  writer.numbers(column, column.length);
  return writer.take().length;
}

describe('byte planes', () => {
  it('give every column of doubles back to the bit', () => {
    const wild = fc.double({ noDefaultInfinity: false });
    const whole = fc.maxSafeInteger();
    const walks = [1, 127, 128, 40_000, 9_000_000, 2 ** 31, 2 ** 33, 2 ** 45, 2 ** 51, 2 ** 52].map((most) =>
      fc.integer({ min: -most, max: most }),
    );
    const column = fc.oneof(
      fc.array(wild, { maxLength: 40 }),
      fc.array(whole, { maxLength: 40 }),
      ...walks.map((step) => fc.array(step, { minLength: 1, maxLength: 40 }).map(summed)),
    );
    fc.assert(
      fc.property(column, (numbers) => {
        expect([...there(numbers)].every((each, row) => Object.is(each, numbers[row]))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('keep −0, NaN and what is beyond safe integers', () => {
    for (const column of [
      [0, -0],
      [Number.NaN, 1],
      [2 ** 53, 2 ** 53 + 2],
      [-(2 ** 52), 2 ** 52],
      [0.1, 0.2],
    ]) {
      expect([...there(column)].every((each, row) => Object.is(each, column[row]))).toBe(true);
    }
  });

  it('take as many bytes a number as its difference needs', () => {
    const rows = 100;
    const steps = [0, 100, 10_000, 4_000_000, 1_000_000_000, 2 ** 38, 2 ** 46, 2 ** 50];
    const widths = steps.map(
      (step) => (packedBytes(Array.from({ length: rows }, (_, row) => (row % 2) * step)) - 9) / rows,
    );
    expect(widths).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(packedBytes([0.5])).toBe(9 + 8);
  });

  it('refuse a column that ends early', () => {
    const writer = new PlaneWriter();
    writer.numbers([1, 300, 7], 3);
    const whole = Buffer.from(writer.take());
    for (let length = 0; length < whole.length; length++) {
      const reader = new PlaneReader(whole.subarray(0, length));
      expect(() => reader.numbers(new Float64Array(3), 3)).toThrow(RangeError);
    }
  });
});

function summed(steps: readonly number[]): number[] {
  let sum = 0;
  return steps.map((step) => {
    const next = sum + step;
    if (Number.isSafeInteger(next)) sum = next;
    return sum;
  });
}

/** A chunk with events of these kinds, its columns filled from a list of numbers by turns. */
function chunkOf(
  kinds: readonly number[],
  numbers: readonly number[],
  text: string,
): { size: ChunkSize; chunk: TapeChunk } {
  const strings = Buffer.from(JSON.stringify([text]), 'utf8');
  const values = kinds.reduce((sum, kind) => sum + VALUES_OF_KINDS[kind]!, 0);
  const levels = kinds.filter((kind) => kind === 0).length * 3;
  const size = { rows: kinds.length, values, levels, strings: strings.length };
  const chunk = viewChunk(new ArrayBuffer(chunkBytes(size)), size, false);
  let turn = 0;
  const next = (): number => numbers[turn++ % numbers.length]!;
  for (const column of [chunk.exchangeUs, chunk.receiveUs, chunk.values, chunk.ticks, chunk.lots]) {
    for (let row = 0; row < column.length; row++) column[row] = next();
  }
  for (const [row, kind] of kinds.entries()) {
    chunk.kinds[row] = kind;
    chunk.flags[row] = row % 8;
    chunk.symbols[row] = (row * 7) % 300;
    chunk.valueAt[row] = kinds.slice(0, row).reduce((sum, each) => sum + VALUES_OF_KINDS[each]!, 0);
    chunk.levelAt[row + 1] = chunk.levelAt[row]! + (kind === 0 ? 3 : 0);
  }
  for (let row = 0; row < levels; row++) chunk.sides[row] = row % 2;
  chunk.bytes.set(strings, chunk.sides.byteOffset + levels);
  return { size, chunk };
}

describe('a packed chunk', () => {
  it('is the same columns again, whatever kinds and numbers it holds, also in shared memory', () => {
    const kinds = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 60 });
    const numbers = fc.array(fc.oneof(fc.maxSafeInteger(), fc.double()), { minLength: 1, maxLength: 50 });
    const packer = new ChunkPacker();
    const unpacker = new ChunkUnpacker();
    fc.assert(
      fc.property(kinds, numbers, fc.string(), (rows, some, text) => {
        const { size, chunk } = chunkOf(rows, some, text);
        const packed = packer.chunk(chunk, size);
        // A buffer that held something else before, and a place in the middle of one.
        const used = new Uint8Array(chunkBytes(size)).fill(0xa5);
        const shared = new SharedArrayBuffer(chunkBytes(size) + 16);
        const here = unpacker.chunk(packed, size, used.buffer);
        const threads = unpacker.chunk(packed, size, shared, 16);
        expect(Buffer.compare(here.bytes, chunk.bytes)).toBe(0);
        expect(Buffer.compare(threads.bytes, chunk.bytes)).toBe(0);
        expect(here.strings).toEqual([text]);
        expect(threads.strings).toEqual([text]);
      }),
      { numRuns: 150 },
    );
  });

  it('is refused when the directory tells another size', () => {
    const { size, chunk } = chunkOf([0, 1, 2, 2, 3], [5, 6, 7], 'x');
    const packed = Buffer.from(new ChunkPacker().chunk(chunk, size));
    const wrong: ChunkSize[] = [
      { ...size, rows: size.rows - 1 },
      { ...size, values: size.values + 5 },
      { ...size, levels: size.levels - 1 },
      { ...size, strings: size.strings - 1 },
    ];
    for (const told of wrong) {
      expect(() => new ChunkUnpacker().chunk(packed, told, new ArrayBuffer(chunkBytes(told)))).toThrow();
    }
  });

  it('makes orders of any addresses again', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 200 }), (addresses) => {
        const order = Uint32Array.from(addresses);
        const back = new Uint32Array(order.length);
        new ChunkUnpacker().order(new ChunkPacker().order(order), back);
        expect(back).toEqual(order);
      }),
    );
  });
});

describe('a tape on the disk', () => {
  const trades = Array.from({ length: 5000 }, (_, index) => {
    const ts = T0 + index * 3;
    const data = [
      { tradeId: String(index), price: (100 + (index % 7) * 0.5).toFixed(1), quantity: '0.1', side: 'buy', ts },
    ];
    return publicRow(ts * 1000 + 2000, { channel: 'BTCUSDT@trades', seq: index, ts, data });
  });

  it('is a small part of its columns, and nothing but it is left of compiling', async () => {
    const { dir } = await recordingOf(trades);
    const tape = await openTape([dir]);
    const file = TapeFile.open(join(dir, TAPE_FILE));
    expect(readFileSync(file.path).length).toBeLessThan(file.size / 10);
    file.close();
    tape.close();
    expect(readdirSync(dir).sort()).toEqual([TAPE_FILE, 'frames-000001.twf', 'recording.json'].sort());
  });

  it('of the version before is built again from its recording, and refused without one', async () => {
    const { dir } = await recordingOf(trades.slice(0, 50));
    const first = await openTape([dir]);
    const events = eventsOf(first, 'receive');
    first.close();
    const path = join(dir, TAPE_FILE);
    const good = readFileSync(path);
    const old = Buffer.from(good);
    old.write('TWTAPE03', 0, 'latin1');
    old.writeUInt32LE(crc32(old.subarray(0, 28)), 28);
    writeFileSync(path, old);
    const alone = join(freshDir(), 'alone.tape');
    writeFileSync(alone, old);
    await expect(openTape([alone])).rejects.toMatchObject({ code: 'tape_invalid' });
    const again = await openTape([dir]);
    expect(eventsOf(again, 'receive')).toEqual(events);
    again.close();
    expect(readFileSync(path).equals(good)).toBe(true);
  });
});
