/**
 * Permissions of API keys and account types (interface, "Permission levels", "Permission categories", "Account types").
 */
import type { AccountType } from '../../model/trading/account.ts';

export const accessLevels = ['none', 'read_only', 'full'] as const;
export type AccessLevel = (typeof accessLevels)[number];

// prettier-ignore
export const accessLevelRows = [
  { level: 'none', meaning: 'no access; default for every category' },
  { level: 'read_only', meaning: 'viewing only: balances, orders, history; no changes' },
  { level: 'full', meaning: 'viewing plus operations: create and cancel order, transfer, withdrawal' },
] as const satisfies readonly { readonly level: AccessLevel; readonly meaning: string }[];

export interface PermissionCategoryRow {
  readonly category: string;
  readonly covers: string;
  /** For levels above `none`. */
  readonly whitelistRequired: boolean;
}

export const permissionCategoryRows = [
  { category: 'trading_spot', covers: 'orders on spot pairs', whitelistRequired: false },
  { category: 'trading_futures', covers: 'orders and positions on futures', whitelistRequired: false },
  { category: 'transfer', covers: 'transfers between own accounts', whitelistRequired: false },
  { category: 'dictionary', covers: 'instruments, tickers, currency codes', whitelistRequired: false },
  { category: 'fiat_processing', covers: 'fiat deposit and withdrawal', whitelistRequired: true },
  { category: 'crypto_processing', covers: 'wallets, crypto deposit and withdrawal', whitelistRequired: true },
  { category: 'p2p', covers: 'P2P deals', whitelistRequired: true },
] as const satisfies readonly PermissionCategoryRow[];

export type PermissionCategory = (typeof permissionCategoryRows)[number]['category'];

export interface Permission {
  readonly category: PermissionCategory;
  readonly accessLevel: AccessLevel;
}

export function levelCovers(held: AccessLevel, needed: AccessLevel): boolean {
  return accessLevels.indexOf(held) >= accessLevels.indexOf(needed);
}

export const accountTypeRows = [
  { account: 'funding', meaning: 'deposit account' },
  { account: 'unified-trading', meaning: 'single trading account (spot and futures)' },
  { account: 'p2p', meaning: 'peer-to-peer account' },
  { account: 'referral-program', meaning: 'referral account' },
  { account: 'overdraft', meaning: 'overdraft account' },
] as const satisfies readonly { readonly account: AccountType; readonly meaning: string }[];

export const accountTypes: readonly AccountType[] = accountTypeRows.map((row) => row.account);
