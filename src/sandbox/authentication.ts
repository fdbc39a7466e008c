/**
 * Who calls, and may they: the checks of a REST request in the order of the wire profile ("Details that a client may
 * rely on"): headers, key format, timestamp format, key known, active, expired, window, IP, signature, route,
 * permission. Pure reads of the core.
 */
import { createHmac } from 'node:crypto';
import type { Market } from '../model/instrument.ts';
import type { Endpoint } from '../exchange/interface/endpoints.ts';
import { KEY_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER, sameSignature } from '../exchange/interface/signature.ts';
import { doubtKey, isKeyFormat, permits, type ApiKey } from './core/keys.ts';
import type { Identity } from './core/identity.ts';
import type { User } from './core/users.ts';
import { keyRefusalReply, unauthorizedReply, type Reply } from './reply.ts';

/** A request as it came: `target` is path and query byte for byte, `headers` have lower-case names. */
export interface SandboxRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly address: string;
}

export interface Caller {
  readonly user: User;
  /** Null for a login token, which may do everything. */
  readonly key: ApiKey | null;
}

export type Authentication =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'refused'; readonly reply: Reply };

function refused(reply: Reply): Authentication {
  return { kind: 'refused', reply };
}

function header(request: SandboxRequest, name: string): string {
  return request.headers[name.toLowerCase()] ?? '';
}

/** Markets whose orders the caller may see. */
export function visibleMarkets({ key }: Caller): ReadonlySet<Market> {
  const markets = new Set<Market>();
  if (key === null || permits(key, ['trading_spot'], 'read_only')) markets.add('spot');
  if (key === null || permits(key, ['trading_futures'], 'read_only')) markets.add('derivative');
  return markets;
}

/** Markets whose orders the caller may change. */
export function changeableMarkets({ key }: Caller): ReadonlySet<Market> {
  const markets = new Set<Market>();
  if (key === null || permits(key, ['trading_spot'], 'full')) markets.add('spot');
  if (key === null || permits(key, ['trading_futures'], 'full')) markets.add('derivative');
  return markets;
}

export function authenticate(
  identity: Identity,
  request: SandboxRequest,
  endpoint: Endpoint,
  now: number,
): Authentication {
  const usesKey = [KEY_HEADER, TIMESTAMP_HEADER, SIGNATURE_HEADER].some((name) => header(request, name) !== '');
  if (usesKey) return byKey(identity, request, endpoint, now);
  const bearer = /^Bearer +(\S+)$/i.exec(header(request, 'authorization'));
  if (bearer === null) return refused(unauthorizedReply('unauthorized', 'this endpoint needs a login or an API key'));
  const check = identity.token(bearer[1] ?? '', now);
  if (check.kind === 'user') return { kind: 'caller', caller: { user: check.user, key: null } };
  return refused(
    check.kind === 'expired'
      ? unauthorizedReply('token_expired', 'the login token has expired')
      : unauthorizedReply('token_invalid', 'the login token is not valid'),
  );
}

function byKey(identity: Identity, request: SandboxRequest, endpoint: Endpoint, now: number): Authentication {
  const timestamp = header(request, TIMESTAMP_HEADER);
  const signature = header(request, SIGNATURE_HEADER);
  const publicKey = header(request, KEY_HEADER);
  if (timestamp === '' || signature === '') return refused(keyRefusalReply('missing_headers'));
  if (!isKeyFormat(publicKey)) return refused(keyRefusalReply('invalid_key_format'));
  if (!/^\d{1,16}$/.test(timestamp)) return refused(keyRefusalReply('invalid_timestamp_format'));
  const key = identity.keys.find(publicKey);
  const doubt = doubtKey(key, Number(timestamp), request.address, now);
  if (key === undefined || doubt !== undefined) return refused(keyRefusalReply(doubt ?? 'key_not_found'));
  if (!isSignedBy(key, request, timestamp, signature)) return refused(keyRefusalReply('invalid_signature'));
  const { access } = endpoint;
  if (access.kind === 'jwt-only') return refused(keyRefusalReply('route_not_allowed'));
  if (access.kind === 'permission' && !permits(key, access.anyOf, access.level)) {
    return refused(keyRefusalReply('insufficient_permissions'));
  }
  const user = identity.user(key.userId);
  if (user === undefined) return refused(keyRefusalReply('key_not_found'));
  return { kind: 'caller', caller: { user, key } };
}

/** A body on a GET is never right: the interface signs the empty string there (interface, "Signature" 5). */
function isSignedBy(key: ApiKey, request: SandboxRequest, timestamp: string, signature: string): boolean {
  if (request.method === 'GET' && request.body.length > 0) return false;
  // Over the bytes of the body, not over a text made of them: "byte for byte as sent".
  const expected = createHmac('sha256', key.secret)
    .update(`${timestamp}\n${request.method}\n${request.target}\n`)
    .update(request.body)
    .digest('hex');
  return sameSignature(expected, signature.toLowerCase());
}
