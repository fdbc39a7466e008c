/** Entries of risk: what it remembers, and what its protections hold back. */

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

export function withheldKey(strategy: string, symbol: string | null): string {
  return symbol === null ? strategy : `${strategy}/${symbol}`;
}

export function isWithheld({ until }: WithheldEntry, now: number): boolean {
  return until === null || now < until;
}
