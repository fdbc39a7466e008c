/**
 * Rules of keys and signatures, word for word (interface, "Key issuance rules", "Request headers", "Signature", "Causes
 * of `invalid signature`"). A conformance test shows each `id`.
 */
export interface RuleRow {
  readonly id: string;
  readonly rule: string;
}

// prettier-ignore
export const keyIssuanceRules = [
  { id: 'ten-keys', rule: 'Up to 10 active keys at a time.' },
  { id: 'full-login', rule: 'Creating or deleting a key requires a full login (password and 2FA, or JWT plus 2FA code in the REST call). An API key never has this right, whatever its permissions.' },
  { id: 'second-factor', rule: 'Creation is confirmed with a 2FA code.' },
  { id: 'whitelisted-categories', rule: '`fiat_processing`, `crypto_processing`, `p2p` may be set above `none` only if the key has an IP whitelist.' },
  { id: 'bare-key', rule: 'A key without whitelist: valid 90 days from creation, accepted from any IP, trading, transfers and dictionaries allowed, deposits, withdrawals and P2P unavailable.' },
  { id: 'whitelisted-key', rule: 'A key with whitelist: no expiry, accepted only from listed IPs, all permission levels allowed.' },
  { id: 'deleted-at-once', rule: 'A deleted key stops working immediately.' },
] as const satisfies readonly RuleRow[];

// prettier-ignore
export const signatureRules = [
  { id: 'message', rule: 'message = timestamp, newline, METHOD, newline, path, newline, body. The separator is the single character LF (0x0A), never CR LF.' },
  { id: 'timestamp', rule: 'timestamp is the same string as in `X-API-Timestamp`.' },
  { id: 'method', rule: 'METHOD is upper case: GET, POST, PATCH, DELETE, PUT.' },
  { id: 'path', rule: 'path includes the query string exactly as in the URL.' },
  { id: 'body', rule: 'body is the request body byte for byte as sent; for requests without body it is the empty string and no body is sent.' },
  { id: 'key', rule: 'signature = hex(HMAC-SHA256(key = secretKey used as the hex string as is, not decoded to bytes, data = message)).' },
  { id: 'window', rule: 'The request is accepted when its timestamp differs from server time by at most 30 seconds.' },
] as const satisfies readonly RuleRow[];

/** The last is refused as `timestamp expired`, which is checked before the signature. */
// prettier-ignore
export const invalidSignatureCauses = [
  { id: 'lower-case-method', rule: 'lower-case method' },
  { id: 'path', rule: 'path in signature differs from URL' },
  { id: 'body', rule: 'body differs from what is sent (double serialization changes field order)' },
  { id: 'body-on-get', rule: 'body sent on a GET' },
  { id: 'separator', rule: 'wrong separator' },
  { id: 'decoded-secret', rule: 'secretKey decoded instead of used as hex text' },
  { id: 'timestamp', rule: 'timestamp differing between header and signature' },
  { id: 'clock', rule: 'client clock off by over 30 seconds' },
] as const satisfies readonly RuleRow[];

// prettier-ignore
export const signedHeaders = [
  { header: 'X-API-Key', value: 'publicKey (64 hex characters)' },
  { header: 'X-API-Timestamp', value: 'current Unix time in milliseconds, as a string' },
  { header: 'X-API-Signature', value: 'hex HMAC-SHA256 signature (64 characters)' },
] as const;
