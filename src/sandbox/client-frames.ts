/**
 * What the two kinds of sockets do alike with what a client sends: read it, and count it. Used by `socket-session.ts` and
 * `p2p-hub.ts`.
 */
import { isRecord } from '../exchange/wire/decoded.ts';

/** What a connection tells of its client. */
export interface SocketClient {
  /** One client frame. Undefined: it was binary. */
  receive(text: string | undefined): void;
  /** The connection is gone, whoever ended it. */
  ended(): void;
  /** A protocol ping. */
  heard?(): void;
}

/** The JSON object that a client sent; undefined when it is none. */
export function readFrame(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Messages of one client within a second; more than `max` are a flood. */
export class MessageCount {
  readonly #max: number;
  #secondStartMs: number;
  #count = 0;

  constructor(max: number, startMs: number) {
    this.#max = max;
    this.#secondStartMs = startMs;
  }

  isFlood(nowMs: number): boolean {
    if (nowMs - this.#secondStartMs >= 1000) {
      this.#secondStartMs = nowMs;
      this.#count = 0;
    }
    this.#count++;
    return this.#count > this.#max;
  }
}
