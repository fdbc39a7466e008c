/**
 * One connection through the faulty proxy: bytes of both directions, in order, with the faults that the proxy draws. Of
 * HTTP it knows only who speaks: what comes after an answer is a new request. After an upgrade every piece is a frame.
 */
import type { Socket } from 'node:net';
import { WINDOW_MS, type FaultyProxy } from './proxy.ts';

type Phase = 'idle' | 'asking' | 'answering' | 'socket';

/** Bytes to be written, or what else happens in this direction, at its time. */
interface Step {
  readonly due: number;
  readonly what: Buffer | (() => void);
}

/** One direction: what waits keeps its order, and what has become due together leaves as one piece. */
interface Lane {
  readonly to: Socket;
  readonly steps: Step[];
  timer: NodeJS.Timeout | null;
  swallows: boolean;
}

const GARBAGE: readonly string[] = [
  'HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n<html>bad</html',
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\nnull',
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"orderId":"',
  '\u0000\u0001\u0002 this is not HTTP',
];

export class Line {
  /** A fault has struck from which this line does not recover. */
  spoilt = false;
  readonly ended: Promise<void>;
  readonly #proxy: FaultyProxy;
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #up: Lane;
  readonly #down: Lane;
  #phase: Phase = 'idle';
  /** Of the request that is under way, Unix ms. */
  #signedAt: number | null = null;

