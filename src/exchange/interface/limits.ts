/** Limits of the exchange (interface, "Limits") and of lists: numbers in `limits`, documentation in `limitRows`. */
import type { Provenance } from './endpoint-row.ts';

export const limits = {
  activeKeysMax: 10,
  keyLifetimeWithoutWhitelistMs: 90 * 24 * 3_600_000,
  timestampToleranceMs: 30_000,
  pingIntervalMsMin: 20_000,
  pingIntervalMsMax: 25_000,
  idleCloseMs: 30_000,
  activeAdvertisementsMax: 3,
  activeP2pTradesMax: 5,
  p2pConfirmMs: 10 * 60_000,
  /** Assumed, with a cursor. */
  pageLimitDefault: 100,
  pageLimitMax: 1000,
} as const;

export interface LimitRow {
  readonly limit: string;
  readonly value: string;
  readonly appliesTo: string;
  readonly provenance: Provenance;
  readonly names: readonly (keyof typeof limits)[];
}

// prettier-ignore
export const limitRows = [
  { limit: 'active API keys per user', value: '10', appliesTo: 'key issuance', provenance: 'documented', names: ['activeKeysMax'] },
  { limit: 'lifetime of key without whitelist', value: '90 days', appliesTo: 'API key', provenance: 'documented', names: ['keyLifetimeWithoutWhitelistMs'] },
  { limit: 'timestamp tolerance', value: '30 seconds', appliesTo: 'REST signing and WebSocket login', provenance: 'documented', names: ['timestampToleranceMs'] },
  { limit: 'WebSocket ping interval', value: 'every 20 to 25 seconds', appliesTo: 'exchange WebSocket', provenance: 'documented', names: ['pingIntervalMsMin', 'pingIntervalMsMax'] },
  { limit: 'WebSocket idle close', value: 'about 30 seconds without client messages', appliesTo: 'exchange WebSocket', provenance: 'documented', names: ['idleCloseMs'] },
  { limit: 'active P2P advertisements', value: 'up to 3 per type (buy or sell) per trading pair', appliesTo: 'P2P advertisements', provenance: 'documented', names: ['activeAdvertisementsMax'] },
  { limit: 'simultaneous active P2P trades', value: 'at most 5 per trading pair', appliesTo: 'P2P trades', provenance: 'documented', names: ['activeP2pTradesMax'] },
  { limit: 'time for maker to confirm trade start', value: '10 minutes, then automatic cancel', appliesTo: 'P2P trade', provenance: 'documented', names: ['p2pConfirmMs'] },
  { limit: 'page size', value: 'default 100, at most 1000', appliesTo: 'operations with a cursor', provenance: 'assumed', names: ['pageLimitDefault', 'pageLimitMax'] },
] as const satisfies readonly LimitRow[];

/** Hexadecimal characters. */
export const KEY_PATTERN = /^[0-9a-f]{64}$/i;
/** Hexadecimal of undocumented length; shorter means an incomplete copy. */
export const SECRET_PATTERN = /^[0-9a-f]{32,}$/i;
