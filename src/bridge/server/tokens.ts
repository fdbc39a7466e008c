/**
 * Who a caller is. One secret gives everything: the token of `operate`, that of `read`, and the key that signs cookies, so
 * that a cookie outlives a restart of the session.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { bridgeErrors } from '../errors.ts';
import type { Role } from './route.ts';

export const TOKEN_MIN = 32;
const COOKIE_MS = 30 * 86_400_000;
const ENDED_MAX = 1_000;

function derived(secret: string, use: string): string {
  return createHmac('sha256', secret).update(`tidewire ${use}`).digest('hex');
}

/** In a time that depends on neither. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

export class Tokens {
  readonly operate: string;
  readonly read: string;
  readonly #cookieKey: string;
  /** Signatures of cookies that were given back; the oldest go. */
  readonly #ended = new Set<string>();

  /** Throws `dashboard_token`. */
  constructor(secret: string) {
    if (secret.length < TOKEN_MIN)
      throw bridgeErrors.make('dashboard_token', `the token has ${secret.length} characters, ${TOKEN_MIN} are needed`);
    this.operate = secret;
    this.read = derived(secret, 'read');
    this.#cookieKey = derived(secret, 'cookie');
  }

  roleOf(token: string): Role | null {
    // Both are compared always.
    const [isOperate, isRead] = [isSame(token, this.operate), isSame(token, this.read)];
    return isOperate ? 'operate' : isRead ? 'read' : null;
  }

  cookie(role: Role, now: number): { readonly value: string; readonly maxAgeS: number } {
    const text = `${role}.${Math.round(now + COOKIE_MS)}`;
    return { value: `${text}.${this.#signed(text)}`, maxAgeS: COOKIE_MS / 1000 };
  }

  roleOfCookie(value: string, now: number): Role | null {
    const [role = '', until = '', signature = ''] = value.split('.');
    if (!isSame(signature, this.#signed(`${role}.${until}`)) || this.#ended.has(signature)) return null;
    if (Number(until) < now) return null;
    return role === 'operate' || role === 'read' ? role : null;
  }

  /** While this server runs, it is of no use any more. */
  end(cookie: string): void {
    this.#ended.add(cookie.split('.')[2] ?? '');
    const [oldest] = this.#ended;
    if (this.#ended.size > ENDED_MAX && oldest !== undefined) this.#ended.delete(oldest);
  }

  #signed(text: string): string {
    return createHmac('sha256', this.#cookieKey).update(text).digest('hex');
  }
}
