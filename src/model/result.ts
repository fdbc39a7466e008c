/**
 * What reading and writing can end in. A poll answers `complete`, `partial` or `failed` (wall 4: unreadable is not
 * empty); a mutating call ends `accepted`, `refused` or `unknown` (wall 2: three outcomes), or never left (`denied`).
 */
import type { OrderReport } from './order.ts';
import type { Denied } from './deny-reason.ts';

/**
 * Absence may be concluded from `complete` alone. `asOf` is the local Unix ms at which the request was sent; `code` is
 * there when the exchange refused the reading.
 */
export type Reading<T> =
  | { readonly kind: 'complete'; readonly asOf: number; readonly items: readonly T[] }
  | {
      readonly kind: 'partial';
      readonly asOf: number;
      readonly items: readonly T[];
      readonly reason: string;
      readonly code?: string;
    }
  | { readonly kind: 'failed'; readonly asOf: number; readonly reason: string; readonly code?: string };

/** How a mutating command ended. `not-sent` is the proof that no byte left (DNS, connect refused, still queued). */
export type Outcome =
  | { readonly kind: 'accepted'; readonly order?: OrderReport; readonly canceled?: readonly string[] }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly field?: string }
  /** `blocked`: not the exchange answered, but something before it that turns requests away. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly blocked?: true }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'denied'; readonly denied: Denied };

/**
 * How an operation ended that moves money without an order, with what the venue answered. The same outcomes as above,
 * and the same law: `unknown` is never repeated blindly, since it may have happened.
 */
export type MoneyOutcome<T> =
  | { readonly kind: 'accepted'; readonly value: T }
  | Exclude<Outcome, { readonly kind: 'accepted' }>;
