/**
 * Writes the frame log; blocks (`frame-block.ts`) are compressed off the main thread and appended in order.
 *
 *   append ─▶ RowBuffer ─(256 kB or 1 s)─▶ queue (≤ 64 MB, else rows are dropped and counted) ─▶ zstd ─▶ write ─▶ fdatasync
 *
 * A killed process loses about a second; fdatasync follows within 5 s. Nothing throws: the first failure is in
 * `failure`.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, zstdCompress } from 'node:zlib';
import { messageOf, type TidewireError } from '../../model/errors.ts';
import type { Cancel, Clock } from '../../model/ports.ts';
import { recordingErrors } from '../errors.ts';
import { PRIVATE_FILE } from './folder.ts';
import { CODEC_RAW, CODEC_ZSTD, encodeBlockHeader } from './frame-block.ts';
import { type FrameRow, RowBuffer } from './frame-row.ts';
import type { SegmentInfo } from './manifest.ts';
import { nextSegmentNumber, segmentName } from './segments.ts';

const compressBlock = promisify(zstdCompress);

const BLOCK_BYTES = 256 * 1024;
const FLUSH_MS = 1000;
const SYNC_US = 5_000_000;
const MAX_SEGMENT_BYTES = 256 * 1024 * 1024;
const MAX_PENDING_BYTES = 64 * 1024 * 1024;
const DRAIN_BYTES = 4 * 1024 * 1024;
/** Larger frames are dropped and counted. */
export const MAX_FRAME_CHARS = 32 * 1024 * 1024;

export interface FrameLogOptions {
  readonly dir: string;
  readonly compress: boolean;
  /** Null in imports: no timed flush, one fdatasync. */
  readonly clock: Clock | null;
  readonly onFailure?: (failure: TidewireError) => void;
  /** For tests. */
  readonly blockBytes?: number;
  readonly maxSegmentBytes?: number;
  readonly maxPendingBytes?: number;
}

export interface FrameLogSummary {
  readonly frames: number;
  readonly bytes: number;
  /** Frames not in the log. */
  readonly dropped: number;
  readonly segments: readonly SegmentInfo[];
  readonly failure: TidewireError | null;
}

interface PendingBlock {
  readonly raw: Buffer;
  readonly rows: number;
}

interface OpenSegment {
  readonly file: FileHandle;
  readonly name: string;
  bytes: number;
  frames: number;
}

export class FrameLog {
  readonly #options: FrameLogOptions;
  readonly #rows = new RowBuffer();
  readonly #queue: PendingBlock[] = [];
  readonly #closed: SegmentInfo[] = [];
  readonly #stopTimer: Cancel;
  #pendingBytes = 0;
  #pump: Promise<void> | null = null;
  #segment: OpenSegment | null = null;
  #syncedUs = 0;
  #frames = 0;
  #bytes = 0;
  #dropped = 0;
  #droppedUnsaid = 0;
  #failure: TidewireError | null = null;

  constructor(options: FrameLogOptions) {
    this.#options = options;
    this.#stopTimer = options.clock === null ? () => {} : options.clock.every(FLUSH_MS, () => this.#seal());
  }

