import { describe, expect, it } from 'vitest';
import { base32Decode, base32Encode, totpMatches } from '../../src/sandbox/core/identity/totp.ts';
import { issueToken, readToken } from '../../src/sandbox/core/identity/tokens.ts';
import { userCredentials } from '../../src/sandbox/core/identity/users.ts';
import { totp } from '../model-check/signing.ts';

describe('one-time passwords', () => {
  const secret = base32Encode(Buffer.from('12345678901234567890'));

  it('are those of RFC 6238, appendix B (last six digits)', () => {
    const vectors: readonly [number, string][] = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ];
    for (const [seconds, code] of vectors) expect(totpMatches(secret, code, seconds * 1000, 0)).toBe(true);
  });

  it('count in their step and the two beside it, repeatedly, and nowhere else', () => {
    const at = 1_700_000_010_000;
    const code = totp(secret, at);
    for (const steps of [-1, 0, 0, 1]) expect(totpMatches(secret, code, at + steps * 30_000, 1)).toBe(true);
    for (const steps of [-2, 2]) expect(totpMatches(secret, code, at + steps * 30_000, 1)).toBe(false);
    for (const wrong of ['', '12345', '1234567', 'abcdef']) expect(totpMatches(secret, wrong, at, 1)).toBe(false);
  });

  it('base32 comes back', () => {
    for (let length = 0; length < 12; length++) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 77) & 255));
      expect(base32Decode(base32Encode(bytes))).toEqual(bytes);
    }
  });
});

describe('login tokens', () => {
  it('hold until they expire and break when touched', () => {
    const { token } = issueToken('secret', 'u1', 1000, 3_600_000);
    expect(readToken('secret', token, 2000)).toEqual({ userId: 'u1' });
    expect(readToken('other', token, 2000)).toBe('invalid');
    expect(readToken('secret', `${token}x`, 2000)).toBe('invalid');
    expect(readToken('secret', 'a.b', 2000)).toBe('invalid');
    expect(readToken('secret', token, 1000 + 3_600_000)).toBe('expired');
  });

  it('hold to the very millisecond that is told, whenever they are issued', () => {
    for (const now of [1000, 1001, 1500, 1999]) {
      const { token, expiresAt } = issueToken('secret', 'u1', now, 60_000);
      expect(expiresAt).toBeGreaterThan(now + 59_000);
      expect(readToken('secret', token, expiresAt - 1)).toEqual({ userId: 'u1' });
      expect(readToken('secret', token, expiresAt)).toBe('expired');
    }
  });
});

describe('users', () => {
  it('follow from the seed and differ between seeds and logins', () => {
    expect(userCredentials(7, 'alice')).toEqual(userCredentials(7, 'alice'));
    const keys = [userCredentials(7, 'alice'), userCredentials(7, 'bob'), userCredentials(8, 'alice')].map(
      (user) => user.apiKey.publicKey,
    );
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  });
});
