/**
 * Directory and header of a `.tape` (docs/tape.md). The header is written last, for crash safety.
 *
 *   "TWTAPE04" │ footer offset f64 │ footer bytes u32 │ footer CRC u32 │ zero u32 │ CRC of bytes 0–27 u32
 */
import { crc32 } from 'node:zlib';
import type { BarSeries } from '../compile/bar-order.ts';
import { recordingErrors } from '../errors.ts';
import type { Manifest } from '../frames/manifest.ts';
import type { DataParts } from './data-parts.ts';
import type { ChunkSize } from './tape-chunk.ts';
import type { TapeCounts } from './tape-counts.ts';

const MAGIC = Buffer.from('TWTAPE04', 'latin1');
export const HEADER_BYTES = 32;

/** Place and checksum of a packed part. */
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

/** Directory and facts found at compiling. */
export interface TapeFooter {
  /** Content hash of the recording (`tape-cache.ts`). */
  readonly key: string;
  readonly baseLatencyUs: number;
  readonly manifest: Manifest;
  readonly chunks: readonly ChunkEntry[];
  readonly exchangeOrder: readonly OrderEntry[];
  readonly receiveOrder: readonly OrderEntry[];
  readonly counts: TapeCounts;
  /** Exchange time; null when empty. */
  readonly fromUs: number | null;
  readonly toUs: number | null;
  /** Added to receive times by clock repair. */
  readonly clockShiftUs: number;
  /** Unrepaired receive − exchange; null without both times. */
  readonly clockMinUs: number | null;
  readonly withSnapshot: readonly string[];
  readonly frames: number;
  readonly bytes: number;
  readonly lostFrames: number;
  readonly lostFramesKnown: boolean;
  readonly lostBytes: number;
  readonly undecoded: number;
  /** What is lost or unreadable. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** Closed bars. Absent in older tapes. */
  readonly bars?: readonly BarSeries[];
  readonly dataHash: string;
  /** At the default base latency. Absent in older tapes. */
  readonly contentHash?: string;
  /** Absent in older tapes. */
  readonly parts?: DataParts;
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
