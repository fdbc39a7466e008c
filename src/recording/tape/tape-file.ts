/** Reads a tape (docs/tape.md), packed on disk or as columns in shared memory. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { messageOf } from '../../model/errors.ts';
import { ChunkUnpacker } from './packed-chunk.ts';
import { chunkBytes, type TapeChunk, viewChunk } from './tape-chunk.ts';
import {
  type ChunkEntry,
  footerPart,
  HEADER_BYTES,
  invalidTape,
  type OrderEntry,
  type PartEntry,
  type TapeFooter,
} from './tape-format.ts';
import type { SharedTape } from './tape.ts';

/** Trapped calls inspect the stack. */
const readUntrapped = readSync;

/** No state between calls. */
const UNPACKER = new ChunkUnpacker();
/** Unheld chunks kept in memory. */
const IDLE_CHUNKS = 1;

/** In memory: chunks, then orders, at multiples of 8. */
type Place =
  | { readonly kind: 'file'; readonly fd: number }
  | { readonly kind: 'memory'; readonly bytes: SharedArrayBuffer; readonly at: ReadonlyMap<PartEntry, number> };

/** Its buffer is reused once unheld. */
interface LoadedChunk {
  readonly chunk: TapeChunk;
  readonly buffer: ArrayBuffer;
  holders: number;
}

export class TapeFile {
  readonly path: string;
  readonly footer: TapeFooter;
  readonly #place: Place;
  /** Most recently released last. */
  readonly #chunks = new Map<number, LoadedChunk>();
  readonly #bytesMax: number;
  #packed = new Uint8Array(0);
  #closed = false;

  private constructor(path: string, place: Place, footer: TapeFooter) {
    this.path = path;
    this.#place = place;
    this.footer = footer;
    this.#bytesMax = footer.chunks.reduce((most, entry) => Math.max(most, chunkBytes(entry)), 0);
  }

  /** @throws tape_invalid */
  static open(path: string): TapeFile {
    let fd: number;
    try {
      fd = openSync(path, 'r');
    } catch (thrown) {
      throw invalidTape(path, messageOf(thrown));
    }
    try {
      return new TapeFile(path, { kind: 'file', fd }, readFooter(path, fd));
    } catch (thrown) {
      closeSync(fd);
      throw thrown;
    }
  }

  static ofShared({ path, bytes, footer }: SharedTape): TapeFile {
    return new TapeFile(path, { kind: 'memory', bytes, at: placesOf(footer).at }, footer);
  }

  /** Unpacked size, bytes. */
  get size(): number {
    return placesOf(this.footer).bytes;
  }

  /** Check `size` first. @throws tape_invalid */
  share(): Pick<SharedTape, 'bytes' | 'footer'> {
    const { at, bytes: size } = placesOf(this.footer);
    const bytes = new SharedArrayBuffer(size);
    const { chunks, exchangeOrder, receiveOrder } = this.footer;
    for (const entry of chunks) this.#unpack(entry, bytes, at.get(entry)!);
    for (const entry of [...exchangeOrder, ...receiveOrder]) {
      new Uint32Array(bytes, at.get(entry), entry.count).set(this.order(entry));
    }
    return { bytes, footer: this.footer };
  }

