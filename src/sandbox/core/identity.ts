/**
 * Who a caller is: login with password and TOTP, tokens, and key management with a full login (interface, "API key",
 * "Key issuance rules"). The second factor is checked before the other fields of a key request.
 */
import type { Assumed } from './assumptions.ts';
import { ApiKeys, type ApiKey, type NewKey } from './keys.ts';
import type { Refusal } from './refusal.ts';
import { SecondFactor } from './second-factor.ts';
import { issueToken, readToken, type IssuedToken } from './tokens.ts';
import type { User } from './users.ts';

export type TokenCheck =
  | { readonly kind: 'user'; readonly user: User }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'expired' };

export interface IssuedKey {
  readonly publicKey: string;
  readonly secretKey: string;
}

export class Identity {
  readonly keys = new ApiKeys();
  readonly #users = new Map<string, User>();
  readonly #byLogin = new Map<string, User>();
  readonly #tokenSecret: string;
  readonly #terms: Assumed['login'];
  readonly #secondFactor: SecondFactor;

  constructor(tokenSecret: string, terms: Assumed['login']) {
    this.#tokenSecret = tokenSecret;
    this.#terms = terms;
    this.#secondFactor = new SecondFactor(terms);
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
  login(login: string, password: string, code: string, now: number): IssuedToken | Refusal | null {
    const user = this.#byLogin.get(login);
    if (user === undefined || user.password !== password) return null;
    const { tokenLifetimeMs } = this.#terms;
    return this.checkSecondFactor(user, code, now) ?? issueToken(this.#tokenSecret, user.userId, now, tokenLifetimeMs);
  }

  token(token: string, now: number): TokenCheck {
    const reading = readToken(this.#tokenSecret, token, now);
    if (reading.kind !== 'valid') return reading;
    const user = this.#users.get(reading.userId);
    return user === undefined ? { kind: 'invalid' } : { kind: 'user', user };
  }

  /** Undefined when the code is good; `now` in Unix ms. */
  checkSecondFactor(user: User, code: string, now: number): Refusal | undefined {
    return this.#secondFactor.check(user, code, now);
  }

  createKey(user: User, request: NewKey, pair: IssuedKey, now: number): ApiKey | Refusal {
    return this.keys.issue(user.userId, request, pair, now);
  }
}
