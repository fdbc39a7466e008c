/** Reading and counting of client messages, for both kinds of sockets. */
import { isRecord } from '../../exchange/wire/decoded.ts';

export interface SocketClient {
  /** Undefined: a binary frame. */
  receive(text: string | undefined): void;
  ended(): void;
  heard?(): void;
}

/** Undefined unless a JSON object. */
export function readFrame(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** More than `max` messages within a second are a flood. */
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
