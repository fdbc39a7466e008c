/**
 * The WebSocket of one session. After a cut it comes back with the number of the last entry, so that none is missed; when
 * the server has no longer what follows it, a snapshot comes first.
 */
import type { StreamMessage, SubscribeMessage } from './types.ts';

export type LinkState = 'connecting' | 'open' | 'lost';

export interface StreamEvents {
  readonly onMessage: (message: StreamMessage) => void;
  readonly onState: (state: LinkState) => void;
  /** Last entry that was applied; undefined asks for a snapshot. */
  readonly after: () => number | undefined;
}

const RETRY_MS = [250, 500, 1_000, 2_000, 4_000];
/** The server sends health each second: longer silence is a dead line. */
const SILENT_MS = 6_000;

export class SessionStream {
  readonly #session: string;
  readonly #events: StreamEvents;
  #socket: WebSocket | undefined;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;
  #wanted: SubscribeMessage;
  #closed = false;

  constructor(session: string, wanted: SubscribeMessage, events: StreamEvents) {
    this.#session = session;
    this.#wanted = wanted;
    this.#events = events;
    this.#connect();
  }

  subscribe(wanted: SubscribeMessage): void {
    this.#wanted = wanted;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(wanted));
  }

  /** At once, such as when the network is back. */
  retry(): void {
    if (this.#closed || this.#socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#watch);
    this.#socket?.close();
  }

  #connect(): void {
    this.#socket?.close();
    const query = new URLSearchParams({ session: this.#session });
    const after = this.#events.after();
    if (after !== undefined) query.set('after', String(after));
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/stream?${query.toString()}`);
    this.#socket = socket;
    this.#events.onState('connecting');
    this.#hear();
    socket.onopen = () => socket.send(JSON.stringify(this.#wanted));
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      this.#hear();
      this.#tries = 0;
      this.#events.onState('open');
      this.#events.onMessage(JSON.parse(String(data)) as StreamMessage);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
  }

  #hear(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.#socket?.close();
      this.#lost();
    }, SILENT_MS);
  }

  #lost(): void {
    clearTimeout(this.#watch);
    if (this.#closed) return;
    this.#socket = undefined;
    this.#events.onState('lost');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)]);
  }
}
