/**
 * Reads the frame log block by block and continues after damage, counted in the `ReadReport`:
 *
 *   header whole, payload broken or torn   the block's rows are lost, number known
 *   header broken                          search for the next header; its `firstRow` gives the number
 *   end missing                            number known if the manifest lists the segment
 *   segment not in the manifest            its writer was killed or still writes: unflushed rows are lost
 */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../model/errors.ts';
import { BLOCK_HEADER_BYTES, BLOCK_MAGIC, type BlockHeader, decodeBlockHeader, unpackBlock } from './frame-block.ts';
import { type FrameRow, readRows } from './frame-row.ts';
import type { Manifest, SegmentInfo } from './manifest.ts';
import type { ReadReport } from './read-report.ts';
import { listSegments } from './segments.ts';

const SCAN_BYTES = 1024 * 1024;
export const NOT_CLOSED =
  'was not closed: its writer was killed or still writes; up to a second of frames may be missing at its end';

/** Where a block begins, to continue from there later. */
export interface FramePlace {
  readonly segment: string;
  readonly at: number;
  /** Rows of the segment before it. */
  readonly row: number;
}

export interface FrameBlock {
  readonly rows: readonly FrameRow[];
  readonly place: FramePlace;
  /** Of the block after it. */
  readonly next: FramePlace;
  /** Frames before it are lost. */
  readonly lossBefore: boolean;
}

/**
 * In order, from a place of an earlier run or from the start. Only a missing directory throws; damage goes to `report`.
 */
export async function* readFrames(
  dir: string,
  manifest: Manifest,
  report: ReadReport,
  from: FramePlace | null = null,
): AsyncGenerator<FrameBlock> {
  const present = listSegments(dir);
  const names = [...new Set([...present, ...manifest.segments.map((segment) => segment.file)])].sort();
  let loss = false;
  for (const name of names) {
    if (from !== null && name < from.segment) continue;
    const expected = manifest.segments.find((segment) => segment.file === name);
    const reader = new SegmentReader(join(dir, name), name, expected, report);
    if (from?.segment === name) reader.startAt(from);
    for await (const block of reader.blocks()) {
      yield loss ? { ...block, lossBefore: true } : block;
      loss = false;
    }
    loss ||= reader.lossAtEnd;
  }
}

class SegmentReader {
  readonly #path: string;
  readonly #name: string;
  readonly #expected: SegmentInfo | undefined;
  readonly #report: ReadReport;
  #at = 0;
  /** Read or known to be lost. */
  #row = 0;
  #loss = false;
  #payload = Buffer.alloc(0);

  constructor(path: string, name: string, expected: SegmentInfo | undefined, report: ReadReport) {
    this.#path = path;
    this.#name = name;
    this.#expected = expected;
    this.#report = report;
  }

  startAt({ at, row }: FramePlace): void {
    this.#at = at;
    this.#row = row;
  }

  get lossAtEnd(): boolean {
    return this.#loss;
  }

