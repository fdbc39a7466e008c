/** Users of the sandbox. The seed decides their keys, so a config file can hold them. */
import { createHmac } from 'node:crypto';
import type { AccountType } from '../../../model/trading/account.ts';
import type { NewApiKey } from '../../../exchange/wire/api-keys.ts';
import { permissionCategoryRows } from '../../../exchange/interface/permissions.ts';
import { base32Encode } from './totp.ts';
import type { NewKey } from './keys.ts';
import type { Trader } from '../orders/order-record.ts';

export interface User {
  readonly userId: string;
  readonly login: string;
  readonly username: string;
  readonly password: string;
  readonly auth2faSecret: string;
  readonly trader: Trader;
}

export interface UserCredentials {
  readonly login: string;
  readonly password: string;
  readonly auth2faSecret: string;
  readonly apiKey: NewApiKey;
}

export const userLogins = ['alice', 'bob'] as const;

export const startingMoney: readonly {
  readonly account: AccountType;
  readonly money: Readonly<Record<string, string>>;
}[] = [
  { account: 'unified-trading', money: { USDT: '1000000', BTC: '10', ETH: '100', RUB: '10000000' } },
  { account: 'funding', money: { USDT: '100000', BTC: '10', ETH: '100', RUB: '10000000' } },
  { account: 'p2p', money: { USDT: '10000', BTC: '1', ETH: '10', RUB: '1000000' } },
];

function derive(seed: number, name: string): Buffer {
  return createHmac('sha256', `tidewire-sandbox/${seed}`).update(name).digest();
}

export function tokenSecret(seed: number): string {
  return derive(seed, 'tokens').toString('hex');
}

export function userCredentials(seed: number, login: string): UserCredentials {
  return {
    login,
    password: derive(seed, `${login}/password`).toString('base64url').slice(0, 16),
    auth2faSecret: base32Encode(derive(seed, `${login}/2fa`).subarray(0, 20)),
    apiKey: {
      publicKey: derive(seed, `${login}/public`).toString('hex'),
      secretKey: derive(seed, `${login}/secret`).toString('hex'),
    },
  };
}

/** Initial key: all permissions, loopback only. */
export function fullKey(): NewKey {
  return {
    name: 'full',
    permissions: permissionCategoryRows.map(({ category }) => ({ category, accessLevel: 'full' as const })),
    ipAddresses: ['127.0.0.1', '::1'],
  };
}
