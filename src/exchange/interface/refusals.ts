/**
 * Every known refusal. A mutating call counts as refused only with one of these; the sandbox sends the same.
 *
 * - `keyRefusals`: HTTP 401 with bare text (interface, "Errors"), in checking order.
 * - `loginRefusals`: WebSocket login codes, in checking order.
 * - `businessRefusals`: codes of `{code, message, field?}` bodies.
 * - `serviceRefusals`: the same form, about the login or an area not offered.
 *
 * The first two are documented, the others assumed.
 */
export interface KeyRefusal {
  readonly code: string;
  readonly text: string;
  readonly status: number;
  readonly condition: string;
}

// prettier-ignore
export const keyRefusals = [
  { code: 'missing_headers', text: 'missing X-API-Timestamp or X-API-Signature', status: 401, condition: 'one of the headers is absent' },
  { code: 'invalid_key_format', text: 'invalid API key format', status: 401, condition: 'publicKey is not 64 hex characters' },
  { code: 'invalid_timestamp_format', text: 'invalid timestamp format', status: 401, condition: '`X-API-Timestamp` is not a number' },
  { code: 'key_not_found', text: 'api key not found', status: 401, condition: 'key deleted or publicKey mistyped' },
  { code: 'key_not_active', text: 'api key is not active', status: 401, condition: 'key blocked or deleted' },
  { code: 'key_expired', text: 'api key expired', status: 401, condition: 'key without whitelist older than 90 days' },
  { code: 'timestamp_expired', text: 'timestamp expired', status: 401, condition: 'timestamp differs from server time by more than 30 seconds' },
  { code: 'ip_not_whitelisted', text: 'ip address not in whitelist', status: 401, condition: "request IP is not in the key's list" },
  { code: 'invalid_signature', text: 'invalid signature', status: 401, condition: 'signature does not match' },
  { code: 'route_not_allowed', text: 'route not allowed for API key access', status: 401, condition: 'endpoint is closed to API keys' },
  { code: 'insufficient_permissions', text: 'insufficient permissions for this route', status: 401, condition: 'level in the needed category is too low' },
] as const satisfies readonly KeyRefusal[];

export type KeyRefusalCode = (typeof keyRefusals)[number]['code'];

export const loginRefusals = [
  'invalid_key_format',
  'key_not_found',
  'key_expired',
  'timestamp_out_of_range',
  'invalid_signature',
] as const;
export type LoginRefusal = (typeof loginRefusals)[number];

/** Assumed. */
export const subscribeRefusals = ['insufficient_permissions', 'login_required', 'unknown_channel'] as const;
export type SubscribeRefusal = (typeof subscribeRefusals)[number];

export interface BusinessRefusal {
  readonly code: string;
  readonly status: 400 | 404 | 409 | 422;
  readonly meaning: string;
}

// prettier-ignore
export const businessRefusals = [
  { code: 'bad_request', status: 400, meaning: 'the request is malformed; `field` names what' },
  { code: 'insufficient_balance', status: 422, meaning: 'the free balance does not cover the request' },
  { code: 'below_minimum', status: 422, meaning: 'quantity, notional or amount below the minimum' },
  { code: 'above_maximum', status: 422, meaning: 'price, quantity or amount above the maximum' },
  { code: 'off_tick', status: 422, meaning: 'the price is not a multiple of the tick size' },
  { code: 'off_lot', status: 422, meaning: 'the quantity is not a multiple of the lot size' },
  { code: 'unknown_symbol', status: 404, meaning: 'no instrument has this symbol' },
  { code: 'symbol_halted', status: 422, meaning: 'the instrument is halted' },
  { code: 'unknown_order', status: 404, meaning: 'no order of this user has this id' },
  { code: 'order_closed', status: 409, meaning: 'the order is closed already' },
  { code: 'illegal_transition', status: 409, meaning: 'the state does not allow this step' },
  { code: 'limit_reached', status: 422, meaning: 'a count limit is reached' },
  { code: 'route_not_available', status: 422, meaning: 'no transfer route joins the two accounts' },
  { code: 'price_out_of_bounds', status: 422, meaning: 'the price is outside its band' },
  { code: 'whitelist_required', status: 422, meaning: 'the permission needs an IP whitelist' },
  { code: 'duplicate_client_order_id', status: 409, meaning: 'the client order id was used before' },
  { code: 'leverage_too_high', status: 422, meaning: 'the leverage exceeds the maximum of the risk tier' },
  { code: 'reduce_only_violation', status: 422, meaning: 'a reduce-only order would not reduce the position' },
  { code: 'not_owner', status: 422, meaning: 'the object belongs to another user' },
  { code: 'two_factor_invalid', status: 422, meaning: 'the 2FA code is wrong or old' },
  { code: 'too_many_keys', status: 422, meaning: 'ten keys are active already' },
  { code: 'no_address', status: 404, meaning: 'no deposit address was issued yet' },
  { code: 'already_processing', status: 409, meaning: 'the withdrawal is in processing and cannot be canceled' },
  { code: 'code_already_activated', status: 409, meaning: 'the code was redeemed before' },
  { code: 'code_not_found', status: 404, meaning: 'no such code' },
] as const satisfies readonly BusinessRefusal[];

export type BusinessRefusalCode = (typeof businessRefusals)[number]['code'];

export interface ServiceRefusal {
  readonly code: string;
  readonly status: 401 | 501;
  readonly meaning: string;
}

// prettier-ignore
export const serviceRefusals = [
  { code: 'unauthorized', status: 401, meaning: 'the request carries neither a login nor an API key' },
  { code: 'token_invalid', status: 401, meaning: 'the login token is not one of this service' },
  { code: 'token_expired', status: 401, meaning: 'the login token is over' },
  { code: 'login_failed', status: 401, meaning: 'login or password is wrong' },
  { code: 'not_available', status: 501, meaning: 'the service does not offer this operation' },
] as const satisfies readonly ServiceRefusal[];

/** Codes that never show a refusal of a mutating call. */
export const otherErrorCodes = {
  notFound: 'not_found',
  rateLimited: 'rate_limited',
  internal: 'internal_error',
} as const;

const keyRefusalByText: ReadonlyMap<string, KeyRefusal> = new Map(keyRefusals.map((row) => [row.text, row]));
const keyRefusalByCode: ReadonlyMap<string, KeyRefusal> = new Map(keyRefusals.map((row) => [row.code, row]));
const businessByCode: ReadonlyMap<string, BusinessRefusal> = new Map(businessRefusals.map((row) => [row.code, row]));

/** Exact text, trimmed. */
export function findKeyRefusal(text: string): KeyRefusal | undefined {
  return keyRefusalByText.get(text.trim());
}

export function keyRefusal(code: KeyRefusalCode): KeyRefusal {
  const row = keyRefusalByCode.get(code);
  if (row === undefined) throw new RangeError(`no key refusal ${code}`);
  return row;
}

export function findBusinessRefusal(code: string): BusinessRefusal | undefined {
  return businessByCode.get(code);
}

/** Code and status must agree: a 501 of an intermediary is no evidence. */
export function findServiceRefusal(code: string, status: number): ServiceRefusal | undefined {
  return serviceRefusals.find((row) => row.code === code && row.status === status);
}
