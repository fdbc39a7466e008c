/** A text file that appears under its name only when complete. */
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const PIECE_CHARS = 1024 * 1024;

export class TextFile {
  readonly #path: string;
  readonly #fd: number;
  #pieces: string[] = [];
  #length = 0;
  #isOpen = true;

  /** All calls throw the file system's error. */
  constructor(path: string) {
    this.#path = path;
    this.#fd = openSync(`${path}.partial`, 'w');
  }

  line(text: string): void {
    this.#pieces.push(text, '\n');
    this.#length += text.length + 1;
    if (this.#length >= PIECE_CHARS) this.#write();
  }

  finish(): void {
    this.#write();
    this.#close();
    renameSync(`${this.#path}.partial`, this.#path);
  }

  abandon(): void {
    this.#close();
    rmSync(`${this.#path}.partial`, { force: true });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#fd);
    this.#isOpen = false;
  }

  #write(): void {
    writeFileSync(this.#fd, this.#pieces.join(''));
    this.#pieces = [];
    this.#length = 0;
  }
}
