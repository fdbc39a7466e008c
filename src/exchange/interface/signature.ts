/**
 * Signatures of REST requests and of the WebSocket login (interface, "Signature", "WebSocket authentication"). Pure:
 * the caller brings the timestamp. The client signs with it at dispatch, the sandbox checks with it.
 *
 *   REST       timestamp LF METHOD LF path-with-query LF body     body "" when none is sent
 *   WebSocket  timestamp LF publicKey
 *
 * The key is the secret's hex TEXT as it is, never decoded to bytes.
 */
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { HttpMethod } from '../../model/ports.ts';

export const KEY_HEADER = 'X-API-Key';
export const TIMESTAMP_HEADER = 'X-API-Timestamp';
export const SIGNATURE_HEADER = 'X-API-Signature';

/** Prepared once: signing with a KeyObject costs half of signing with text (design/style.md). It never prints itself. */
export function prepareSecret(secretKey: string): KeyObject {
  return createSecretKey(Buffer.from(secretKey, 'utf8'));
}

/** The text that is signed. `path` begins with `/` and carries the query exactly as in the URL. */
export function restMessage(timestamp: string, method: HttpMethod, path: string, body: string): string {
  return `${timestamp}\n${method}\n${path}\n${body}`;
}

export function signRest(secret: KeyObject, timestamp: string, method: HttpMethod, path: string, body: string): string {
  return createHmac('sha256', secret)
    .update(restMessage(timestamp, method, path, body))
    .digest('hex');
}

/** `timestampMs` is the same integer that the `auth` message carries as a JSON number. */
export function signSocketLogin(secret: KeyObject, publicKey: string, timestampMs: number): string {
  return createHmac('sha256', secret).update(`${timestampMs}\n${publicKey}`).digest('hex');
}

/** Compares two hex signatures in constant time; false when their lengths differ. */
export function sameSignature(left: string, right: string): boolean {
  const a = Buffer.from(left, 'utf8');
  const b = Buffer.from(right, 'utf8');
  return a.length === b.length && timingSafeEqual(a, b);
}
