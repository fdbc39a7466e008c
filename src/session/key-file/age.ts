/** Without a whitelist a key lives 90 days (interface, "Key issuance rules" 5 and 6). */
import { limits } from '../../exchange/interface/limits.ts';

const DAY_MS = 24 * 3_600_000;
export const KEY_WARNING_FROM_DAY = 76;

export type KeyAge =
  | { readonly kind: 'endless' }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'fresh' | 'ageing' | 'expired';
      readonly days: number;
      /** Unix ms. */
      readonly expiresAt: number;
    };

export interface KeyDates {
  /** Unix ms. */
  readonly createdAt: number | null;
  readonly ipAddresses: readonly string[] | null;
}

export function keyAge({ createdAt, ipAddresses }: KeyDates, now: number): KeyAge {
  if (ipAddresses !== null && ipAddresses.length > 0) return { kind: 'endless' };
  if (createdAt === null || ipAddresses === null) return { kind: 'unknown' };
  const days = Math.floor((now - createdAt) / DAY_MS);
  const expiresAt = createdAt + limits.keyLifetimeWithoutWhitelistMs;
  if (now >= expiresAt) return { kind: 'expired', days, expiresAt };
  return { kind: days >= KEY_WARNING_FROM_DAY ? 'ageing' : 'fresh', days, expiresAt };
}

export function ageWarning(age: KeyAge): string | null {
  if (age.kind === 'expired') {
    return `the API key is ${age.days} days old and without whitelist: it expired at ${new Date(age.expiresAt).toISOString()}`;
  }
  if (age.kind !== 'ageing') return null;
  return `the API key is ${age.days} days old and without whitelist: it expires at ${new Date(age.expiresAt).toISOString()}, and the exchange will not warn`;
}
