/** What a retention rule lets go: the oldest first, never what is needed. Pure. */
import type { Keep } from '../../model/keep.ts';

export interface Stored {
  readonly kind: 'session' | 'recording';
  readonly path: string;
  readonly bytes: number;
  /** Unix ms of its end or last write. */
  readonly at: number;
  /** Why it must stay; null: it may go. */
  readonly needed: string | null;
}

/** In the order in which they go. `now`: Unix ms. */
export function expired(all: readonly Stored[], keep: Keep | null, now: number): readonly Stored[] {
  if (keep === null) return [];
  const free = all.filter(({ needed }) => needed === null).toSorted((left, right) => left.at - right.at);
  if (keep.kind === 'age') return free.filter(({ at }) => now - at > keep.ms);
  let over = all.reduce((sum, { bytes }) => sum + bytes, 0) - keep.bytes;
  const gone: Stored[] = [];
  for (const stored of free) {
    if (over <= 0) break;
    gone.push(stored);
    over -= stored.bytes;
  }
  return gone;
}
