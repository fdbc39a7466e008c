/**
 * The login token in memory (interface, "Authentication" 1): sent as `Authorization: Bearer` to the main host for what
 * is closed to API keys, and for everything when there is no key. The token is in a private field, so that nothing
 * prints it. `http.ts` asks for it just before sending; the login operation, or whoever got a token elsewhere, sets it.
 */
export interface LoginToken {
  readonly token: string;
  /** Unix ms, exchange time. */
  readonly expiresAt: number;
}

/** A token that ends within this time is not used any more: it could end under way. */
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

  /** Null without a login, or when it is over. */
  token(): string | null {
    if (this.#current === null || this.#exchangeNow() + MARGIN_MS >= this.#current.expiresAt) return null;
    return this.#current.token;
  }
}
