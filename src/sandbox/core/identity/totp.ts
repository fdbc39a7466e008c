/** TOTP (RFC 6238, SHA-1, 30 s, 6 digits) over base32 secrets (RFC 4648). Adjacent steps count; codes are reusable. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function base32Encode(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.match(/.{1,5}/g) ?? [];
  return digits.map((digit) => ALPHABET.charAt(Number.parseInt(digit.padEnd(5, '0'), 2))).join('');
}

/** Throws a `RangeError`. */
export function base32Decode(text: string): Buffer {
  const digits = Array.from(text.replace(/=+$/, '').toUpperCase(), (character) => {
    const value = ALPHABET.indexOf(character);
    if (value < 0) throw new RangeError(`not base32: ${character}`);
    return value.toString(2).padStart(5, '0');
  });
  const bytes = digits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** `around`: accepted steps before and after. */
export function totpMatches(secret: string, code: string, ms: number, around: number): boolean {
  if (!/^\d{6}$/.test(code)) return false;
  const key = base32Decode(secret);
  const step = Math.floor(ms / STEP_MS);
  const given = Buffer.from(code);
  const near = Array.from({ length: 2 * around + 1 }, (_, index) => step - around + index);
  return near.some((each) => timingSafeEqual(Buffer.from(codeOfStep(key, each)), given));
}

function codeOfStep(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.max(0, step)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 15;
  const truncated = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(truncated % 10 ** DIGITS).padStart(DIGITS, '0');
}
