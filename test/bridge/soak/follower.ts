/** A client of the stream that comes and goes, each time after the last entry that it has, and counts what it is given. */
import WebSocket from 'ws';
import type { Api } from '../paper-session.ts';

interface Heard {
  readonly type: string;
  readonly seq: number;
}

export class Follower {
  /** Entries that came, of all visits. */
  entries = 0;
  visits = 0;
  /** Snapshots beyond the first: each would hide a hole. */
  snapshots = 0;
  /** Number of the last entry that it has; null before the first message. */
  last: number | null = null;
  readonly holes: string[] = [];
  readonly #api: Api;
  #socket: WebSocket | null = null;

  constructor(api: Api) {
    this.#api = api;
  }

  get isHere(): boolean {
    return this.#socket !== null;
  }

  come(): void {
    this.visits++;
    const after = this.last === null ? '' : `&after=${this.last}`;
    const url = `${this.#api.url.replace('http', 'ws')}/api/v1/stream?depth=20${after}`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${this.#api.token}` } });
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#hear(JSON.parse(data.toString('utf8')) as Heard));
    socket.on('error', (thrown) => this.holes.push(`its socket failed: ${thrown.message}`));
    socket.on('close', (code) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.holes.push(`the server closed it with ${code} after entry ${this.last}`);
    });
  }

  /** At once, as a browser whose machine sleeps: what is on its way is lost. */
  go(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.removeAllListeners('message');
    socket?.removeAllListeners('error');
    // It may not have opened yet.
    socket?.on('error', () => {});
    socket?.terminate();
  }

  #hear({ type, seq }: Heard): void {
    if (type === 'snapshot') {
      if (this.last !== null) this.snapshots++;
      this.last = seq;
    }
    if (type !== 'entry') return;
    if (this.last !== null && seq !== this.last + 1) this.holes.push(`entry ${seq} came after ${this.last}`);
    this.last = seq;
    this.entries++;
  }
}
