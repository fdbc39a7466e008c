/**
 * Signatures of REST requests and WebSocket login (interface, "Signature", "WebSocket authentication").
 *
 *   REST       timestamp LF METHOD LF path-with-query LF body     body "" when none is sent
 *   WebSocket  timestamp LF publicKey
 *
 * The key is the secret's hex TEXT, never decoded to bytes.
 */
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { HttpMethod } from '../../model/ports.ts';
import { HmacPads } from './hmac-pads.ts';

export const KEY_HEADER = 'X-API-Key';
export const TIMESTAMP_HEADER = 'X-API-Timestamp';
export const SIGNATURE_HEADER = 'X-API-Signature';

/** Never prints itself. What signing derives from it is made once, and kept as long as it is. */
export function prepareSecret(secretKey: string): KeyObject {
  return createSecretKey(Buffer.from(secretKey, 'utf8'));
}

/** `path` begins with `/`, with the query as in the URL. */
export function restMessage(timestamp: string, method: HttpMethod, path: string, body: string): string {
  return `${timestamp}\n${method}\n${path}\n${body}`;
}

export function signRest(secret: KeyObject, timestamp: string, method: HttpMethod, path: string, body: string): string {
  return hmac(secret, restMessage(timestamp, method, path, body));
}

/** `timestampMs`: the integer in the `auth` message. */
export function signSocketLogin(secret: KeyObject, publicKey: string, timestampMs: number): string {
  return hmac(secret, `${timestampMs}\n${publicKey}`);
}

const pads = new WeakMap<KeyObject, HmacPads | null>();

function hmac(secret: KeyObject, message: string): string {
  let prepared = pads.get(secret);
  if (prepared === undefined) pads.set(secret, (prepared = HmacPads.of(secret)));
  return prepared?.hex(message) ?? createHmac('sha256', secret).update(message).digest('hex');
}

/** Constant time; false for different lengths. */
export function sameSignature(left: string, right: string): boolean {
  const a = Buffer.from(left, 'utf8');
  const b = Buffer.from(right, 'utf8');
  return a.length === b.length && timingSafeEqual(a, b);
}
