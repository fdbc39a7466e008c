/** Checks a key's rights by harmless reads. */
import type { ApiKeyRow } from '../../exchange/wire/api-keys.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { CallResult } from '../../exchange/client/classify.ts';
import type { EndpointName } from '../../exchange/interface/endpoints.ts';
import { levelCovers, type PermissionCategory } from '../../exchange/interface/permissions.ts';
import { sessionErrors } from '../errors.ts';
import { ageWarning, keyAge } from '../key-file/age.ts';

interface Probe {
  readonly category: PermissionCategory;
  readonly endpoint: EndpointName;
}

const spot: Probe = { category: 'trading_spot', endpoint: 'activeOrders' };
const futures: Probe = { category: 'trading_futures', endpoint: 'positions' };
/** Unneeded for trading, and useful to a thief. */
const withdrawal: Probe = { category: 'crypto_processing', endpoint: 'withdrawalCurrencies' };

export interface KeyWish {
  readonly exchange: Exchange;
  readonly publicKey: string;
  readonly now: number;
  readonly futures: boolean;
}

/** Throws `live_key_permission`. */
export async function checkKey({ exchange, publicKey, now, futures: isFutures }: KeyWish): Promise<readonly string[]> {
  for (const { category, endpoint } of isFutures ? [spot, futures] : [spot]) {
    const answer = await read(exchange, endpoint);
    if (isRefused(answer))
      throw sessionErrors.make('live_key_permission', `the key has no ${category} permission`, { category });
  }
  const warnings: string[] = [];
  if ((await read(exchange, withdrawal.endpoint)).kind === 'ok')
    warnings.push('the key has crypto_processing permission; a trading key should not be able to withdraw');
  if (exchange.login.token() === null) return warnings;
  const keys = await exchange.money.identity.keys();
  const own = keys.kind === 'failed' ? undefined : keys.value.find((row) => row.publicKey === publicKey);
  return own === undefined ? warnings : [...warnings, ...keyWarnings(own, now, isFutures)];
}

export function keyWarnings(key: ApiKeyRow, now: number, isFutures: boolean): readonly string[] {
  const warnings: string[] = [];
  const held = (category: PermissionCategory): boolean =>
    key.permissions.some((row) => row.category === category && levelCovers(row.accessLevel, 'full'));
  for (const category of ['trading_spot', ...(isFutures ? ['trading_futures' as const] : [])] as const)
    if (!held(category)) warnings.push(`the key may not place orders: ${category} is not full`);
  for (const category of ['crypto_processing', 'fiat_processing', 'transfer', 'p2p'] as const)
    if (held(category)) warnings.push(`the key has full ${category} permission, which trading does not need`);
  if (key.ipAddresses.length === 0) warnings.push('the key has no IP whitelist: whoever has it can use it');
  const age = ageWarning(keyAge(key, now));
  return age === null ? warnings : [...warnings, age];
}

function read(exchange: Exchange, endpoint: EndpointName): Promise<CallResult> {
  return exchange.http.read({ endpoint, lane: 'reconcile' });
}

function isRefused(answer: CallResult): boolean {
  return answer.kind === 'refused' && answer.code === 'insufficient_permissions';
}
