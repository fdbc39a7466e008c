/** Results of polls and mutating calls. */
import type { OrderReport } from './trading/order.ts';
import type { Denied } from './trading/deny-reason.ts';

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

/** What it shows; nothing where it failed or was not asked for. */
export function itemsOf<T>(reading: Reading<T> | undefined): readonly T[] {
  return reading === undefined || reading.kind === 'failed' ? [] : reading.items;
}

/** Of two lists as one: the weaker result and the earlier time count. */
export function joined<T>(a: Reading<T>, b: Reading<T>): Reading<T> {
  const asOf = Math.min(a.asOf, b.asOf);
  const items = [...itemsOf(a), ...itemsOf(b)];
  if (a.kind === 'complete' && b.kind === 'complete') return { kind: 'complete', asOf, items };
  const reason = [a, b].flatMap((reading) => (reading.kind === 'complete' ? [] : [reading.reason])).join('; ');
  if (items.length === 0 && a.kind === 'failed' && b.kind === 'failed') return { kind: 'failed', asOf, reason };
  return { kind: 'partial', asOf, items, reason };
}

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
