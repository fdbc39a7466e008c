/**
 * HTTP in front of a sandbox: collects a body within its bound, hands the request over, writes the reply. A reply of
 * null cuts the connection, which is what a lost answer looks like.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { SandboxRequest } from './authentication.ts';
import { BODY_BYTES_MAX } from './options.ts';
import { errorReply, type Reply } from './reply.ts';
import type { Sandbox } from './sandbox.ts';

/** Longer than any client keeps an idle connection: a server that closes first makes unknown outcomes. */
const KEEP_ALIVE_MS = 75_000;

/** How much of an oversized body is read before the connection is cut. */
const DISCARDED_BYTES_MAX = 32 * BODY_BYTES_MAX;

export function createHttpServer(sandbox: Sandbox): Server {
  const server = createServer({ shouldUpgradeCallback: wantsSocket }, (request, response) => {
    collect(request, (body) => {
      if (body === undefined) {
        write(response, errorReply(400, 'bad_request', `the body is larger than ${BODY_BYTES_MAX} bytes`));
        return;
      }
      // Pushes leave at the end of the turn (`socket-batch.ts`); the answer comes after what its operation pushed.
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

/** Another protocol that a client offers, HTTP/2 say, is declined by answering as if it had not. */
function wantsSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

export function requestOf(request: IncomingMessage, body: Buffer): SandboxRequest {
  return {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    // Only `set-cookie` is ever a list, and nobody reads it.
    headers: request.headers as SandboxRequest['headers'],
    body,
    address: request.socket.remoteAddress ?? '',
  };
}

/**
 * Undefined when the body exceeds its bound: the rest is read and thrown away, so that the client gets its answer, but
 * not for ever. Nothing is called when the client goes away.
 */
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
  // A request that is cut off is over; there is nobody to answer.
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
