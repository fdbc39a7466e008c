/** The secret is a KeyObject, so nothing can print it. */
import type { KeyObject } from 'node:crypto';
import { exchangeErrors } from '../errors.ts';
import { KEY_PATTERN, SECRET_PATTERN } from '../interface/limits.ts';
import { prepareSecret } from '../interface/signature.ts';

export interface Credentials {
  readonly publicKey: string;
  readonly secret: KeyObject;
}

/** Throws `bad_key`; the message never contains the key. */
export function createCredentials(publicKey: string, secretKey: string): Credentials {
  for (const [name, value, pattern, form] of [
    ['publicKey', publicKey, KEY_PATTERN, '64'],
    ['secretKey', secretKey, SECRET_PATTERN, '32 or more'],
  ] as const) {
    if (pattern.test(value)) continue;
    throw exchangeErrors.make(
      'bad_key',
      `${name} must be ${form} hexadecimal characters, got ${value.length} characters`,
    );
  }
  return Object.freeze({ publicKey, secret: prepareSecret(secretKey) });
}
