/** Second factor: after too many wrong codes even the right one is refused for a while. */
import type { Assumed } from '../assumptions.ts';
import { refuse, type Refusal } from '../refusal.ts';
import { totpMatches } from './totp.ts';
import type { User } from './users.ts';

interface WrongCodes {
  readonly count: number;
  readonly lastAt: number;
}

export class SecondFactor {
  readonly #terms: Assumed['login'];
  /** By user id; removed by a right code. */
  readonly #wrong = new Map<string, WrongCodes>();

  constructor(terms: Assumed['login']) {
    this.#terms = terms;
  }

  /** Undefined when right. Unix ms. */
  check(user: User, code: string, now: number): Refusal | undefined {
    const { wrongCodesMax, wrongCodesPauseMs, totpStepsAround } = this.#terms;
    const { count, lastAt } = this.#wrong.get(user.userId) ?? { count: 0, lastAt: now };
    const leftMs = lastAt + wrongCodesPauseMs - now;
    if (count >= wrongCodesMax && leftMs > 0) {
      const message = `${count} wrong 2FA codes in a row: no code counts for another ${Math.ceil(leftMs / 1000)} s`;
      return { ...refuse('two_factor_invalid', message, 'auth2fa_code'), retryAfterMs: leftMs };
    }
    if (totpMatches(user.auth2faSecret, code, now, totpStepsAround)) {
      this.#wrong.delete(user.userId);
      return undefined;
    }
    this.#wrong.set(user.userId, { count: leftMs > 0 ? count + 1 : 1, lastAt: now });
    return refuse('two_factor_invalid', 'the 2FA code is wrong or old', 'auth2fa_code');
  }
}
