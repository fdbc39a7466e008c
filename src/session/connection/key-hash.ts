/** Names a key without showing it. */
import { createHash } from 'node:crypto';

const HASH_CHARS = 32;

export function keyHash(publicKey: string): string {
  return createHash('sha256').update(`tidewire money\n${publicKey}`).digest('hex').slice(0, HASH_CHARS);
}
