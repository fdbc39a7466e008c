/**
 * A tape to read (docs/tape.md): its directory, its chunks and its two delivery orders, from the disk, where they lie
 * packed, or from memory that threads share, where they lie as columns.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { messageOf } from '../model/errors.ts';
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

/** The function itself: while strategies run `node:fs` is trapped, and each call of it looks at the stack for whose it is. */
const readUntrapped = readSync;

/** One for all files: what it keeps in mind ends with each call. */
const UNPACKER = new ChunkUnpacker();
/** Chunks kept in memory although no cursor holds them. */
const IDLE_CHUNKS = 1;

/** Where a tape is. In memory chunks come first, then the orders, each from a multiple of 8. */
type Place =
  | { readonly kind: 'file'; readonly fd: number }
  | { readonly kind: 'memory'; readonly bytes: SharedArrayBuffer; readonly at: ReadonlyMap<PartEntry, number> };

/** A chunk in memory. Its buffer is used for another chunk once nobody holds it. */
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

  /** The tape that another thread has shared. */
  static ofShared({ path, bytes, footer }: SharedTape): TapeFile {
    return new TapeFile(path, { kind: 'memory', bytes, at: placesOf(footer).at }, footer);
  }

  /** Size in memory, unpacked, bytes. */
  get size(): number {
    return placesOf(this.footer).bytes;
  }

  /** The whole tape in memory for other threads. The caller has looked at `size`. @throws tape_invalid */
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

  /** Compares every checksum. @throws tape_invalid */
  verify(): void {
    const { chunks, exchangeOrder, receiveOrder } = this.footer;
    for (const part of [...chunks, ...exchangeOrder, ...receiveOrder]) {
      if (crc32(this.#read(part)) !== part.crc) throw invalidTape(this.path, `checksum differs at byte ${part.at}`);
    }
  }

  /** Loads a chunk, or shares it with who holds it already. To be given back by `release`. @throws tape_invalid */
  hold(index: number): TapeChunk {
    if (this.#place.kind === 'memory') return this.#view(index, this.#place);
    const loaded = this.#chunks.get(index) ?? this.#load(index);
    loaded.holders++;
    return loaded.chunk;
  }

  /** The holder looks at the chunk no longer: its memory may be used for another one. */
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

  /** Memory that is shared is looked at where it lies. */
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

  /** The buffer of the chunk that has been idle for longest, once there are enough of them. */
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

  /** The packed bytes of a part, valid until the next call. */
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

/** Where the parts lie in memory. */
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
