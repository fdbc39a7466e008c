/** Logins, tokens and keys (interface, "API key", "Key issuance rules"). The second factor is checked first. */
import type { LoginAnswer } from '../../../exchange/wire/api-keys.ts';
import type { Assumed } from '../assumptions.ts';
import { ApiKeys } from './keys.ts';
import type { Refusal } from '../refusal.ts';
import { SecondFactor } from './second-factor.ts';
import { issueToken, readToken } from './tokens.ts';
import type { User } from './users.ts';

export class Identity {
  readonly keys = new ApiKeys();
  readonly secondFactor: SecondFactor;
  readonly #users = new Map<string, User>();
  readonly #byLogin = new Map<string, User>();
  readonly #tokenSecret: string;
  readonly #terms: Assumed['login'];

  constructor(tokenSecret: string, terms: Assumed['login']) {
    this.#tokenSecret = tokenSecret;
    this.#terms = terms;
    this.secondFactor = new SecondFactor(terms);
  }

  add(user: User): void {
    this.#users.set(user.userId, user);
    this.#byLogin.set(user.login, user);
  }

  user(userId: string): User | undefined {
    return this.#users.get(userId);
  }

  userByLogin(login: string): User | undefined {
    return this.#byLogin.get(login);
  }

  /** Null for a wrong login or password. */
  login(login: string, password: string, code: string, now: number): LoginAnswer | Refusal | null {
    const user = this.#byLogin.get(login);
    if (user === undefined || user.password !== password) return null;
    const { tokenLifetimeMs } = this.#terms;
    return this.secondFactor.check(user, code, now) ?? issueToken(this.#tokenSecret, user.userId, now, tokenLifetimeMs);
  }

  userOfToken(token: string, now: number): User | 'invalid' | 'expired' {
    const reading = readToken(this.#tokenSecret, token, now);
    return typeof reading === 'string' ? reading : (this.#users.get(reading.userId) ?? 'invalid');
  }
}
