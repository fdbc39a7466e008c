/**
 * Checks of a REST request, in order: headers, key format, timestamp format, key known, active, expired, window, IP,
 * signature, route, permission.
 */
import { createHmac } from 'node:crypto';
import type { Market } from '../model/market/instrument.ts';
import type { Endpoint } from '../exchange/interface/endpoints.ts';
import { KEY_PATTERN } from '../exchange/interface/limits.ts';
import type { AccessLevel } from '../exchange/interface/permissions.ts';
import { KEY_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER, sameSignature } from '../exchange/interface/signature.ts';
import { doubtKey, permits, type ApiKey } from './core/identity/keys.ts';
import type { Identity } from './core/identity/identity.ts';
import type { User } from './core/identity/users.ts';
import { errorReply, keyRefusalReply, type Reply } from './reply.ts';

/** `target`: path and query byte for byte. Header names are lower case. */
export interface SandboxRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly address: string;
  /** An injected fault: a cancel is answered as done, and nothing is cancelled. */
  readonly cancelsNothing?: boolean;
}

export interface Caller {
  readonly user: User;
  /** Null for a login token, which may do everything. */
  readonly key: ApiKey | null;
}

function header(request: SandboxRequest, name: string): string {
  return request.headers[name.toLowerCase()] ?? '';
}

/** Markets that the caller may see (`read_only`) or trade (`full`). */
export function marketsOf({ key }: Caller, level: AccessLevel): ReadonlySet<Market> {
  const markets = new Set<Market>();
  if (key === null || permits(key, ['trading_spot'], level)) markets.add('spot');
  if (key === null || permits(key, ['trading_futures'], level)) markets.add('derivative');
  return markets;
}

export function authenticate(
  identity: Identity,
  request: SandboxRequest,
  endpoint: Endpoint,
  now: number,
): Caller | Reply {
  const usesKey = [KEY_HEADER, TIMESTAMP_HEADER, SIGNATURE_HEADER].some((name) => header(request, name) !== '');
  if (usesKey) return byKey(identity, request, endpoint, now);
  const bearer = /^Bearer +(\S+)$/i.exec(header(request, 'authorization'));
  if (bearer === null) return errorReply(401, 'unauthorized', 'this endpoint needs a login or an API key');
  const user = identity.userOfToken(bearer[1] ?? '', now);
  if (user === 'expired') return errorReply(401, 'token_expired', 'the login token has expired');
  if (user === 'invalid') return errorReply(401, 'token_invalid', 'the login token is not valid');
  return { user, key: null };
}

function byKey(identity: Identity, request: SandboxRequest, { access }: Endpoint, now: number): Caller | Reply {
  const timestamp = header(request, TIMESTAMP_HEADER);
  const signature = header(request, SIGNATURE_HEADER);
  const publicKey = header(request, KEY_HEADER);
  if (timestamp === '' || signature === '') return keyRefusalReply('missing_headers');
  if (!KEY_PATTERN.test(publicKey)) return keyRefusalReply('invalid_key_format');
  if (!/^\d{1,16}$/.test(timestamp)) return keyRefusalReply('invalid_timestamp_format');
  const key = identity.keys.find(publicKey);
  const user = key === undefined ? undefined : identity.user(key.userId);
  const doubt = doubtKey(key, Number(timestamp), request.address, now);
  if (key === undefined || user === undefined || doubt !== undefined) return keyRefusalReply(doubt ?? 'key_not_found');
  if (!isSignedBy(key, request, timestamp, signature)) return keyRefusalReply('invalid_signature');
  if (access.kind === 'jwt-only') return keyRefusalReply('route_not_allowed');
  if (access.kind === 'permission' && !permits(key, access.anyOf, access.level)) {
    return keyRefusalReply('insufficient_permissions');
  }
  return { user, key };
}

/** GET signs the empty string, so a body is refused (interface, "Signature" 5). */
function isSignedBy(key: ApiKey, request: SandboxRequest, timestamp: string, signature: string): boolean {
  if (request.method === 'GET' && request.body.length > 0) return false;
  // Signed bytes, not text: "byte for byte as sent".
  const expected = createHmac('sha256', key.secret)
    .update(`${timestamp}\n${request.method}\n${request.target}\n`)
    .update(request.body)
    .digest('hex');
  return sameSignature(expected, signature.toLowerCase());
}
