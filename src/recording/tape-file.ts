/**
 * A `.tape` file (docs/tape.md): chunks of columns, the two delivery orders as lists of addresses, and a directory.
 *
 *   0 header (32 bytes, written last)  │ chunks … │ exchange order … │ receive order … │ footer JSON
 *
 * Header: "TWTAPE03", footer offset f64, footer bytes u32, footer CRC u32, zero u32, CRC of bytes 0–27 u32. A file without
 * a whole header is not a tape: a crash while compiling leaves none. Every part carries its CRC in the footer.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { messageOf } from '../model/errors.ts';
import { recordingErrors } from './errors.ts';
import type { Manifest } from './manifest.ts';
import type { SharedTape, TapeCounts } from './tape.ts';
import { chunkBytes, type ChunkSize, type TapeChunk, viewChunk } from './tape-chunk.ts';

const MAGIC = Buffer.from('TWTAPE03', 'latin1');
const HEADER_BYTES = 32;
/** Chunks kept in memory although no cursor holds them. */
const IDLE_CHUNKS = 1;

export interface ChunkEntry extends ChunkSize {
  readonly at: number;
  readonly crc: number;
}

export interface OrderEntry {
  readonly at: number;
  readonly count: number;
  readonly crc: number;
}

/** The directory of a tape and what compiling it found out. */
export interface TapeFooter {
  /** Content hash of the recording (`tape-cache.ts`). */
  readonly key: string;
  readonly baseLatencyUs: number;
  readonly manifest: Manifest;
  readonly chunks: readonly ChunkEntry[];
  readonly exchangeOrder: readonly OrderEntry[];
  readonly receiveOrder: readonly OrderEntry[];
  readonly counts: TapeCounts;
  /** Exchange time of the first and last event; null when there is none. */
  readonly fromUs: number | null;
  readonly toUs: number | null;
  /** What was added to receive times (T2); 0 when the clocks agree. */
  readonly clockShiftUs: number;
  /** Smallest receive − exchange before repair; null when no event has both times. */
  readonly clockMinUs: number | null;
  readonly withSnapshot: readonly string[];
  readonly frames: number;
  readonly bytes: number;
  readonly lostFrames: number;
  readonly lostFramesKnown: boolean;
  readonly lostBytes: number;
  readonly undecoded: number;
  /** What is lost or unreadable; empty when the recording is whole. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly dataHash: string;
}

/** Where the bytes of a tape are. */
type Place =
  | { readonly kind: 'file'; readonly fd: number }
  | { readonly kind: 'memory'; readonly bytes: SharedArrayBuffer };

/** A chunk in memory. Its buffer is used for another chunk once nobody holds it. */
interface LoadedChunk {
  readonly chunk: TapeChunk;
  readonly buffer: ArrayBuffer;
  holders: number;
}

/** Writes a tape front to back; `finish` makes it valid. */
export class TapeWriter {
  readonly #fd: number;
  #at = HEADER_BYTES;

  /** @throws the file system's error */
  constructor(path: string) {
    this.#fd = openSync(path, 'w+');
  }

  /** Writes bytes at the end; answers where they begin. */
  append(bytes: Uint8Array): number {
    const at = this.#at;
    this.rewrite(bytes, at);
    this.#at = at + Math.ceil(bytes.length / 8) * 8;
    return at;
  }

