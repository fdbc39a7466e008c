/** The state after rows 1 to `at`. */
export interface SnapshotEntry {
  readonly kind: 'snapshot';
  /** Other versions are ignored. */
  readonly version: number;
  readonly at: number;
  /** Canonical JSON, zstd, base64. */
  readonly state: string;
  /** SHA-256 of the JSON, hex. */
  readonly check: string;
}
