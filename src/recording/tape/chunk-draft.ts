/** Chunks between the compile passes, in an unlinked file. */
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { PRIVATE_FILE } from '../frames/folder.ts';
import { chunkBytes, type ChunkSize, type TapeChunk, viewChunk } from './tape-chunk.ts';
import { writeAll } from './tape-writer.ts';

export class ChunkDraft {
  readonly sizes: ChunkSize[] = [];
  readonly #fd: number;
  readonly #at: number[] = [];
  #end = 0;

  /** @throws the file system's error */
  constructor(path: string) {
    this.#fd = openSync(path, 'w+', PRIVATE_FILE);
    rmSync(path, { force: true });
  }

  append(size: ChunkSize, bytes: Uint8Array): void {
    writeAll(this.#fd, bytes, this.#end);
    this.sizes.push(size);
    this.#at.push(this.#end);
    this.#end += bytes.length;
  }

  /** Without strings. @throws the file system's error */
  chunk(index: number, buffer: ArrayBuffer): TapeChunk {
    const size = this.sizes[index]!;
    const bytes = new Uint8Array(buffer, 0, chunkBytes(size));
    let done = 0;
    while (done < bytes.length) {
      const read = readSync(this.#fd, bytes, done, bytes.length - done, this.#at[index]! + done);
      if (read === 0) throw new Error(`a draft of a tape ends at chunk ${index}`);
      done += read;
    }
    return viewChunk(buffer, size, false);
  }

  close(): void {
    closeSync(this.#fd);
  }
}
