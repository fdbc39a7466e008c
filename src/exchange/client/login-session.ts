/**
 * The login token in memory (interface, "Authentication" 1): `Authorization: Bearer` to the main host, for operations
 * closed to API keys, and for all without a key. A private field, so nothing prints it.
 */
export interface LoginToken {
  readonly token: string;
  /** Unix ms, exchange time. */
  readonly expiresAt: number;
}

/** Unused this long before its end: it could expire in flight. */
const MARGIN_MS = 5000;

export class LoginSession {
  readonly #exchangeNow: () => number;
  #current: LoginToken | null = null;

  constructor(exchangeNow: () => number) {
    this.#exchangeNow = exchangeNow;
  }

  set(token: LoginToken): void {
    this.#current = token;
  }

  clear(): void {
    this.#current = null;
  }

  /** Null without a valid login. */
  token(): string | null {
    if (this.#current === null || this.#exchangeNow() + MARGIN_MS >= this.#current.expiresAt) return null;
    return this.#current.token;
  }
}