  /** Checks every checksum. @throws tape_invalid */
  verify(): void {
    const { chunks, exchangeOrder, receiveOrder } = this.footer;
    for (const part of [...chunks, ...exchangeOrder, ...receiveOrder]) {
      if (crc32(this.#read(part)) !== part.crc) throw invalidTape(this.path, `checksum differs at byte ${part.at}`);
    }
  }

  /** Give it back by `release`. @throws tape_invalid */
  hold(index: number): TapeChunk {
    if (this.#place.kind === 'memory') return this.#view(index, this.#place);
    const loaded = this.#chunks.get(index) ?? this.#load(index);
    loaded.holders++;
    return loaded.chunk;
  }

  release(index: number): void {
    const loaded = this.#chunks.get(index);
    if (loaded === undefined) return;
    loaded.holders--;
    if (loaded.holders > 0) return;
    this.#chunks.delete(index);
    this.#chunks.set(index, loaded);
  }

  /** @throws tape_invalid */
  order(entry: OrderEntry): Uint32Array {
    const place = this.#place;
    if (place.kind === 'memory') return new Uint32Array(place.bytes, place.at.get(entry), entry.count);
    const addresses = new Uint32Array(entry.count);
    const packed = this.#read(entry);
    try {
      UNPACKER.order(packed, addresses);
    } catch (thrown) {
      throw invalidTape(this.path, `the order at byte ${entry.at}: ${messageOf(thrown)}`);
    }
    return addresses;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#chunks.clear();
    if (this.#place.kind === 'file') closeSync(this.#place.fd);
  }

  #entry(index: number): ChunkEntry {
    const entry = this.footer.chunks[index];
    if (entry === undefined || this.#closed) throw new RangeError(`no chunk ${index} in ${this.path}`);
    return entry;
  }

  #view(index: number, { bytes, at }: Extract<Place, { kind: 'memory' }>): TapeChunk {
    const entry = this.#entry(index);
    return viewChunk(bytes, entry, true, at.get(entry));
  }

  #load(index: number): LoadedChunk {
    const entry = this.#entry(index);
    const buffer = this.#idleBuffer() ?? new ArrayBuffer(this.#bytesMax);
    const loaded = { chunk: this.#unpack(entry, buffer, 0), buffer, holders: 0 };
    this.#chunks.set(index, loaded);
    return loaded;
  }

  /** The longest idle one; null while too few are idle. */
  #idleBuffer(): ArrayBuffer | null {
    let idle = 0;
    for (const { holders } of this.#chunks.values()) if (holders === 0) idle++;
    if (idle < IDLE_CHUNKS) return null;
    for (const [index, { holders, buffer }] of this.#chunks) {
      if (holders > 0) continue;
      this.#chunks.delete(index);
      return buffer;
    }
    return null;
  }

  #unpack(entry: ChunkEntry, buffer: ArrayBufferLike, from: number): TapeChunk {
    const packed = this.#read(entry);
    try {
      return UNPACKER.chunk(packed, entry, buffer, from);
    } catch (thrown) {
      throw invalidTape(this.path, `the chunk at byte ${entry.at}: ${messageOf(thrown)}`);
    }
  }

  /** Packed bytes, valid until the next call. */
  #read({ at, bytes }: PartEntry): Uint8Array {
    if (this.#place.kind === 'memory') throw new RangeError(`${this.path} is in memory, unpacked`);
    if (this.#packed.length < bytes) this.#packed = new Uint8Array(bytes);
    const packed = this.#packed.subarray(0, bytes);
    readInto(packed, this.#place.fd, at, this.path);
    return packed;
  }
}

interface MemoryPlaces {
  readonly bytes: number;
  readonly at: ReadonlyMap<PartEntry, number>;
}

function placesOf({ chunks, exchangeOrder, receiveOrder }: TapeFooter): MemoryPlaces {
  const at = new Map<PartEntry, number>();
  let bytes = 0;
  const add = (entry: PartEntry, length: number): void => {
    at.set(entry, bytes);
    bytes += Math.ceil(length / 8) * 8;
  };
  for (const entry of chunks) add(entry, chunkBytes(entry));
  for (const entry of [...exchangeOrder, ...receiveOrder]) add(entry, 4 * entry.count);
  return { bytes, at };
}

function readFooter(path: string, fd: number): TapeFooter {
  const header = Buffer.alloc(HEADER_BYTES);
  readInto(header, fd, 0, path);
  const { at, bytes, crc } = footerPart(path, header);
  if (at + bytes > fstatSync(fd).size) throw invalidTape(path, 'the file ends early');
  const json = Buffer.alloc(bytes);
  readInto(json, fd, at, path);
  if (crc32(json) !== crc) throw invalidTape(path, 'the directory is corrupt');
  return JSON.parse(json.toString('utf8')) as TapeFooter;
}

function readInto(bytes: Uint8Array, fd: number, at: number, path: string): void {
  let done = 0;
  while (done < bytes.length) {
    const read = readUntrapped(fd, bytes, done, bytes.length - done, at + done);
    if (read === 0) throw invalidTape(path, `the file ends at byte ${at + done}`);
    done += read;
  }
}
