/** Batches of lines of a plain, gzip or zip file, recognised by first bytes. Damage ends the lines. */
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { recordingErrors } from '../errors.ts';
import { Inflated } from './inflate.ts';
import { InputBytes, openInput, unreadable } from './input-bytes.ts';
import { findZipEntry } from './zip.ts';

const READ_BYTES = 256 * 1024;
const MAX_LINE_CHARS = 16 * 1024 * 1024;

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
    const file = await openInput(this.path);
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

  async *#bytes(file: FileHandle): AsyncGenerator<Buffer> {
    const input = new InputBytes(this.path, file);
    const head = await input.look(4);
    if (head[0] === 0x1f && head[1] === 0x8b) yield* this.#inflated(input, 'gzip');
    else if (head.length >= 4 && head.readUInt32LE(0) === 0x04034b50) yield* this.#zipped(file);
    else yield* whole(input);
  }

  async *#zipped(file: FileHandle): AsyncGenerator<Buffer> {
    if (!(await file.stat()).isFile())
      throw unreadable(this.path, 'a zip archive cannot be read from a pipe; give its file');
    const entry = await findZipEntry(file);
    if (typeof entry === 'string') {
      this.damage = entry;
      return;
    }
    const input = new InputBytes(this.path, file, entry.offset, entry.bytes);
    if (entry.stored) yield* whole(input);
    else yield* this.#inflated(input, 'raw');
  }

  /** Keeps what came before a break. @throws import_wrong_format when it expands too far */
  async *#inflated(input: InputBytes, form: 'gzip' | 'raw'): AsyncGenerator<Buffer> {
    const inflated = new Inflated(input);
    yield* inflated[form]();
    if (inflated.bomb !== null) this.#refuse(inflated.bomb);
    if (inflated.damage !== null) this.damage = `${this.name} is truncated or corrupt: ${inflated.damage}`;
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

async function* whole(input: InputBytes): AsyncGenerator<Buffer> {
  for (;;) {
    const bytes = await input.look(1, READ_BYTES);
    if (bytes.length === 0) return;
    input.skip(bytes.length);
    yield bytes;
  }
}