  constructor(proxy: FaultyProxy, client: Socket, server: Socket) {
    this.#proxy = proxy;
    this.#client = client;
    this.#server = server;
    this.#up = { to: server, steps: [], timer: null, swallows: false };
    this.#down = { to: client, steps: [], timer: null, swallows: false };
    client.setNoDelay(true);
    server.setNoDelay(true);
    client.on('data', (bytes: Buffer) => this.#fromClient(bytes));
    server.on('data', (bytes: Buffer) => this.#fromServer(bytes));
    for (const [socket, other] of [
      [client, this.#up],
      [server, this.#down],
    ] as const) {
      socket.on('error', () => this.reset());
      // Half closes are passed on behind the bytes that still wait; a line that swallows bytes swallows these too.
      socket.on('end', () => this.#later(other, 0, () => void (other.swallows || other.to.end())));
    }
    this.ended = new Promise((resolve) => {
      let open = 2;
      for (const socket of [client, server]) socket.on('close', () => (--open === 0 ? resolve() : undefined));
    });
  }

  reset(): void {
    if (!this.#client.destroyed) this.#client.resetAndDestroy();
    if (!this.#server.destroyed) this.#server.resetAndDestroy();
  }

  #fromClient(bytes: Buffer): void {
    if (this.#phase === 'socket') {
      this.#frame(this.#up, bytes);
      return;
    }
    const isNew = this.#phase !== 'asking';
    if (isNew && this.#phase === 'answering' && this.#proxy.strikes('idleClosed')) {
      // The exchange found the connection idle for too long at the very moment.
      this.#client.end();
      this.#server.destroy();
      this.spoilt = true;
      return;
    }
    this.#phase = 'asking';
    if (isNew) this.#signedAt = signedAtOf(bytes);
    if (/^upgrade: websocket/im.test(bytes.toString('latin1', 0, 2048))) this.#phase = 'socket';
    if (this.#phase === 'asking' && isNew) {
      if (this.#proxy.strikes('requestCut')) return this.#cut(this.#up, bytes);
      if (this.#proxy.strikes('requestSwallowed')) return this.#swallow(this.#up, bytes);
    }
    const delayMs = isNew && this.#proxy.strikes('requestDelayed') ? this.#proxy.draw(5, 500) : 0;
    this.#pass(this.#up, bytes, delayMs);
  }

  #fromServer(bytes: Buffer): void {
    if (this.#phase === 'socket') {
      this.#frame(this.#down, bytes);
      return;
    }
    const isFirst = this.#phase === 'asking';
    this.#phase = 'answering';
    if (isFirst) {
      if (this.#proxy.strikes('answerReset')) return this.reset();
      if (this.#proxy.strikes('answerCut')) return this.#cut(this.#down, bytes);
      if (this.#proxy.strikes('answerSwallowed')) return this.#swallow(this.#down, bytes);
      if (this.#proxy.strikes('answerGarbage')) {
        const text = GARBAGE[this.#proxy.draw(0, GARBAGE.length - 1)] ?? '';
        this.spoilt = true;
        this.#down.swallows = true;
        this.#later(this.#down, 0, () => this.#down.to.end(Buffer.from(text, 'latin1')));
        return;
      }
    }
    const delayMs = isFirst && this.#proxy.strikes('answerDelayed') ? this.#proxy.draw(5, 800) : 0;
    this.#pass(this.#down, bytes, delayMs);
  }

  #frame(lane: Lane, bytes: Buffer): void {
    if (this.#proxy.strikes('frameCut')) return this.#cut(lane, bytes);
    if (this.#proxy.strikes('frameSwallowed')) return this.#swallow(lane, bytes);
    if (this.#proxy.strikes('frameGarbage')) {
      this.spoilt = true;
      return this.#pass(lane, Buffer.alloc(this.#proxy.draw(1, 40), 0xff), 0);
    }
    this.#pass(lane, bytes, this.#proxy.strikes('frameDelayed') ? this.#proxy.draw(5, 400) : 0);
  }

  /** Some first bytes arrive, then the connection is gone, orderly or not. */
  #cut(lane: Lane, bytes: Buffer): void {
    this.spoilt = true;
    const first = bytes.subarray(0, this.#proxy.draw(0, bytes.length));
    const isOrderly = this.#proxy.draw(0, 1) === 0;
    this.#later(lane, 0, () => {
      if (lane.swallows) return;
      this.#write(lane, first);
      lane.swallows = true;
      lane.to.write('', () => {
        if (!isOrderly) return this.reset();
        this.#client.end();
        this.#server.end();
        // What still comes from either side goes nowhere.
        this.#up.swallows = true;
        this.#down.swallows = true;
      });
    });
  }

  /** Some first bytes arrive, then nothing more in this direction, and nobody is told. */
  #swallow(lane: Lane, bytes: Buffer): void {
    this.spoilt = true;
    const first = bytes.subarray(0, this.#proxy.draw(0, bytes.length));
    this.#later(lane, 0, () => {
      if (!lane.swallows) this.#write(lane, first);
      lane.swallows = true;
    });
  }

  #pass(lane: Lane, bytes: Buffer, delayMs: number): void {
    // Held back for what comes next, which then leaves in the same piece.
    const heldMs = this.#proxy.strikes('merged') ? this.#proxy.draw(5, 30) : delayMs;
    if (bytes.length > 1 && this.#proxy.strikes('split')) {
      const at = this.#proxy.draw(1, bytes.length - 1);
      this.#later(lane, heldMs, bytes.subarray(0, at));
      this.#later(lane, this.#proxy.draw(1, 40), bytes.subarray(at));
    } else if (this.#proxy.strikes('throttled')) {
      const step = Math.max(64, Math.ceil(bytes.length / 8));
      for (let at = 0; at < bytes.length; at += step) this.#later(lane, 15, bytes.subarray(at, at + step));
    } else {
      this.#later(lane, heldMs, bytes);
    }
  }

  /** Behind everything that waits in this lane, `delayMs` after it. */
  #later(lane: Lane, delayMs: number, what: Step['what']): void {
    const now = performance.now();
    lane.steps.push({ due: Math.max(now, lane.steps.at(-1)?.due ?? now) + delayMs, what });
    if (lane.timer === null) this.#run(lane);
  }

  #run(lane: Lane): void {
    lane.timer = null;
    for (;;) {
      const pieces: Buffer[] = [];
      while (this.#isDue(lane) && Buffer.isBuffer(lane.steps[0]?.what)) {
        const what = lane.steps.shift()?.what;
        if (Buffer.isBuffer(what)) pieces.push(what);
      }
      if (pieces.length > 0) this.#write(lane, Buffer.concat(pieces));
      const [step] = lane.steps;
      if (step === undefined || !this.#isDue(lane)) break;
      // Bytes that have become due since the look above.
      if (typeof step.what !== 'function') continue;
      lane.steps.shift();
      step.what();
    }
    const [next] = lane.steps;
    if (next !== undefined) lane.timer = setTimeout(() => this.#run(lane), Math.max(0, next.due - performance.now()));
  }

  #isDue({ steps: [next] }: Lane): boolean {
    return next !== undefined && next.due <= performance.now();
  }

  #write(lane: Lane, bytes: Buffer): void {
    if (lane.swallows || !lane.to.writable) return;
    const isOld = this.#signedAt !== null && Math.abs(Date.now() - this.#signedAt) > WINDOW_MS;
    if (lane === this.#up && this.#phase !== 'socket' && isOld) this.reset();
    else lane.to.write(bytes);
  }
}

function signedAtOf(bytes: Buffer): number | null {
  const stamp = /^x-api-timestamp: (\d+)/im.exec(bytes.toString('latin1', 0, 4096))?.[1];
  return stamp === undefined ? null : Number(stamp);
}
