/** Signatures and second factors, written from the interface and RFC 6238 alone. */
import { createHmac } from 'node:crypto';

const TOTP_STEP_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export interface KeyPair {
  readonly publicKey: string;
  readonly secretKey: string;
}

export function hmac(secret: string, message: string): string {
  return createHmac('sha256', secret).update(message).digest('hex');
}

/** The code of a base32 secret at a time. */
export function totp(secret: string, ms: number): string {
  const bits = Array.from(secret, (character) => BASE32.indexOf(character).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / TOTP_STEP_MS)));
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const offset = (digest[19] ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
