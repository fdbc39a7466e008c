/** Nothing that is known to be secret, or looks like it, leaves in a support bundle; the rest stays readable. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Hiding, secretsOf, spellingsOf } from '../../../src/operations/support/hiding.ts';

const secret = fc.string({ minLength: 6, maxLength: 40, unit: 'grapheme' }).filter((text) => text.trim().length >= 6);
const word = fc.string({ maxLength: 20 });

describe('what is given away', () => {
  it('holds no known secret in any spelling, wherever it stood (law)', () => {
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        word,
        word,
        fc.nat(20),
        (secrets, before, after, pick) => {
          const hiding = new Hiding(secrets, '');
          for (const one of secrets) {
            const spellings = spellingsOf(one);
            const spelling = spellings[pick % spellings.length] ?? one;
            const text = hiding.text(`${before}${spelling}${after}`);
            for (const other of secrets) for (const form of spellingsOf(other)) expect(text.includes(form)).toBe(false);
          }
        },
      ),
    );
  });

  it.each([
    ['a key', `key ${'ab12'.repeat(16)} here`, 'key *** here'],
    ['a login token', 'sent eyJhbGciOi.eyJzdWIiOiIx.c2ln today', 'sent *** today'],
    ['a header', 'authorization: Bearer abcdef.ghij-klm', 'authorization: ***'],
    [
      'a member',
      '{"password":"käfig","2fa_code":"123456","side":"buy"}',
      '{"password":"***","2fa_code":"***","side":"buy"}',
    ],
    ['the home folder', '/home/anna/bot/data', '~/bot/data'],
  ])('holds nothing that looks like %s', (_what, text, shown) => {
    expect(new Hiding([], '/home/anna').text(text)).toBe(shown);
  });

  it('keeps what is no secret as it was', () => {
    const text =
      '{"ref":"maker-12","orderId":"8f14e45f-ceea-467f-a8d9-0a1b2c3d4e5f","price":"60000.01","config":"0123456789abcdef","token":"auto"}';
    const hiding = new Hiding(['short'], '');
    expect(hiding.text(text)).toBe(text);
    expect(hiding.count).toBe(0);
  });

  it('takes the values of the environment for secrets whose names say so', () => {
    const env = {
      TIDEWIRE_API_SECRET: 'one-one',
      TELEGRAM_TOKEN: 'two-two',
      PATH: '/bin',
      TIDEWIRE_2FA_CODE: '123456',
    };
    expect(secretsOf(env)).toEqual(['one-one', 'two-two', '123456']);
  });
});
