/** API keys (interface, "Key issuance rules"), and key checks in the order of refusals. */
import type { KeyObject } from 'node:crypto';
import { limits } from '../../../exchange/interface/limits.ts';
import {
  levelCovers,
  permissionCategoryRows,
  type AccessLevel,
  type Permission,
  type PermissionCategory,
} from '../../../exchange/interface/permissions.ts';
import type { NewApiKey } from '../../../exchange/wire/api-keys.ts';
import { prepareSecret } from '../../../exchange/interface/signature.ts';
import { refuse, type Refusal } from '../refusal.ts';

export interface NewKey {
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Empty: no whitelist. */
  readonly ipAddresses: readonly string[];
}

export type KeyState = 'active' | 'blocked' | 'deleted';

export interface ApiKey extends NewKey {
  readonly publicKey: string;
  readonly userId: string;
  readonly secret: KeyObject;
  readonly createdAt: number;
  /** Null with a whitelist. */
  readonly expiresAt: number | null;
  state: KeyState;
}

export class ApiKeys {
  readonly #byPublicKey = new Map<string, ApiKey>();

  /** 64 hexadecimal characters each. */
  issue(userId: string, request: NewKey, pair: NewApiKey, now: number): ApiKey | Refusal {
    if (this.activeCount(userId, now) >= limits.activeKeysMax) {
      return refuse('too_many_keys', `${limits.activeKeysMax} keys are active already`);
    }
    const bare = request.ipAddresses.length === 0;
    const needy = request.permissions.find((permission) => bare && needsWhitelist(permission));
    if (needy !== undefined) {
      return refuse('whitelist_required', `${needy.category} above none needs an IP whitelist`, 'ipAddresses');
    }
    const key: ApiKey = {
      ...request,
      publicKey: pair.publicKey,
      userId,
      secret: prepareSecret(pair.secretKey),
      createdAt: now,
      expiresAt: bare ? now + limits.keyLifetimeWithoutWhitelistMs : null,
      state: 'active',
    };
    this.#byPublicKey.set(key.publicKey, key);
    return key;
  }

  find(publicKey: string): ApiKey | undefined {
    return this.#byPublicKey.get(publicKey.toLowerCase());
  }

  /** Undeleted, oldest first. */
  list(userId: string): ApiKey[] {
    return [...this.#byPublicKey.values()].filter((key) => key.userId === userId && key.state !== 'deleted');
  }

  activeCount(userId: string, now: number): number {
    return this.list(userId).filter((key) => key.state === 'active' && !isExpired(key, now)).length;
  }

  /** False without such a key. A deleted one answers `api key is not active`. */
  delete(userId: string, publicKey: string): boolean {
    const key = this.find(publicKey);
    if (key === undefined || key.userId !== userId || key.state === 'deleted') return false;
    key.state = 'deleted';
    return true;
  }

  setBlocked(publicKey: string, blocked: boolean): void {
    const key = this.find(publicKey);
    if (key !== undefined && key.state !== 'deleted') key.state = blocked ? 'blocked' : 'active';
  }
}

function needsWhitelist({ category, accessLevel }: Permission): boolean {
  if (accessLevel === 'none') return false;
  return permissionCategoryRows.some((row) => row.category === category && row.whitelistRequired);
}

export function isExpired(key: ApiKey, now: number): boolean {
  return key.expiresAt !== null && now >= key.expiresAt;
}

/** `::ffff:127.0.0.1` is 127.0.0.1. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}

export type KeyDoubt = 'key_not_found' | 'key_not_active' | 'key_expired' | 'timestamp_expired' | 'ip_not_whitelisted';

export function doubtKey(
  key: ApiKey | undefined,
  timestampMs: number,
  address: string,
  now: number,
): KeyDoubt | undefined {
  if (key === undefined) return 'key_not_found';
  if (key.state !== 'active') return 'key_not_active';
  if (isExpired(key, now)) return 'key_expired';
  if (Math.abs(now - timestampMs) > limits.timestampToleranceMs) return 'timestamp_expired';
  if (key.ipAddresses.length > 0 && !key.ipAddresses.map(plainAddress).includes(plainAddress(address))) {
    return 'ip_not_whitelisted';
  }
  return undefined;
}

export function permits(key: NewKey, anyOf: readonly PermissionCategory[], level: AccessLevel): boolean {
  return key.permissions.some(
    (permission) => anyOf.includes(permission.category) && levelCovers(permission.accessLevel, level),
  );
}
