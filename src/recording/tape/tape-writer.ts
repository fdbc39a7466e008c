/** Writes a `.tape`; `finish` makes it valid. All calls throw the file system's error. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { PRIVATE_FILE } from '../frames/folder.ts';
import { HEADER_BYTES, headerOf, type PartEntry, type TapeFooter } from './tape-format.ts';

export class TapeWriter {
  readonly #fd: number;
  #at = HEADER_BYTES;

  constructor(path: string) {
    this.#fd = openSync(path, 'w', PRIVATE_FILE);
  }

  append(bytes: Uint8Array): PartEntry {
    const at = this.#at;
    writeAll(this.#fd, bytes, at);
    this.#at = at + bytes.length;
    return { at, bytes: bytes.length, crc: crc32(bytes) };
  }

  finish(footer: TapeFooter): void {
    const json = Buffer.from(JSON.stringify(footer), 'utf8');
    const { at } = this.append(json);
    writeAll(this.#fd, headerOf(json, at), 0);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

export function writeAll(fd: number, bytes: Uint8Array, at: number): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}
