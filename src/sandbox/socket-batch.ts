/**
 * Cheap fan-out over real sockets. A push goes to many connections: its bytes are made once, for the first of them, and
 * used again while the same text is sent. All frames that one turn of the event loop sends to a connection leave in one
 * write: the socket is corked at the first and uncorked at the end of the turn, before the loop looks at anything else,
 * so nothing is late; or before, when `HELD_BYTES_MAX` are held. Order is kept. One object per server.
 */
import type { Writable } from 'node:stream';

/** Of one socket (bound). More is written at once, so that only what the peer does not read piles up. */
const HELD_BYTES_MAX = 64 * 1024;

export class SocketBatch {
  readonly #held = new Set<Writable>();
  #text = '';
  #bytes: Buffer = Buffer.alloc(0);

  /** The UTF-8 of a text, made once while the same text is asked for. Read only. */
  bytesOf(text: string): Buffer {
    if (text !== this.#text) {
      this.#bytes = Buffer.from(text, 'utf8');
      this.#text = text;
    }
    return this.#bytes;
  }

  /** Call before each write. Holds what is written to `socket` from now on until the end of this turn. */
  hold(socket: Writable): void {
    if (this.#held.has(socket)) {
      if (socket.writableLength < HELD_BYTES_MAX) return;
      this.release(socket);
    }
    if (this.#held.size === 0) process.nextTick(() => this.#releaseAll());
    this.#held.add(socket);
    socket.cork();
  }

  /** Writes at once what is held of `socket`: before it is destroyed, say. */
  release(socket: Writable): void {
    if (this.#held.delete(socket)) socket.uncork();
  }

  #releaseAll(): void {
    for (const socket of this.#held) socket.uncork();
    this.#held.clear();
  }
}
