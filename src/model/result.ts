/** Results of polls and mutating calls. */
import type { OrderReport } from './order.ts';
import type { Denied } from './deny-reason.ts';

/** Absence follows from `complete` alone. `asOf`: request sent, local Unix ms; `code`: the exchange's refusal. */
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

/** `not-sent`: no byte left. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly order?: OrderReport; readonly canceled?: readonly string[] }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly field?: string }
  /** An intermediary answered. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly blocked?: true }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'denied'; readonly denied: Denied };

/** Never repeat an `unknown` one blindly. */
export type MoneyOutcome<T> =
  | { readonly kind: 'accepted'; readonly value: T }
  | Exclude<Outcome, { readonly kind: 'accepted' }>;
