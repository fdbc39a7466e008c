/** HTTP server of a sandbox. A null reply cuts the connection. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { SandboxRequest } from './authentication.ts';
import { BODY_BYTES_MAX } from './options.ts';
import { errorReply, type Reply } from './reply.ts';
import type { Sandbox } from './sandbox.ts';

/** Longer than clients keep idle connections: a server that closes first causes unknown outcomes. */
const KEEP_ALIVE_MS = 75_000;

/** Read of an oversized body before the cut. */
const DISCARDED_BYTES_MAX = 32 * BODY_BYTES_MAX;

export function createHttpServer(sandbox: Sandbox): Server {
  const server = createServer({ shouldUpgradeCallback: wantsSocket }, (request, response) => {
    collect(request, (body) => {
      if (body === undefined) {
        write(response, errorReply(400, 'bad_request', `the body is larger than ${BODY_BYTES_MAX} bytes`));
        return;
      }
      // After pushes, which leave at the end of the turn (`socket-batch.ts`).
      sandbox.handle(requestOf(request, body), (reply) => process.nextTick(write, response, reply));
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    else socket.destroy();
  });
  return server;
}

/** Other offers, such as HTTP/2, are ignored. */
function wantsSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

export function requestOf(request: IncomingMessage, body: Buffer): SandboxRequest {
  return {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    // Only `set-cookie` is a list.
    headers: request.headers as SandboxRequest['headers'],
    body,
    address: request.socket.remoteAddress ?? '',
  };
}

/** Undefined when oversized; the rest is discarded up to a bound, so that the client gets its answer. */
function collect(request: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let over = false;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARDED_BYTES_MAX) request.destroy();
    over ||= bytes > BODY_BYTES_MAX;
    if (over) chunks.length = 0;
    else chunks.push(chunk);
  });
  request.on('end', () => {
    done(over ? undefined : Buffer.concat(chunks));
  });
  request.on('error', () => {});
}

function write(response: ServerResponse, reply: Reply | null): void {
  if (reply === null) {
    response.socket?.destroy();
    return;
  }
  if (response.destroyed || response.headersSent) return;
  response.on('error', () => {});
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
}
