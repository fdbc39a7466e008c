/** Events of a tape by kind. */
/** Level rows, trades, best quotes, candles. */
export interface TapeCounts {
  readonly total: number;
  /** Including snapshots. */
  readonly depth: number;
  readonly trades: number;
  readonly quotes: number;
  readonly candles: number;
}
