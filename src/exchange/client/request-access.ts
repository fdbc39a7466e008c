/** Who makes a request, and what is wrong where that one may not. Used by `http.ts`. */
import type { Endpoint } from '../interface/endpoints.ts';

/** Whether a request is signed with the key, carries the login token, or neither. */
export type Caller = 'nobody' | 'key' | 'login';

/** Refusals that mean that the key is no good, not that it may not do this one thing. */
export const keyStateCodes: ReadonlySet<string> = new Set([
  'invalid_key_format',
  'key_not_found',
  'key_not_active',
  'key_expired',
  'ip_not_whitelisted',
  'invalid_signature',
]);

/** Trading is done with a key alone: a process without one cannot send an order, whoever logs in. */
export function callerOf({ access, area }: Endpoint, hasKey: boolean): Caller {
  if (access.kind === 'public') return 'nobody';
  if (access.kind === 'jwt-only') return 'login';
  return hasKey || area === 'orders' || area === 'positions' ? 'key' : 'login';
}

export function needsAccess({ name, access }: Endpoint, by: Caller): string {
  if (access.kind === 'jwt-only') return `${name} is closed to API keys and there is no login`;
  return `${name} needs an API key${by === 'key' ? '' : ' or a login'} and there is none`;
}
