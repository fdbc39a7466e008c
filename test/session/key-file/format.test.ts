/** The key file: what opens it, what does not, and that every change of it is seen. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTidewireError } from '../../../src/model/errors.ts';
import {
  NONCE_BYTES,
  openKey,
  readKeyFacts,
  SALT_BYTES,
  sealKey,
  type KeyFacts,
} from '../../../src/session/key-file/format.ts';
import { hmac } from '../../conformance/raw-client.ts';

const SECRET = 'c0ffee'.padEnd(64, '0');
const PASSPHRASE = 'correct horse battery';
/** The lowest cost that a file may have: the strength is not what is tested. */
const COST = 2 ** 14;

const facts: KeyFacts = {
  publicKey: 'ab'.repeat(32),
  name: 'bot',
  account: 'alice',
  exchange: 'https://api.example.com',
  createdAt: 1_700_000_000_000,
  permissions: [{ category: 'trading_spot', accessLevel: 'full' }],
  ipAddresses: [],
};

const entropy = { salt: Buffer.alloc(SALT_BYTES, 1), nonce: Buffer.alloc(NONCE_BYTES, 2) };
const text = sealKey(facts, SECRET, PASSPHRASE, entropy, COST);

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (thrown) {
    if (isTidewireError(thrown)) {
      expect(thrown.message).not.toContain(SECRET);
      expect(thrown.message).not.toContain(PASSPHRASE);
      return thrown.code;
    }
    throw thrown;
  }
  return 'opened';
}

describe('a key file', () => {
  it('gives the key back for its passphrase, and its facts without', () => {
    const credentials = openKey(text, PASSPHRASE, 'k.json');
    expect(credentials.publicKey).toBe(facts.publicKey);
    // The secret cannot be read back from a key object; what it signs can be compared.
    expect(credentials.secret.export().toString()).toBe(SECRET);
    expect(hmac(SECRET, 'x')).toHaveLength(64);
    expect(readKeyFacts(text, 'k.json')).toEqual(facts);
  });

  it('holds neither the secret nor the passphrase in the clear', () => {
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 40));
    expect(text).not.toContain(PASSPHRASE);
  });

  it('takes the same passphrase in another Unicode form', () => {
    const composed = sealKey(facts, SECRET, 'pässwörd pässwörd'.normalize('NFC'), entropy, COST);
    expect(codeOf(() => openKey(composed, 'pässwörd pässwörd'.normalize('NFD'), 'k.json'))).toBe('opened');
  });

  it('tells a wrong passphrase from a damaged file', () => {
    expect(codeOf(() => openKey(text, 'correct horse batterz', 'k.json'))).toBe('key_file_passphrase');
    expect(codeOf(() => openKey(text.slice(0, -20), PASSPHRASE, 'k.json'))).toBe('key_file_damaged');
    expect(codeOf(() => openKey('', PASSPHRASE, 'k.json'))).toBe('key_file_damaged');
  });

  it.each([
    ['name', (file: { about: { name: string } }) => (file.about.name = 'other')],
    ['whitelist', (file: { about: { ipAddresses: string[] } }) => file.about.ipAddresses.push('10.0.0.1')],
    ['creation', (file: { about: { createdAt: number } }) => (file.about.createdAt += 1)],
    ['exchange', (file: { about: { exchange: string } }) => (file.about.exchange = 'https://evil.example')],
    ['public key', (file: { about: { publicKey: string } }) => (file.about.publicKey = 'cd'.repeat(32))],
    ['sealed part', (file: { sealed: string }) => (file.sealed = `A${file.sealed.slice(1)}`)],
    [
      'nonce',
      (file: { cipher: { nonce: string } }) => (file.cipher.nonce = Buffer.alloc(NONCE_BYTES, 3).toString('base64')),
    ],
    ['version', (file: { version: number }) => (file.version = 2)],
    ['unknown field', (file: { more?: number }) => (file.more = 1)],
  ])('sees a changed %s', (_, change) => {
    const file = JSON.parse(text) as Parameters<typeof change>[0];
    (change as (file: unknown) => unknown)(file);
    expect(codeOf(() => openKey(JSON.stringify(file), PASSPHRASE, 'k.json'))).toBe('key_file_damaged');
  });

  it.each([2 ** 10, 2 ** 21, 20_000, -1])('refuses a cost of %d before it spends it', (cost) => {
    const file = JSON.parse(text) as { kdf: { cost: number } };
    file.kdf.cost = cost;
    expect(codeOf(() => openKey(JSON.stringify(file), PASSPHRASE, 'k.json'))).toBe('key_file_damaged');
  });

  it('never opens as anything else when any one character is another', () => {
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom('a', 'Z', '9', '+', '{', '}', '"', ':', ' ', ',', '\n'),
        (at, character) => {
          const changed = text.slice(0, at) + character + text.slice(at + 1);
          fc.pre(changed !== text);
          const code = codeOf(() => {
            const opened = openKey(changed, PASSPHRASE, 'k.json');
            // Blanks between fields say nothing.
            expect(JSON.parse(changed)).toEqual(JSON.parse(text));
            expect(opened.publicKey).toBe(facts.publicKey);
          });
          expect(['opened', 'key_file_damaged', 'key_file_passphrase']).toContain(code);
        },
      ),
      { numRuns: 25 },
    );
  });
});
