/**
 * The expected signatures were computed with openssl, independently of this code:
 *   printf '%b' '1700000000000\nGET\n/api/v1/auth/me\n' | openssl dgst -sha256 -hmac "$SECRET"
 */
import { createHmac, createSecretKey } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HmacPads } from '../../../src/exchange/interface/hmac-pads.ts';
import { prepareSecret, sameSignature, signRest, signSocketLogin } from '../../../src/exchange/interface/signature.ts';

const SECRET = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';
const PUBLIC = 'fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210';
const secret = prepareSecret(SECRET);

describe('REST signature', () => {
  it('signs a request without body', () => {
    expect(signRest(secret, '1700000000000', 'GET', '/api/v1/auth/me', '')).toBe(
      '1e0a667a8da4598092a49990cdd938e4acb4a36546a4595781310e324ea7d10f',
    );
  });

  it('signs the query as it stands in the URL and the body byte for byte', () => {
    const path = '/api/v2/exchange/client/order/spot?note=%C3%A4';
    const body = '{"symbol":"BTCUSDT","side":"buy","price":"60000.5","note":"ä"}';
    expect(signRest(secret, '1700000000123', 'POST', path, body)).toBe(
      '52835c0e8a5f10d775b5ae3a0a764b2e48d31740e66f1d096a0673f4f736011a',
    );
  });

  it('uses the secret as text: its decoded bytes would give another signature', () => {
    const decoded = prepareSecret(Buffer.from(SECRET, 'hex').toString('latin1'));
    expect(signRest(decoded, '1700000000000', 'GET', '/api/v1/auth/me', '')).not.toBe(
      '1e0a667a8da4598092a49990cdd938e4acb4a36546a4595781310e324ea7d10f',
    );
  });
});

describe('prepared pads', () => {
  const keys = fc.oneof(
    fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: 32, maxLength: 130 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 70 }),
  );

  it('sign as Node does, with any key and any text', () => {
    fc.assert(
      fc.property(keys, fc.string({ unit: 'binary', maxLength: 300 }), fc.string(), (key, body, other) => {
        const expected = (text: string): string => createHmac('sha256', key).update(text).digest('hex');
        const prepared = prepareSecret(key);
        for (const text of [body, other, body]) {
          expect(signRest(prepared, '1', 'POST', '/a', text)).toBe(expected(`1\nPOST\n/a\n${text}`));
          expect(signSocketLogin(prepared, text, 2)).toBe(expected(`2\n${text}`));
        }
      }),
    );
  });

  it('are for keys of ASCII text of a block at most, and do not show them', () => {
    const of = (key: string): HmacPads | null => HmacPads.of(createSecretKey(Buffer.from(key)));
    expect(of('a'.repeat(65))).toBeNull();
    expect(of('ä')).toBeNull();
    expect(of(SECRET)?.hex('')).toBe(createHmac('sha256', SECRET).digest('hex'));
    expect(inspect(of(SECRET), { depth: 10, showHidden: true })).toBe('HmacPads {}');
  });
});

describe('WebSocket login signature', () => {
  it('signs timestamp and public key', () => {
    expect(signSocketLogin(secret, PUBLIC, 1_700_000_000_000)).toBe(
      'd3fa31ec9b4662a6a0746c1a3d6f87bcc5bdff3de3ed20901f180e1cb25eefa3',
    );
  });
});

describe('secrets', () => {
  it('do not show when printed', () => {
    expect(inspect({ secret }, { depth: 10 })).not.toContain(SECRET);
    expect(JSON.stringify({ secret })).not.toContain(SECRET);
  });

  it('are compared whole', () => {
    expect(sameSignature('ab', 'ab')).toBe(true);
    expect(sameSignature('ab', 'ac')).toBe(false);
    expect(sameSignature('ab', 'abc')).toBe(false);
  });
});
