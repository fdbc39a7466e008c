/**
 * Cheap fan-out: a repeated text is encoded once, and a connection's frames leave in one write at the end of the turn,
 * or at `HELD_BYTES_MAX`. Order is kept.
 */
import type { Writable } from 'node:stream';

/** Per socket. */
const HELD_BYTES_MAX = 64 * 1024;

export class SocketBatch {
  readonly #held = new Set<Writable>();
  #text = '';
  #bytes: Buffer = Buffer.alloc(0);

  /** Cached UTF-8; read only. */
  bytesOf(text: string): Buffer {
    if (text !== this.#text) {
      this.#bytes = Buffer.from(text, 'utf8');
      this.#text = text;
    }
    return this.#bytes;
  }

  /** Call before each write. */
  hold(socket: Writable): void {
    if (this.#held.has(socket)) {
      if (socket.writableLength < HELD_BYTES_MAX) return;
      this.release(socket);
    }
    if (this.#held.size === 0) process.nextTick(() => this.#releaseAll());
    this.#held.add(socket);
    socket.cork();
  }

  /** Flushes `socket`. */
  release(socket: Writable): void {
    if (this.#held.delete(socket)) socket.uncork();
  }

  #releaseAll(): void {
    for (const socket of this.#held) socket.uncork();
    this.#held.clear();
  }
}
