/**
 * Chunks and orders as stored: byte planes under zstd, without the derived `valueAt`.
 *
 *   kinds, flags u8 │ sides u8 │ strings │ exchangeUs, receiveUs, levelAt, symbols, ticks, lots │ values by kind and place
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { PlaneReader, PlaneWriter } from './byte-planes.ts';
import { CHUNK_ROWS, type ChunkSize, type TapeChunk, VALUES_OF_KINDS, viewChunk } from './tape-chunk.ts';

/** Higher: twice the time, a tenth saved. */
const LEVEL = 1;
/** zlib's minimum output buffer. */
const CHUNK_BYTES_MIN = 64;
const COLUMN_HEAD_BYTES = 9;
const COLUMNS_MAX = 6 + VALUES_OF_KINDS.reduce((sum, values) => sum + values, 0);

export class ChunkPacker {
  readonly #planes = new PlaneWriter();
  readonly #places = new ValuePlaces();
  readonly #series = new Float64Array(CHUNK_ROWS);

  /** @throws RangeError unless values are in row order */
  chunk(chunk: TapeChunk, size: ChunkSize): Buffer {
    const { rows, levels, strings } = size;
    const { kinds, flags, sides, bytes } = chunk;
    const stringsAt = sides.byteOffset + levels - bytes.byteOffset;
    this.#planes.bytes(kinds);
    this.#planes.bytes(flags);
    this.#planes.bytes(sides);
    this.#planes.bytes(bytes.subarray(stringsAt, stringsAt + strings));
    this.#planes.numbers(chunk.exchangeUs, rows);
    this.#planes.numbers(chunk.receiveUs, rows);
    this.#planes.numbers(chunk.levelAt, rows + 1);
    this.#planes.numbers(chunk.symbols, rows);
    this.#planes.numbers(chunk.ticks, levels);
    this.#planes.numbers(chunk.lots, levels);
    this.#values(chunk);
    return compress(this.#planes.take());
  }

  order(addresses: Uint32Array): Buffer {
    this.#planes.numbers(addresses, addresses.length);
    return compress(this.#planes.take());
  }

  #values({ kinds, values }: TapeChunk): void {
    const series = this.#series;
    const count = this.#places.find(kinds);
    if (count !== values.length) throw new RangeError(`${values.length} values of kinds that have ${count}`);
    for (const [kind, places] of VALUES_OF_KINDS.entries()) {
      const at = this.#places.of(kind);
      for (let place = 0; place < places && at.length > 0; place++) {
        for (let index = 0; index < at.length; index++) series[index] = values[at[index]! + place]!;
        this.#planes.numbers(series, at.length);
      }
    }
  }
}

/** First value of each kind's rows. */
class ValuePlaces {
  readonly #ends = new Uint32Array(VALUES_OF_KINDS.length);
  readonly #counts = new Uint32Array(VALUES_OF_KINDS.length);
  readonly #at = new Uint32Array(CHUNK_ROWS);

  /** Number of values. @throws RangeError for an unknown kind */
  find(kinds: Uint8Array, valueAt?: Uint32Array): number {
    const counts = this.#counts.fill(0);
    for (let row = 0; row < kinds.length; row++) {
      const kind = kinds[row]!;
      if (kind >= counts.length) throw new RangeError(`unknown kind ${kind}`);
      counts[kind]!++;
    }
    const ends = this.#ends;
    const at = this.#at;
    for (let kind = 0, start = 0; kind < ends.length; start += counts[kind++]!) ends[kind] = start;
    let next = 0;
    for (let row = 0; row < kinds.length; row++) {
      const kind = kinds[row]!;
      if (valueAt !== undefined) valueAt[row] = next;
      at[ends[kind]!++] = next;
      next += VALUES_OF_KINDS[kind]!;
    }
    return next;
  }

  of(kind: number): Uint32Array {
    const end = this.#ends[kind]!;
    return this.#at.subarray(end - this.#counts[kind]!, end);
  }
}

export class ChunkUnpacker {
  readonly #places = new ValuePlaces();
  readonly #series = new Float64Array(CHUNK_ROWS + 1);

  /**
   * Into `chunkBytes(size)` bytes from `from`, a multiple of 8.
   * @throws Error when the bytes are not such a chunk
   */
  chunk(packed: Uint8Array, size: ChunkSize, buffer: ArrayBufferLike, from = 0): TapeChunk {
    const { rows, levels, strings } = size;
    const chunk = viewChunk(buffer, size, false, from);
    const { bytes, sides } = chunk;
    const raw = decompress(packed, rawBytesMax(size));
    const planes = new PlaneReader(raw);
    const stringsAt = sides.byteOffset + levels - bytes.byteOffset;
    bytes.fill(0, stringsAt + strings);
    planes.bytes(chunk.kinds);
    planes.bytes(chunk.flags);
    planes.bytes(sides);
    planes.bytes(bytes.subarray(stringsAt, stringsAt + strings));
    planes.numbers(chunk.exchangeUs, rows);
    planes.numbers(chunk.receiveUs, rows);
    this.#integers(planes, chunk.levelAt);
    this.#integers(planes, chunk.symbols);
    planes.numbers(chunk.ticks, levels);
    planes.numbers(chunk.lots, levels);
    this.#values(planes, chunk);
    if (!planes.ended) throw new RangeError('a chunk is longer than its columns');
    free(raw);
    return viewChunk(buffer, size, true, from);
  }

  order(packed: Uint8Array, addresses: Uint32Array): void {
    const raw = decompress(packed, COLUMN_HEAD_BYTES + 8 * addresses.length);
    const planes = new PlaneReader(raw);
    const numbers = new Float64Array(addresses.length);
    planes.numbers(numbers, addresses.length);
    if (!planes.ended) throw new RangeError('an order is longer than its addresses');
    addresses.set(numbers);
    free(raw);
  }

  #integers(planes: PlaneReader, column: Uint32Array | Uint16Array): void {
    planes.numbers(this.#series, column.length);
    column.set(this.#series.subarray(0, column.length));
  }

  #values(planes: PlaneReader, { kinds, valueAt, values }: TapeChunk): void {
    const series = this.#series;
    const count = this.#places.find(kinds, valueAt);
    if (count !== values.length) throw new RangeError(`${count} values, but the directory says ${values.length}`);
    for (const [kind, places] of VALUES_OF_KINDS.entries()) {
      const at = this.#places.of(kind);
      for (let place = 0; place < places && at.length > 0; place++) {
        planes.numbers(series, at.length);
        for (let index = 0; index < at.length; index++) values[at[index]! + place] = series[index]!;
      }
    }
  }
}

/** Maximum uncompressed size, against forged files. */
function rawBytesMax({ rows, values, levels, strings }: ChunkSize): number {
  return COLUMNS_MAX * COLUMN_HEAD_BYTES + 8 * (4 * rows + 1 + values + 2 * levels) + 2 * rows + levels + strings;
}

function compress(bytes: Buffer): Buffer {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
}

/** Into one buffer, to avoid garbage. */
function decompress(bytes: Uint8Array, bytesMax: number): Buffer {
  return zstdDecompressSync(bytes, { maxOutputLength: bytesMax, chunkSize: Math.max(bytesMax, CHUNK_BYTES_MIN) });
}

/** At once, not at the next collection. */
function free({ buffer }: Buffer): void {
  // Small buffers belong to the shared pool.
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
