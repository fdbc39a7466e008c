/** An answer on a bare socket: to an upgrade that is refused, and to what is no HTTP request. It ends the connection. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { isTidewireError } from '../../model/errors.ts';
import { jsonText } from '../../model/text/json-text.ts';
import { bridgeErrors } from '../errors.ts';
import { errorAnswerOf } from './error-answer.ts';
import { securityHeaders } from './security-headers.ts';

export function refuseRaw(socket: Duplex, thrown: unknown): void {
  if (socket.destroyed) return;
  const { status, json } = errorAnswerOf(isTidewireError(thrown) ? thrown : new Error('internal'));
  const body = jsonText(json);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** What the parser could not read. A connection that is amid an answer is cut: bytes of another would be part of it. */
export function refuseUnreadable(thrown: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage: answering } = socket as { _httpMessage?: unknown };
  if (thrown.code === 'ECONNRESET' || !socket.writable || Boolean(answering)) return void socket.destroy();
  const isLate = thrown.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  refuseRaw(
    socket,
    isLate
      ? bridgeErrors.make('bridge_slow', 'the request did not arrive in time')
      : bridgeErrors.make('bridge_bad_request', 'this is no HTTP request, or its head is too long', {
          field: 'request',
        }),
  );
}
