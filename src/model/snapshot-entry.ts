/** The state after rows 1 to `at`. */
export interface SnapshotEntry {
  readonly kind: 'snapshot';
  /** Other versions are ignored; the rows say the same. */
  readonly version: number;
  /** Later rows apply on top. */
  readonly at: number;
  /** Canonical JSON, zstd, base64. */
  readonly state: string;
  /** SHA-256 of the JSON, hex. */
  readonly check: string;
}
