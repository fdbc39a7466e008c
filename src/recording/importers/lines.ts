/**
 * Lines of an input file: plain, gzip or the first CSV of a zip, told apart by their first bytes, in batches of bounded
 * memory. A compressed file that ends early or breaks off gives all lines before the break; `damage` then says so.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib';
import { messageOf } from '../../model/errors.ts';
import { recordingErrors } from '../errors.ts';
import { findZipEntry } from './zip.ts';

const READ_BYTES = 256 * 1024;
const MAX_LINE_CHARS = 64 * 1024 * 1024;

export class LineReader {
  readonly path: string;
  /** Lines given out so far. */
  lines = 0;
  /** Why the file ends before its time, or null. */
  damage: string | null = null;
  #rest = '';
  readonly #decoder = new TextDecoder('utf-8');

  constructor(path: string) {
    this.path = path;
  }

  get name(): string {
    return basename(this.path);
  }

  /** Batches of lines without their ends; empty lines are left out. @throws import_file_unreadable */
  async *batches(): AsyncGenerator<readonly string[]> {
    const file = await this.#open();
    try {
      for await (const bytes of this.#bytes(file)) {
        const lines = this.#split(bytes);
        if (lines.length > 0) yield lines;
      }
      const last = this.#rest.trimEnd();
      // The last line of a damaged file is cut somewhere: half a number is worse than none.
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

  /** Feeds the decompressor piece by piece, so that what came before a break is not lost with it. */
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
    for await (const chunk of readBytes(file, from, bytes)) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          inflate.off('error', done);
          resolve();
        };
        inflate.once('error', done);
        inflate.write(chunk, done);
      });
      yield* taken();
      if (failure !== null) break;
    }
    if (failure === null) {
      await new Promise<void>((resolve) => {
        inflate.once('end', resolve);
        inflate.once('error', () => resolve());
        inflate.end();
      });
      yield* taken();
    }
    if (failure !== null) this.damage = `${this.name} is truncated or corrupt: ${messageOf(failure)}`;
    inflate.destroy();
  }

  #split(bytes: Buffer): readonly string[] {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    const parts = text.split('\n');
    this.#rest = parts.pop() ?? '';
    if (this.#rest.length > MAX_LINE_CHARS) {
      throw recordingErrors.make(
        'import_wrong_format',
        `${this.path}: a line is longer than ${MAX_LINE_CHARS} characters`,
      );
    }
    const lines: string[] = [];
    for (const part of parts) {
      const line = part.endsWith('\r') ? part.slice(0, -1) : part;
      if (line !== '') lines.push(line);
    }
    this.lines += lines.length;
    return lines;
  }
}

async function* readBytes(file: FileHandle, from: number, length: number): AsyncGenerator<Buffer> {
  let at = from;
  const end = from + length;
  while (at < end) {
    const bytes = Buffer.allocUnsafe(Math.min(READ_BYTES, end - at));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield bytes.subarray(0, bytesRead);
  }
}
