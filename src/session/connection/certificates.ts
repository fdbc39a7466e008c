/**
 * Whether the way to the exchange is safe: Node's check of certificates (C09) and encrypted addresses. Otherwise nothing
 * signed is sent, except by `panic`.
 */
import type { ExchangeOptions } from '../../exchange/options.ts';
import { sessionErrors } from '../errors.ts';
import { isLoopback } from './is-loopback.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const UNCERTIFIED = 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off';

export function isUncertified(env: Environment): boolean {
  return env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
}

type Addresses = Pick<ExchangeOptions, 'baseUrl' | 'gatewayUrl' | 'wsUrl'>;

/** An address beyond this machine that anybody on the way could read. */
export function unencrypted({ baseUrl, gatewayUrl, wsUrl }: Addresses): string | undefined {
  return [baseUrl, gatewayUrl, wsUrl].find((each) => /^(http|ws):/i.test(each) && !isLoopback(each));
}

/** Throws `live_uncertified`, `live_unencrypted`. */
export function requireCertificates(env: Environment, exchange: Addresses): void {
  if (isUncertified(env)) throw sessionErrors.make('live_uncertified', UNCERTIFIED);
  const url = unencrypted(exchange);
  if (url !== undefined) throw sessionErrors.make('live_unencrypted', `${url} is not encrypted`, { url });
}
