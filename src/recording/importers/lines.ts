/** Batches of lines of a plain, gzip or zip file, recognised by first bytes. Damage ends the lines. */
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib';
import { messageOf } from '../../model/errors.ts';
import { recordingErrors } from '../errors.ts';
import { findZipEntry } from './zip.ts';

const READ_BYTES = 256 * 1024;
/** Deflate expands at most 1,032 times, so a piece fits into memory. */
const PACKED_BYTES = 16 * 1024;
const MAX_LINE_CHARS = 16 * 1024 * 1024;
/** Market data packs 5 to 50 times; more suggests a decompression bomb. */
const MAX_RATIO = 200;
const FREE_BYTES = 64 * 1024 * 1024;

export class LineReader {
  readonly path: string;
  /** Lines returned so far. */
  lines = 0;
  /** Why the file ends early, or null. */
  damage: string | null = null;
  /** Parts of an unfinished line. */
  #rest: string[] = [];
  #restChars = 0;
  readonly #decoder = new TextDecoder('utf-8');

  constructor(path: string) {
    this.path = path;
  }

  get name(): string {
    return basename(this.path);
  }

  /** Without line ends or empty lines. @throws import_file_unreadable */
  async *batches(): AsyncGenerator<readonly string[]> {
    const file = await this.#open();
    try {
      for await (const bytes of this.#bytes(file)) {
        const lines = this.#split(bytes);
        if (lines.length > 0) yield lines;
      }
      const last = this.#rest.join('').trimEnd();
      // Cut, so dropped.
      if (last !== '' && this.damage === null) {
        this.lines++;
        yield [last];
      }
    } finally {
      await file.close();
    }
  }

  async #open(): Promise<FileHandle> {
    try {
      return await open(this.path, 'r');
    } catch (thrown) {
      throw recordingErrors.make('import_file_unreadable', `${this.path}: ${messageOf(thrown)}`, { path: this.path });
    }
  }

  async *#bytes(file: FileHandle): AsyncGenerator<Buffer> {
    const head = Buffer.alloc(4);
    await file.read(head, 0, 4, 0);
    if (head[0] === 0x1f && head[1] === 0x8b) yield* this.#inflated(file, createGunzip(), 0, Infinity);
    else if (head.readUInt32LE(0) === 0x04034b50) yield* this.#zipped(file);
    else yield* readBytes(file, 0, Infinity);
  }

  async *#zipped(file: FileHandle): AsyncGenerator<Buffer> {
    const entry = await findZipEntry(file);
    if (typeof entry === 'string') {
      this.damage = entry;
      return;
    }
    if (entry.stored) yield* readBytes(file, entry.offset, entry.bytes);
    else yield* this.#inflated(file, createInflateRaw(), entry.offset, entry.bytes);
  }

  /**
   * Keeps what came before a break.
   * @throws import_wrong_format when it expands too far
   */
  async *#inflated(
    file: FileHandle,
    inflate: Gunzip | InflateRaw,
    from: number,
    bytes: number,
  ): AsyncGenerator<Buffer> {
    let out: Buffer[] = [];
    let failure: Error | null = null;
    inflate.on('data', (chunk: Buffer) => out.push(chunk));
    inflate.on('error', (error) => {
      failure = error;
    });
    const taken = function* (): Generator<Buffer> {
      const ready = out;
      out = [];
      yield* ready;
    };
    try {
      let packed = 0;
      let unpacked = 0;
      for await (const chunk of readBytes(file, from, bytes, PACKED_BYTES)) {
        await pushed(inflate, chunk);
        packed += chunk.length;
        unpacked += out.reduce((sum, { length }) => sum + length, 0);
        if (unpacked > FREE_BYTES && unpacked > MAX_RATIO * packed) {
          this.#refuse(`it unpacks to more than ${MAX_RATIO} times its size`);
        }
        yield* taken();
        if (failure !== null) break;
      }
      if (failure === null) await ended(inflate);
      yield* taken();
      if (failure !== null) this.damage = `${this.name} is truncated or corrupt: ${messageOf(failure)}`;
    } finally {
      inflate.destroy();
    }
  }

  #split(bytes: Buffer): readonly string[] {
    const parts = this.#decoder.decode(bytes, { stream: true }).split('\n');
    const last = parts.pop() ?? '';
    const [first] = parts;
    if (first !== undefined) {
      parts[0] = this.#rest.length === 0 ? first : [...this.#rest, first].join('');
      this.#rest = [];
      this.#restChars = 0;
    }
    this.#restChars += last.length;
    if (this.#restChars > MAX_LINE_CHARS) this.#refuse(`a line is longer than ${MAX_LINE_CHARS} characters`);
    if (last !== '') this.#rest.push(last);
    const lines: string[] = [];
    for (const part of parts) {
      const line = part.endsWith('\r') ? part.slice(0, -1) : part;
      if (line !== '') lines.push(line);
    }
    this.lines += lines.length;
    return lines;
  }

  #refuse(why: string): never {
    throw recordingErrors.make('import_wrong_format', `${this.path}: ${why}`, { path: this.path });
  }
}

/** Or the stream has broken. */
function pushed(inflate: Gunzip | InflateRaw, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      inflate.off('error', done);
      resolve();
    };
    inflate.once('error', done);
    inflate.write(chunk, done);
  });
}

function ended(inflate: Gunzip | InflateRaw): Promise<void> {
  return new Promise((resolve) => {
    inflate.once('end', resolve);
    inflate.once('error', () => resolve());
    inflate.end();
  });
}

async function* readBytes(file: FileHandle, from: number, length: number, piece = READ_BYTES): AsyncGenerator<Buffer> {
  let at = from;
  const end = from + length;
  while (at < end) {
    const bytes = Buffer.allocUnsafe(Math.min(piece, end - at));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield bytes.subarray(0, bytesRead);
  }
}
