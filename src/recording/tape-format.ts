/**
 * The directory of a `.tape` file and its header (docs/tape.md). A file without a whole header is not a tape: it is written
 * last, so a crash while compiling leaves none.
 *
 *   "TWTAPE04" │ footer offset f64 │ footer bytes u32 │ footer CRC u32 │ zero u32 │ CRC of bytes 0–27 u32
 */
import { crc32 } from 'node:zlib';
import type { BarSeries } from './bar-order.ts';
import { recordingErrors } from './errors.ts';
import type { Manifest } from './manifest.ts';
import type { ChunkSize } from './tape-chunk.ts';
import type { TapeCounts } from './tape.ts';

const MAGIC = Buffer.from('TWTAPE04', 'latin1');
export const HEADER_BYTES = 32;

/** Where a part lies in the file, packed, and the checksum of these bytes. */
export interface PartEntry {
  readonly at: number;
  readonly bytes: number;
  readonly crc: number;
}

export interface ChunkEntry extends ChunkSize, PartEntry {}

export interface OrderEntry extends PartEntry {
  /** Of addresses. */
  readonly count: number;
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
  /** Closed bars that it holds. Absent in tapes of earlier versions. */
  readonly bars?: readonly BarSeries[];
  readonly dataHash: string;
  /** What `dataHash` is at the usual base latency. Absent in tapes of earlier versions. */
  readonly contentHash?: string;
}

export function headerOf(footer: Buffer, at: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeDoubleLE(at, 8);
  header.writeUInt32LE(footer.length, 16);
  header.writeUInt32LE(crc32(footer), 20);
  header.writeUInt32LE(crc32(header.subarray(0, 28)), 28);
  return header;
}

/** Where the footer is. @throws tape_invalid */
export function footerPart(path: string, header: Buffer): PartEntry {
  if (header.compare(MAGIC, 0, 8, 0, 8) !== 0 || crc32(header.subarray(0, 28)) !== header.readUInt32LE(28)) {
    throw invalidTape(path, 'no whole header of this version');
  }
  return { at: header.readDoubleLE(8), bytes: header.readUInt32LE(16), crc: header.readUInt32LE(20) };
}

export function invalidTape(path: string, why: string): Error {
  return recordingErrors.make('tape_invalid', `${path}: ${why}`, { path });
}
