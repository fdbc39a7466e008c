/**
 * Inflates gzip (RFC 1952) and deflated zip entries. Each member of a gzip is inflated on its own, so that what stands
 * behind the last one spoils nothing before it.
 */
import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib';
import { messageOf } from '../../model/errors.ts';
import type { InputBytes } from './input-bytes.ts';

/** Deflate expands at most 1,032 times, so a piece fits into memory. */
const PIECE_BYTES = 16 * 1024;
/** With a name, a comment and 64 KB of extra data. */
const HEADER_BYTES = 80 * 1024;
const TRAILER_BYTES = 8;
/** Market data packs 5 to 50 times; more suggests a decompression bomb. */
const MAX_RATIO = 200;
const FREE_BYTES = 64 * 1024 * 1024;
const FLAG_CHECKSUM = 2;
const FLAG_EXTRA = 4;
const FLAG_NAME = 8;
const FLAG_COMMENT = 16;
const CUT = 'unexpected end of file';

export class Inflated {
  readonly #input: InputBytes;
  #packed = 0;
  #unpacked = 0;
  /** Why it ends early, or null; what came before is good. */
  damage: string | null = null;
  /** A decompression bomb, of which no more is read. */
  bomb: string | null = null;

  constructor(input: InputBytes) {
    this.#input = input;
  }

  async *gzip(): AsyncGenerator<Buffer> {
    while (this.#isWhole()) {
      const header = headerBytes(await this.#input.look(HEADER_BYTES));
      if (typeof header === 'string') {
        this.damage = (await this.#isPadding()) ? null : header;
        return;
      }
      this.#input.skip(header);
      let checksum = 0;
      let length = 0;
      for await (const bytes of this.raw()) {
        checksum = crc32(bytes, checksum);
        length = (length + bytes.length) >>> 0;
        yield bytes;
      }
      if (this.#isWhole()) await this.#trailer(checksum, length);
    }
  }

  /** One stream of deflated data. */
  async *raw(): AsyncGenerator<Buffer> {
    const inflate = createInflateRaw();
    let out: Buffer[] = [];
    let failure: Error | null = null;
    let isOver = false;
    inflate.on('data', (chunk: Buffer) => out.push(chunk));
    inflate.on('error', (error) => (failure = error));
    inflate.on('end', () => (isOver = true));
    try {
      for (let taken = 0; !isOver && failure === null;) {
        const piece = (await this.#input.look(1)).subarray(0, PIECE_BYTES);
        await settled(inflate, (done) => (piece.length === 0 ? inflate.end() : inflate.write(piece, done)));
        const used = inflate.bytesWritten - taken;
        taken += used;
        if (used < piece.length) isOver = true;
        this.#input.skip(used);
        this.#count(used, out);
        yield* out;
        out = [];
        if (this.bomb !== null) return;
      }
      if (failure !== null) this.damage = messageOf(failure);
    } finally {
      inflate.destroy();
    }
  }

  #isWhole(): boolean {
    return this.damage === null && this.bomb === null;
  }

  #count(packed: number, out: readonly Buffer[]): void {
    this.#packed += packed;
    this.#unpacked += out.reduce((sum, { length }) => sum + length, 0);
    if (this.#unpacked > FREE_BYTES && this.#unpacked > MAX_RATIO * this.#packed) {
      this.bomb = `it unpacks to more than ${MAX_RATIO} times its size`;
    }
  }

  async #trailer(checksum: number, length: number): Promise<void> {
    const trailer = await this.#input.look(TRAILER_BYTES);
    if (trailer.length < TRAILER_BYTES) this.damage = CUT;
    else if (trailer.readUInt32LE(0) !== checksum) this.damage = 'incorrect data check';
    else if (trailer.readUInt32LE(4) !== length) this.damage = 'incorrect length check';
    this.#input.skip(TRAILER_BYTES);
  }

  /** Of a tape, or line ends: nothing else follows a member that is none. */
  async #isPadding(): Promise<boolean> {
    for (;;) {
      const bytes = await this.#input.look(1);
      if (bytes.length === 0) return true;
      if (!bytes.every((byte) => byte === 0 || byte === 10 || byte === 13)) return false;
      this.#input.skip(bytes.length);
    }
  }
}

/** Of a member, or why there is none. */
function headerBytes(head: Buffer): number | string {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return 'what follows its gzip data is none';
  const flags = head[3] ?? 0;
  let at = 10;
  if ((flags & FLAG_EXTRA) !== 0) at += 2 + (head[at] ?? 0) + 256 * (head[at + 1] ?? 0);
  for (const flag of [FLAG_NAME, FLAG_COMMENT]) {
    if ((flags & flag) === 0) continue;
    const end = head.indexOf(0, at);
    if (end < 0) return CUT;
    at = end + 1;
  }
  if ((flags & FLAG_CHECKSUM) !== 0) at += 2;
  if (at > head.length) return CUT;
  return head[2] === 8 ? at : 'unknown compression method';
}

/** The step is done, the data is over, or it is broken. */
function settled(inflate: InflateRaw, step: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      inflate.off('error', done).off('end', done);
      resolve();
    };
    inflate.once('error', done).once('end', done);
    step(done);
  });
}
