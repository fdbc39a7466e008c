/** Consecutive journal rows in a compressed file. */
export interface Segment {
  readonly first: number;
  readonly last: number;
  /** Of the previous row. */
  readonly before: string;
  readonly hash: string;
}
