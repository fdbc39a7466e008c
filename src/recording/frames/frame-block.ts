/**
 * A block of the frame log, the unit of compression and loss. The header's own CRC-32 protects its length.
 *
 *   0 magic "TWB1" │ 4 codec u8, 3 × 0 │ 8 payload bytes u32 │ 12 raw bytes u32 │ 16 rows u32 │ 20 zero u32
 *   24 first row f64 (rows of the segment before this block) │ 32 CRC of payload u32 │ 36 CRC of bytes 0–35 u32
 *   40 payload
 */
import { crc32, zstdDecompressSync } from 'node:zlib';

export const BLOCK_HEADER_BYTES = 40;
export const BLOCK_MAGIC = Buffer.from('TWB1', 'latin1');
/** Bounds a reader's allocation. */
export const MAX_BLOCK_BYTES = 256 * 1024 * 1024;

export const CODEC_RAW = 0;
export const CODEC_ZSTD = 1;

export interface BlockHeader {
  readonly codec: number;
  readonly payloadBytes: number;
  readonly rawBytes: number;
  readonly rows: number;
  /** Shows how many rows a lost block held. */
  readonly firstRow: number;
  readonly payloadCrc: number;
}

export function encodeBlockHeader(header: BlockHeader): Buffer {
  const bytes = Buffer.alloc(BLOCK_HEADER_BYTES);
  BLOCK_MAGIC.copy(bytes, 0);
  bytes.writeUInt8(header.codec, 4);
  bytes.writeUInt32LE(header.payloadBytes, 8);
  bytes.writeUInt32LE(header.rawBytes, 12);
  bytes.writeUInt32LE(header.rows, 16);
  bytes.writeDoubleLE(header.firstRow, 24);
  bytes.writeUInt32LE(header.payloadCrc, 32);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 36)), 36);
  return bytes;
}

/** Null unless whole. */
export function decodeBlockHeader(bytes: Buffer, at = 0): BlockHeader | null {
  if (at + BLOCK_HEADER_BYTES > bytes.length) return null;
  if (bytes.compare(BLOCK_MAGIC, 0, 4, at, at + 4) !== 0) return null;
  if (crc32(bytes.subarray(at, at + 36)) !== bytes.readUInt32LE(at + 36)) return null;
  const header: BlockHeader = {
    codec: bytes.readUInt8(at + 4),
    payloadBytes: bytes.readUInt32LE(at + 8),
    rawBytes: bytes.readUInt32LE(at + 12),
    rows: bytes.readUInt32LE(at + 16),
    firstRow: bytes.readDoubleLE(at + 24),
    payloadCrc: bytes.readUInt32LE(at + 32),
  };
  return header.payloadBytes <= MAX_BLOCK_BYTES && header.rawBytes <= MAX_BLOCK_BYTES ? header : null;
}

/** Raw bytes, or why there are none. */
export function unpackBlock(header: BlockHeader, payload: Buffer): Buffer | string {
  if (crc32(payload) !== header.payloadCrc) return 'checksum differs';
  if (header.codec === CODEC_RAW) return payload;
  if (header.codec !== CODEC_ZSTD) return `unknown codec ${header.codec}`;
  try {
    return zstdDecompressSync(payload, { maxOutputLength: Math.max(header.rawBytes, 1) });
  } catch (thrown) {
    return `does not decompress (${thrown instanceof Error ? thrown.message : 'unknown'})`;
  }
}