  rewrite(bytes: Uint8Array, at: number): void {
    let done = 0;
    while (done < bytes.length) done += writeSync(this.#fd, bytes, done, bytes.length - done, at + done);
  }

  /** Reads a chunk back into `buffer`, without its strings. */
  chunk(entry: { readonly at: number } & ChunkSize, buffer: ArrayBuffer): TapeChunk {
    readInto(new Uint8Array(buffer, 0, chunkBytes(entry)), { kind: 'file', fd: this.#fd }, entry.at, 'tape');
    return viewChunk(buffer, entry, false);
  }

  finish(footer: TapeFooter): void {
    const json = Buffer.from(JSON.stringify(footer), 'utf8');
    const at = this.append(json);
    const header = Buffer.alloc(HEADER_BYTES);
    MAGIC.copy(header);
    header.writeDoubleLE(at, 8);
    header.writeUInt32LE(json.length, 16);
    header.writeUInt32LE(crc32(json), 20);
    header.writeUInt32LE(crc32(header.subarray(0, 28)), 28);
    this.rewrite(header, 0);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

export class TapeFile {
  readonly path: string;
  readonly footer: TapeFooter;
  readonly #place: Place;
  /** Most recently released last. */
  readonly #chunks = new Map<number, LoadedChunk>();
  readonly #bytesMax: number;
  #closed = false;

  private constructor(path: string, place: Place, footer: TapeFooter) {
    this.path = path;
    this.#place = place;
    this.footer = footer;
    this.#bytesMax = Math.max(0, ...footer.chunks.map(chunkBytes));
  }

  /** @throws tape_invalid */
  static open(path: string): TapeFile {
    let fd: number;
    try {
      fd = openSync(path, 'r');
    } catch (thrown) {
      throw invalid(path, messageOf(thrown));
    }
    try {
      const place: Place = { kind: 'file', fd };
      return new TapeFile(path, place, readFooter(path, place));
    } catch (thrown) {
      closeSync(fd);
      throw thrown;
    }
  }

  /** The tape that another thread has shared. @throws tape_invalid */
  static ofShared({ path, bytes }: SharedTape): TapeFile {
    const place: Place = { kind: 'memory', bytes };
    return new TapeFile(path, place, readFooter(path, place));
  }

  /** Size on disk, bytes. */
  get size(): number {
    return sizeOf(this.#place);
  }

  /** The whole tape in memory for other threads. The caller has looked at `size`. */
  share(): SharedArrayBuffer {
    const bytes = new SharedArrayBuffer(this.size);
    readInto(new Uint8Array(bytes), this.#place, 0, this.path);
    return bytes;
  }

  /** Compares every checksum. @throws tape_invalid */
  verify(): void {
    const { chunks, exchangeOrder, receiveOrder } = this.footer;
    const parts = [
      ...chunks.map((entry) => ({ at: entry.at, crc: entry.crc, bytes: chunkBytes(entry) })),
      ...[...exchangeOrder, ...receiveOrder].map(({ at, crc, count }) => ({ at, crc, bytes: count * 4 })),
    ];
    const scratch = new Uint8Array(Math.max(0, ...parts.map((part) => part.bytes)));
    for (const part of parts) {
      const bytes = scratch.subarray(0, part.bytes);
      readInto(bytes, this.#place, part.at, this.path);
      if (crc32(bytes) !== part.crc) throw invalid(this.path, `checksum differs at byte ${part.at}`);
    }
  }

  /** Loads a chunk, or shares it with who holds it already. To be given back by `release`. */
  hold(index: number): TapeChunk {
    if (this.#place.kind === 'memory') return this.#view(index, this.#place.bytes);
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

  #entry(index: number): ChunkEntry {
    const entry = this.footer.chunks[index];
    if (entry === undefined || this.#closed) throw new RangeError(`no chunk ${index} in ${this.path}`);
    return entry;
  }

  /** Memory that is shared is looked at where it lies. */
  #view(index: number, bytes: SharedArrayBuffer): TapeChunk {
    const entry = this.#entry(index);
    return viewChunk(bytes, entry, true, entry.at);
  }

  #load(index: number): LoadedChunk {
    const entry = this.#entry(index);
    const buffer = this.#idleBuffer() ?? new ArrayBuffer(this.#bytesMax);
    readInto(new Uint8Array(buffer, 0, chunkBytes(entry)), this.#place, entry.at, this.path);
    const loaded = { chunk: viewChunk(buffer, entry, true), buffer, holders: 0 };
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

  order(entry: OrderEntry): Uint32Array {
    if (this.#place.kind === 'memory') return new Uint32Array(this.#place.bytes, entry.at, entry.count);
    return new Uint32Array(readExactly(this.#place, entry.at, entry.count * 4, this.path));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#chunks.clear();
    if (this.#place.kind === 'file') closeSync(this.#place.fd);
  }
}

function sizeOf(place: Place): number {
  return place.kind === 'file' ? fstatSync(place.fd).size : place.bytes.byteLength;
}

function readFooter(path: string, place: Place): TapeFooter {
  const header = Buffer.from(readExactly(place, 0, HEADER_BYTES, path));
  if (header.compare(MAGIC, 0, 8, 0, 8) !== 0 || crc32(header.subarray(0, 28)) !== header.readUInt32LE(28)) {
    throw invalid(path, 'no whole header of this version');
  }
  const at = header.readDoubleLE(8);
  const length = header.readUInt32LE(16);
  if (at + length > sizeOf(place)) throw invalid(path, 'the file ends early');
  const json = Buffer.from(readExactly(place, at, length, path));
  if (crc32(json) !== header.readUInt32LE(20)) throw invalid(path, 'the directory is corrupt');
  return JSON.parse(json.toString('utf8')) as TapeFooter;
}

function readExactly(place: Place, at: number, length: number, path: string): ArrayBuffer {
  const buffer = new ArrayBuffer(length);
  readInto(new Uint8Array(buffer), place, at, path);
  return buffer;
}

function readInto(bytes: Uint8Array, place: Place, at: number, path: string): void {
  if (place.kind === 'memory') {
    if (at + bytes.length > place.bytes.byteLength)
      throw invalid(path, `the tape ends at byte ${place.bytes.byteLength}`);
    bytes.set(new Uint8Array(place.bytes, at, bytes.length));
    return;
  }
  let done = 0;
  while (done < bytes.length) {
    const read = readSync(place.fd, bytes, done, bytes.length - done, at + done);
    if (read === 0) throw invalid(path, `the file ends at byte ${at + done}`);
    done += read;
  }
}

function invalid(path: string, why: string): Error {
  return recordingErrors.make('tape_invalid', `${path}: ${why}`, { path });
}
