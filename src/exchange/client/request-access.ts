/** Who makes a request, and why it may not. */
import type { Endpoint } from '../interface/endpoints.ts';

export type Caller = 'nobody' | 'key' | 'login';

/** Invalid, rather than lacking permission. */
export const keyStateCodes: ReadonlySet<string> = new Set([
  'invalid_key_format',
  'key_not_found',
  'key_not_active',
  'key_expired',
  'ip_not_whitelisted',
  'invalid_signature',
]);

/** Trading needs a key, even with a login. */
export function callerOf({ access, area }: Endpoint, hasKey: boolean): Caller {
  if (access.kind === 'public') return 'nobody';
  if (access.kind === 'jwt-only') return 'login';
  return hasKey || area === 'orders' || area === 'positions' ? 'key' : 'login';
}

export function needsAccess({ name, access }: Endpoint, by: Caller): string {
  if (access.kind === 'jwt-only') return `${name} is closed to API keys and there is no login`;
  return `${name} needs an API key${by === 'key' ? '' : ' or a login'} and there is none`;
}
