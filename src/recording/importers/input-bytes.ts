/** Bytes of an input in order, of a file as of a pipe, which is read once and has no positions. */
import { type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../../model/errors.ts';
import { recordingErrors } from '../errors.ts';

const READ_BYTES = 16 * 1024;

/** @throws import_file_unreadable */
export async function openInput(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (thrown) {
    throw unreadable(path, messageOf(thrown));
  }
}

export function unreadable(path: string, why: string): Error {
  return recordingErrors.make('import_file_unreadable', `${path}: ${why}`, { path });
}

export class InputBytes {
  readonly #path: string;
  readonly #file: FileHandle;
  /** Null: as they come. */
  #at: number | null;
  #left: number;
  #ahead: Buffer = Buffer.alloc(0);

  constructor(path: string, file: FileHandle, at: number | null = null, length = Infinity) {
    this.#path = path;
    this.#file = file;
    this.#at = at;
    this.#left = length;
  }

  /** At least `count` of what follows, less only at the end. @throws import_file_unreadable */
  async look(count: number, piece = READ_BYTES): Promise<Buffer> {
    while (this.#ahead.length < count && this.#left > 0) {
      const more = await this.#read(Math.min(piece, this.#left));
      this.#left = more.length === 0 ? 0 : this.#left - more.length;
      this.#ahead = this.#ahead.length === 0 ? more : Buffer.concat([this.#ahead, more]);
    }
    return this.#ahead;
  }

  skip(count: number): void {
    this.#ahead = this.#ahead.subarray(count);
  }

  async #read(length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    try {
      const { bytesRead } = await this.#file.read(bytes, 0, length, this.#at);
      if (this.#at !== null) this.#at += bytesRead;
      return bytes.subarray(0, bytesRead);
    } catch (thrown) {
      throw unreadable(this.#path, messageOf(thrown));
    }
  }
}