  async *blocks(): AsyncGenerator<FrameBlock> {
    let file: FileHandle;
    try {
      file = await open(this.#path, 'r');
    } catch (thrown) {
      this.#lose(this.#expected?.frames ?? null, this.#expected?.bytes ?? 0, `cannot be opened (${messageOf(thrown)})`);
      return;
    }
    try {
      const size = (await file.stat()).size;
      this.#report.bytes += size;
      yield* this.#walk(file, size);
      this.#checkEnd(size);
    } finally {
      await file.close();
    }
  }

  async *#walk(file: FileHandle, size: number): AsyncGenerator<FrameBlock> {
    while (this.#at < size) {
      const header = decodeBlockHeader(await readAt(file, this.#at, BLOCK_HEADER_BYTES));
      if (header === null) {
        await this.#resync(file, size);
        continue;
      }
      this.#countSkipped(header);
      const place = { segment: this.#name, at: this.#at, row: header.firstRow };
      const rows = await this.#rowsOf(file, header);
      this.#row = header.firstRow + header.rows;
      if (rows === null) continue;
      this.#report.blocks++;
      this.#report.frames += rows.length;
      const lossBefore = this.#loss;
      this.#loss = false;
      const next = { segment: this.#name, at: this.#at, row: this.#row };
      yield { rows, place, next, lossBefore };
    }
  }

  /** Null when lost. */
  async #rowsOf(file: FileHandle, header: BlockHeader): Promise<readonly FrameRow[] | null> {
    const payload = await this.#payloadAt(file, this.#at + BLOCK_HEADER_BYTES, header.payloadBytes);
    const place = this.#at;
    this.#at = place + BLOCK_HEADER_BYTES + payload.length;
    const bytes = BLOCK_HEADER_BYTES + payload.length;
    if (payload.length < header.payloadBytes) {
      this.#lose(header.rows, bytes, `block at byte ${place} is cut short`);
      return null;
    }
    const raw = unpackBlock(header, payload);
    const rows = typeof raw === 'string' ? null : readRows(raw, header.rows);
    if (rows === null) {
      this.#lose(header.rows, bytes, `block at byte ${place}: ${typeof raw === 'string' ? raw : 'rows do not add up'}`);
    }
    return rows;
  }

  /** Valid until the next call; shorter at file end. */
  async #payloadAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
    if (this.#payload.length < length) this.#payload = Buffer.allocUnsafeSlow(length);
    return readInto(file, position, this.#payload.subarray(0, length));
  }

  #countSkipped(header: BlockHeader): void {
    const skipped = header.firstRow - this.#row;
    if (skipped <= 0) return;
    this.#report.lostFrames += skipped;
    this.#loss = true;
    this.#report.problem(`${this.#name}: ${skipped} frames are missing before byte ${this.#at}`);
  }

  /** Or to the end. */
  async #resync(file: FileHandle, size: number): Promise<void> {
    const from = this.#at;
    let at = from + 1;
    while (at < size) {
      const window = await readAt(file, at, SCAN_BYTES + BLOCK_HEADER_BYTES);
      const found = findHeader(window);
      if (found >= 0) {
        at += found;
        break;
      }
      at = window.length <= BLOCK_HEADER_BYTES ? size : at + Math.max(1, window.length - BLOCK_HEADER_BYTES);
    }
    this.#at = Math.min(at, size);
    const atEnd = this.#at === size;
    this.#report.lostBytes += this.#at - from;
    this.#loss = true;
    if (atEnd && this.#expected === undefined) this.#report.lostFramesKnown = false;
    this.#report.problem(`${this.#name}: ${this.#at - from} unreadable bytes at byte ${from}`);
  }

  #checkEnd(size: number): void {
    const expected = this.#expected;
    if (expected === undefined) {
      this.#lose(null, 0, NOT_CLOSED);
      return;
    }
    const missing = expected.frames - this.#row;
    if (missing > 0) this.#lose(missing, Math.max(0, expected.bytes - size), `ends early at byte ${size}`);
  }

  #lose(frames: number | null, bytes: number, why: string): void {
    if (frames === null) this.#report.lostFramesKnown = false;
    else this.#report.lostFrames += frames;
    this.#report.lostBytes += bytes;
    this.#loss = true;
    this.#report.problem(`${this.#name}: ${why}${frames === null ? '' : `; ${frames} frames are lost`}`);
  }
}

function findHeader(window: Buffer): number {
  for (let at = window.indexOf(BLOCK_MAGIC); at >= 0; at = window.indexOf(BLOCK_MAGIC, at + 1)) {
    if (decodeBlockHeader(window, at) !== null) return at;
  }
  return -1;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  return readInto(file, position, Buffer.allocUnsafe(length));
}

/** Up to `bytes.length` bytes. */
async function readInto(file: FileHandle, position: number, bytes: Buffer): Promise<Buffer> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
