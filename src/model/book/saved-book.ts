/** All that later events make of a book, without what was before; times and ids less those of a pass over the data. */
export interface TapeShift {
  readonly us: number;
  readonly ids: number;
}

export const NO_SHIFT: TapeShift = Object.freeze({ us: 0, ids: 0 });

export interface SavedLadder {
  /** Ticks and lots in turn, best first. */
  readonly bids: readonly number[];
  readonly asks: readonly number[];
  readonly times: readonly number[];
  readonly ids: readonly number[];
  readonly quote: readonly number[];
  readonly flags: readonly boolean[];
}

export interface SavedSync {
  readonly times: readonly number[];
  readonly ids: readonly number[];
  readonly flags: readonly boolean[];
  readonly restartUs: number;
}

export interface SavedBook {
  readonly ladder: SavedLadder;
  readonly sync: SavedSync;
  readonly flags: readonly boolean[];
}

/** 0 is none. */
export function less(values: readonly number[], shift: number): readonly number[] {
  return values.map((value) => (value === 0 ? 0 : value - shift));
}
