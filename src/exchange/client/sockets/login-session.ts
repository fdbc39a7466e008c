/** The login token in memory (interface, "Authentication" 1). A private field, so nothing prints it. */
export interface LoginToken {
  readonly token: string;
  /** Unix ms, exchange time. */
  readonly expiresAt: number;
}

/** It could expire in flight. */
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

  token(): string | null {
    if (this.#current === null || this.#exchangeNow() + MARGIN_MS >= this.#current.expiresAt) return null;
    return this.#current.token;
  }
}
