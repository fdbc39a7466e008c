/**
 * A thread that answers scrapes on loopback, so that a storm of them costs the session nothing. It asks the session for
 * its text once a second at most, and only when somebody scrapes.
 */
import { createServer, type ServerResponse } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

const FRESH_MS = 1_000;
const ANSWER_MS_MAX = 5_000;
const SOCKETS_MAX = 64;
const WAITING_MAX = 256;

const { port, contentType } = z.object({ port: z.number(), contentType: z.string() }).parse(workerData);
const session = parentPort;
let text: string | null = null;
let askedAt = Number.NEGATIVE_INFINITY;
let waiting: ServerResponse[] = [];

function send(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body);
}

session?.on('message', (made: string) => {
  text = made;
  for (const response of waiting) send(response, made);
  waiting = [];
});

const server = createServer((request, response) => {
  request.resume();
  const path = (request.url ?? '').split('?', 1)[0];
  const { host = '' } = request.headers;
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/.test(host)) response.writeHead(421).end('another host\n');
  else if (path !== '/metrics') response.writeHead(404).end('only /metrics is here\n');
  else if (request.method !== 'GET') response.writeHead(405, { allow: 'GET' }).end();
  else if (text !== null && performance.now() - askedAt < FRESH_MS) send(response, text);
  else if (waiting.length >= WAITING_MAX) response.writeHead(503, { 'retry-after': '1' }).end();
  else {
    waiting.push(response);
    response.on('close', () => (waiting = waiting.filter((other) => other !== response)));
    if (performance.now() - askedAt < FRESH_MS) return;
    askedAt = performance.now();
    session?.postMessage({ kind: 'asked' });
  }
});
server.requestTimeout = ANSWER_MS_MAX;
server.headersTimeout = ANSWER_MS_MAX;
server.keepAliveTimeout = ANSWER_MS_MAX;
server.timeout = ANSWER_MS_MAX;
server.maxConnections = SOCKETS_MAX;
server.on('error', (error: NodeJS.ErrnoException) =>
  session?.postMessage({ kind: 'failed', code: error.code ?? 'failed' }),
);
server.on('listening', () => {
  const address = server.address();
  session?.postMessage({ kind: 'listening', port: typeof address === 'object' ? address?.port : port });
});
server.listen(port, '127.0.0.1');