  get failure(): TidewireError | null {
    return this.#failure;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Frames taken, written or waiting. */
  get frames(): number {
    return this.#frames;
  }

  /** Never throws or waits; lost rows count in `dropped`. */
  append(row: FrameRow): void {
    const limit = this.#options.maxPendingBytes ?? MAX_PENDING_BYTES;
    if (this.#failure !== null || row.text.length > MAX_FRAME_CHARS) {
      this.#dropped++;
      return;
    }
    if (this.#pendingBytes + this.#rows.length + row.text.length > limit) {
      this.#drop(limit);
      return;
    }
    if (this.#droppedUnsaid > 0) this.#sayDropped(row.receiveUs);
    this.#add(row);
  }

  /** For importers. */
  async drain(): Promise<void> {
    while (this.#pump !== null && this.#pendingBytes > DRAIN_BYTES) await this.#pump;
  }

  /** Never rejects: the summary holds the failure. */
  async close(): Promise<FrameLogSummary> {
    this.#stopTimer();
    this.#seal();
    while (this.#pump !== null) await this.#pump;
    await this.#guarded(() => this.#endSegment());
    return {
      frames: this.#frames,
      bytes: this.#bytes,
      dropped: this.#dropped,
      segments: [...this.#closed],
      failure: this.#failure,
    };
  }

  #add(row: FrameRow): void {
    this.#rows.add(row);
    this.#frames++;
    if (this.#rows.length >= (this.#options.blockBytes ?? BLOCK_BYTES)) this.#seal();
  }

  #drop(limit: number): void {
    this.#dropped++;
    this.#droppedUnsaid++;
    if (this.#droppedUnsaid > 1) return;
    this.#options.onFailure?.(
      recordingErrors.make(
        'recording_overrun',
        `${this.#options.dir}: ${limit} bytes wait to be written; frames are dropped until there is room`,
      ),
    );
  }

  #sayDropped(receiveUs: number): void {
    const text = JSON.stringify({ note: 'dropped', frames: this.#droppedUnsaid });
    this.#droppedUnsaid = 0;
    this.#add({ receiveUs, kind: 'note', generation: 0, text });
  }

  #seal(): void {
    if (this.#rows.rows === 0 || this.#failure !== null) return;
    const rows = this.#rows.rows;
    const raw = this.#rows.take();
    this.#queue.push({ raw, rows });
    this.#pendingBytes += raw.length;
    this.#pump ??= this.#run();
  }

  async #run(): Promise<void> {
    await this.#guarded(async () => {
      for (let block = this.#queue.shift(); block !== undefined; block = this.#queue.shift()) {
        await this.#write(block);
        this.#pendingBytes -= block.raw.length;
      }
    });
    this.#pump = null;
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      await this.#fail(thrown);
    }
  }

  async #write(block: PendingBlock): Promise<void> {
    const compress = this.#options.compress;
    const payload = compress ? await compressBlock(block.raw) : block.raw;
    const segment = this.#segment ?? (await this.#beginSegment());
    const header = encodeBlockHeader({
      codec: compress ? CODEC_ZSTD : CODEC_RAW,
      payloadBytes: payload.length,
      rawBytes: block.raw.length,
      rows: block.rows,
      firstRow: segment.frames,
      payloadCrc: crc32(payload),
    });
    await writeAll(segment.file, Buffer.concat([header, payload]), segment.bytes);
    segment.bytes += header.length + payload.length;
    segment.frames += block.rows;
    this.#bytes += header.length + payload.length;
    if (segment.bytes >= (this.#options.maxSegmentBytes ?? MAX_SEGMENT_BYTES)) await this.#endSegment();
    else await this.#syncSometimes(segment);
  }

  async #syncSometimes(segment: OpenSegment): Promise<void> {
    const clock = this.#options.clock;
    if (clock === null || clock.nowUs() - this.#syncedUs < SYNC_US) return;
    await segment.file.datasync();
    this.#syncedUs = clock.nowUs();
  }

  async #beginSegment(): Promise<OpenSegment> {
    const name = segmentName(nextSegmentNumber(this.#options.dir));
    const file = await open(join(this.#options.dir, name), 'wx', PRIVATE_FILE);
    this.#segment = { file, name, bytes: 0, frames: 0 };
    return this.#segment;
  }

  async #endSegment(): Promise<void> {
    const segment = this.#segment;
    if (segment === null) return;
    await segment.file.datasync();
    await segment.file.close();
    this.#segment = null;
    this.#closed.push({ file: segment.name, frames: segment.frames, bytes: segment.bytes });
  }

  /** Waiting rows are dropped and counted, a torn block cut off. */
  async #fail(thrown: unknown): Promise<void> {
    const segment = this.#segment;
    this.#segment = null;
    let lost = this.#rows.rows;
    for (const block of this.#queue) lost += block.rows;
    this.#rows.take();
    this.#queue.length = 0;
    this.#pendingBytes = 0;
    const dir = this.#options.dir;
    if (this.#failure === null) {
      this.#failure = recordingErrors.make(
        'recording_write_failed',
        `${dir}: ${messageOf(thrown)}`,
        { path: dir },
        thrown,
      );
      this.#options.onFailure?.(this.#failure);
    }
    if (segment !== null) {
      await ignoreFailure(segment.file.truncate(segment.bytes));
      await ignoreFailure(segment.file.close());
      this.#closed.push({ file: segment.name, frames: segment.frames, bytes: segment.bytes });
    }
    const kept = this.#closed.reduce((sum, info) => sum + info.frames, 0);
    this.#dropped += Math.max(lost, this.#frames - kept);
    this.#frames = kept;
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten === 0) throw new Error('the disk took no more bytes');
    done += bytesWritten;
  }
}

/** Clean-up after a reported failure. */
async function ignoreFailure(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {});
}
