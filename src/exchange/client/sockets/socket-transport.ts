/**
 * `SocketTransport` on `ws`. `close` is reported exactly once. Frames read together are delivered in separate turns:
 * `allowSynchronousEvents: false` would cost an event-loop turn per frame.
 */
import type { LookupFunction } from 'node:net';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import { messageOf } from '../../../model/errors.ts';
import type { SocketConnection, SocketHandlers, SocketTransport } from '../../../model/ports.ts';
import { Turns } from '../turns.ts';

const HANDSHAKE_TIMEOUT_MS = 8000;
const CLOSE_TIMEOUT_MS = 2000;
const PAYLOAD_BYTES_MAX = 4 * 1024 * 1024;

/** Missing in the type declarations. */
const OPTIONS: ClientOptions & { readonly closeTimeout: number } = {
  perMessageDeflate: false,
  maxPayload: PAYLOAD_BYTES_MAX,
  handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  closeTimeout: CLOSE_TIMEOUT_MS,
  followRedirects: false,
};

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : data.toString('utf8');
}

class WsConnection implements SocketConnection {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(text: string, sent?: (ok: boolean) => void): void {
    if (this.#socket.readyState !== WebSocket.OPEN) {
      sent?.(false);
      return;
    }
    this.#socket.send(text, (error) => sent?.(error === undefined || error === null));
  }

  close(): void {
    this.#socket.close(1000);
  }

  terminate(): void {
    this.#socket.terminate();
  }
}

function connect(url: string, handlers: SocketHandlers, options: ClientOptions): SocketConnection {
  const socket = new WebSocket(url, options);
  const turns = new Turns();
  let failure = '';
  socket.on('error', (error) => {
    failure = messageOf(error);
  });
  socket.on('open', () => turns.add(() => handlers.open()));
  socket.on('message', (data: RawData) => turns.add(() => handlers.message(textOf(data))));
  socket.once('close', (code, reason) =>
    turns.add(() => handlers.close(code, failure === '' ? reason.toString('utf8') : failure)),
  );
  return new WsConnection(socket);
}

/** Throws at once for an invalid URL. */
export function createWsTransport(lookup?: LookupFunction): SocketTransport {
  // Missing in the type declarations.
  const options: ClientOptions & { readonly lookup?: LookupFunction } =
    lookup === undefined ? OPTIONS : { ...OPTIONS, lookup };
  return Object.freeze({ connect: (url: string, handlers: SocketHandlers) => connect(url, handlers, options) });
}
