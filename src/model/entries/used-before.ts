/** Rows at the begin of a live session: what its strategies have used up in earlier sessions of the account. */

export interface UsedTransfers {
  /** Of transfers that happened or may have. */
  readonly refs: readonly string[];
  /** UTC. */
  readonly day: string;
  /** Currency → amount of that day, canonical text. */
  readonly sums: Readonly<Record<string, string>>;
}

export interface UsedTrades {
  /** Days since 1970, UTC. */
  readonly day: number;
  /** Orders of new risk that traded on that day. */
  readonly entries: number;
  /** Symbol → Unix ms of the last close, and of the last one with a loss (0: none). */
  readonly closes: Readonly<Record<string, { readonly at: number; readonly lostAt: number }>>;
}

export interface UsedRefs {
  /** Text before the dash → greatest number that a generated ref had. */
  readonly given: Readonly<Record<string, number>>;
  /** Chosen ones: text before the dash → length of their run from 1. */
  readonly runs: Readonly<Record<string, number>>;
  /** Other chosen ones. */
  readonly others: readonly string[];
}

export interface UsedBeforeEntry {
  readonly kind: 'used-before';
  readonly strategy: string;
  /** Absent in older journals. */
  readonly orders?: UsedRefs;
  readonly transfers: UsedTransfers;
  readonly trades: UsedTrades;
}
