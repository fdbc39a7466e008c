/** Remedies of refusals, one line per code. */
import type {
  BusinessRefusalCode,
  KeyRefusalCode,
  LoginRefusal,
  serviceRefusals,
  SubscribeRefusal,
} from './refusals.ts';

type ServiceRefusalCode = (typeof serviceRefusals)[number]['code'];
type RefusalCode = KeyRefusalCode | LoginRefusal | SubscribeRefusal | BusinessRefusalCode | ServiceRefusalCode;

export const refusalRemedies: Readonly<Record<RefusalCode, string>> = {
  missing_headers: 'send X-API-Key, X-API-Timestamp and X-API-Signature together',
  invalid_key_format: 'copy the public key again: 64 hexadecimal characters',
  invalid_timestamp_format: 'send Unix time in milliseconds, digits alone',
  key_not_found: 'check the public key, and on the WebSocket the IP whitelist; a deleted key does not come back',
  key_not_active: 'the key is blocked or deleted: create a new one',
  key_expired: 'create a new key; one with an IP whitelist does not expire',
  timestamp_expired: 'set the clock, or sign with the time of the server',
  ip_not_whitelisted: "call from a listed address, or create a key with this machine's",
  invalid_signature: 'go through the causes below; the secret is used as text, the body byte for byte',
  route_not_allowed: 'log in with password and 2FA: no API key has this right',
  insufficient_permissions: 'create a key with the category and level that the operation names',

  timestamp_out_of_range: 'set the clock, or sign with the time of the server',
  login_required: 'send `auth` and wait for its success first',
  unknown_channel: 'check symbol and name; names are case-sensitive',

  bad_request: 'correct the field that the answer names',
  insufficient_balance: 'free or transfer money to the account that the operation draws on',
  below_minimum: 'raise the amount to the minimum that is named',
  above_maximum: 'lower the amount to the maximum that is named',
  off_tick: 'round the price to the tick size of the instrument',
  off_lot: 'round the quantity to the lot size of the instrument',
  unknown_symbol: 'take a symbol of the instrument list',
  symbol_halted: 'wait until the instrument trades again',
  unknown_order: 'check the id; it may be an order that the key may not see',
  order_closed: 'nothing: it has ended; read it to see how',
  illegal_transition: 'read the state first; somebody or the clock has moved it on',
  limit_reached: 'end one of those that are open first',
  route_not_available: 'read the transfer routes; go by way of `funding`',
  price_out_of_bounds: 'price inside the price-bound rule of the pair',
  whitelist_required: 'give the key an IP whitelist',
  duplicate_client_order_id: 'the first order with this id counts; look it up before sending another',
  leverage_too_high: 'read the risk tiers: the leverage falls with the size of the position',
  reduce_only_violation: 'read the position: it is smaller, closed or on the other side',
  not_owner: 'check the id, and whose key is used',
  two_factor_invalid: 'take a fresh code; it depends on the clock of the device',
  too_many_keys: 'delete a key first',
  no_address: 'have one generated first',
  already_processing: 'nothing: it can be cancelled before processing alone',
  code_already_activated: 'nothing: a code is redeemed once',
  code_not_found: 'check the text of the code',

  unauthorized: 'send a login token or sign with an API key',
  token_invalid: 'log in again',
  token_expired: 'log in again: a token lives for a limited time',
  login_failed: 'check login and password',
  not_available: 'do without it, or use a service that offers it',
};
