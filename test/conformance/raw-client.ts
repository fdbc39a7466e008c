/**
 * A client of its own, written from the interface and the wire profile alone: plain `http`, `ws`, own HMAC. It imports
 * nothing from src/exchange, so that client and sandbox cannot agree on the same mistake. Whatever it meets it notes for
 * the coverage of the tables (`sightings.ts`).
 */
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { WebSocket } from 'ws';
import { observeExchange, observeFrame } from './observe.ts';
import { saw } from './sightings.ts';

export interface KeyPair {
  readonly publicKey: string;
  readonly secretKey: string;
}

export interface RawReply {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  /** Parsed body; undefined when it is not JSON. */
  readonly json: unknown;
}

export function hmac(secret: string, message: string): string {
  return hmacOf(secret, Buffer.from(message));
}

/** The same over bytes that may be no text. */
export function hmacOf(secret: string, message: Buffer): string {
  return createHmac('sha256', secret).update(message).digest('hex');
}

export function send(
  base: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer = '',
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const length =
      body.length === 0
        ? {}
        : { 'content-length': String(Buffer.byteLength(body)), 'content-type': 'application/json' };
    const outgoing = request(`${base}${path}`, { method, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const reply = { status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) };
        const caller = headers['X-API-Key'] ?? headers['Authorization'] ?? '';
        observeExchange({ base, method, path, body: String(body), caller, ...reply });
        resolve(reply);
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function keyHeaders(
  key: KeyPair,
  method: string,
  path: string,
  body = '',
  timestamp = String(Date.now()),
): Record<string, string> {
  const signature = hmac(key.secretKey, `${timestamp}\n${method}\n${path}\n${body}`);
  return { 'X-API-Key': key.publicKey, 'X-API-Timestamp': timestamp, 'X-API-Signature': signature };
}

/** One signed request; `data` is sent as JSON. */
export function signed(base: string, key: KeyPair, method: string, path: string, data?: unknown): Promise<RawReply> {
  const body = data === undefined ? '' : JSON.stringify(data);
  return send(base, method, path, keyHeaders(key, method, path, body), body);
}

export interface Frame {
  readonly [name: string]: unknown;
}

/** A socket whose frames are kept; `next` waits for the first one, old or new, that fits, and takes it out. */
export class RawSocket {
  readonly socket: WebSocket;
  readonly frames: Frame[] = [];
  readonly closed: Promise<number>;
  #wake: (() => void)[] = [];
  #caller = '';

  private constructor(url: string) {
    this.socket = new WebSocket(`${url}/websocket/exchange`);
    this.closed = new Promise((resolve) => this.socket.on('close', resolve));
    this.socket.on('close', (code) => saw('close', code));
    this.socket.on('error', () => {});
    this.socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString('utf8')) as Frame;
      observeFrame(url, frame, this.#caller);
      this.frames.push(frame);
      for (const wake of this.#wake.splice(0)) wake();
    });
  }

  static async open(url: string): Promise<RawSocket> {
    const raw = new RawSocket(url);
    await new Promise((resolve, reject) => {
      raw.socket.on('open', resolve);
      raw.socket.on('error', reject);
    });
    return raw;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }

  async next(fits: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const index = this.frames.findIndex(fits);
      const frame = this.frames[index];
      if (frame !== undefined) {
        this.frames.splice(index, 1);
        return frame;
      }
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  onChannel(channel: string): Promise<Frame> {
    return this.next((frame) => frame['channel'] === channel);
  }

  async login(key: KeyPair, change: object = {}): Promise<Frame> {
    const timestamp = Date.now();
    const signature = hmac(key.secretKey, `${timestamp}\n${key.publicKey}`);
    this.#caller = key.publicKey;
    this.send({ method: 'auth', key: key.publicKey, timestamp, signature, ...change });
    return this.next((frame) => frame['method'] === 'auth');
  }

  async subscribe(id: number, data: readonly string[]): Promise<Frame> {
    this.send({ id, method: 'subscribe', data });
    return this.next((frame) => frame['method'] === 'subscribe' && frame['id'] === id);
  }

  close(): void {
    this.socket.terminate();
  }
}

/** The current code of a base32 secret (RFC 6238). */
export function totp(secret: string, ms = Date.now()): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = Array.from(secret, (character) => alphabet.indexOf(character).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / 30_000)));
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const offset = (digest[19] ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
