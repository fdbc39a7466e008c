/** Entries of risk: what it remembers, what its protections hold back, and positions that have an exit again. */

/** Highest equity, profit at day start, or first margin type. */
export interface RiskMarkEntry {
  readonly kind: 'risk-mark';
  readonly name: string;
  readonly value: string;
}

/** No new risk of the strategy until a time. Its orders of new risk are cancelled, and programs place theirs again. */
export interface WithheldEntry {
  readonly kind: 'withheld';
  readonly strategy: string;
  /** Null: all. */
  readonly symbol: string | null;
  readonly by: 'trading_hours' | 'cooldown';
  /** Unix ms; null: unknown. A past time ends it. */
  readonly until: number | null;
}

/** The position that an `alarm` named as without an exit has one, or is closed. */
export interface ProtectedEntry {
  readonly kind: 'protected';
  readonly strategy: string;
  readonly symbol: string;
}

export function bareKey({ strategy, symbol }: { readonly strategy: string; readonly symbol: string }): string {
  return `${strategy} ${symbol}`;
}

export function withheldKey(strategy: string, symbol: string | null): string {
  return symbol === null ? strategy : `${strategy}/${symbol}`;
}

export function isWithheld({ until }: WithheldEntry, now: number): boolean {
  return until === null || now < until;
}
