/**
 * Limits of the exchange (interface, "Limits") and of list operations (wire profile, "Conventions"). Pure data.
 */

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
  /** Assumed: page size of operations with a cursor. */
  pageLimitDefault: 100,
  pageLimitMax: 1000,
} as const;

/** Public and secret keys are this many hexadecimal characters. */
export const KEY_PATTERN = /^[0-9a-f]{64}$/i;
