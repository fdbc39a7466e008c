/**
 * External transfers, listed at a start and while a balance differs. Debits are booked once. A credit row does not name
 * its account, so the balance must show it.
 */
import { cashFlowKey } from '../../spine/external-keys.ts';
import type { AccountMovement } from '../../model/trading/account.ts';
import { dec, type Decimal, decimalText, ZERO } from '../../model/numbers/money.ts';
import type { Reading } from '../../model/result.ts';
import { TRADING_ACCOUNT } from '../../spine/balances.ts';
import type { StateView } from '../../spine/trading-state.ts';
import type { AccountEffect } from '../finding.ts';
import type { Account, AccountNotes, MovementNotes } from './account-notes.ts';
import type { Totals } from './account-rows.ts';

/** ms before the last explained balance. */
const LOOK_BACK_MS = 120_000;
const INWARD: ReadonlySet<string> = new Set(['deposit', 'code_redeem', 'referral']);
/** A P2P row may have either direction, so the balance decides. */
const OUTWARD: ReadonlySet<string> = new Set(['transfer', 'withdrawal', 'code_create', 'overdraft_repayment']);

type Compared = Pick<Account, 'lagMs' | 'state' | 'tolerance'> & { readonly notes: Pick<AccountNotes, 'movements'> };

/** Unix ms; null: not now. */
export function movementsFrom({ resumedFrom }: StateView, notes: MovementNotes): number | null {
  const isStarted = notes.isStarted || resumedFrom === 0;
  // A settlement balance may differ unnoticed at a start.
  if (notes.since === null) return isStarted || notes.wasRead ? null : resumedFrom;
  const from = Math.min(notes.since, notes.explainedAt) - LOOK_BACK_MS;
  return isStarted ? from : Math.min(from, resumedFrom);
}

export function noteDifference(notes: MovementNotes, isDifferent: boolean, asOf: number): void {
  notes.firstAt ??= asOf;
  if (isDifferent) notes.since ??= asOf;
  else Object.assign(notes, { since: null, explainedAt: asOf, isStarted: notes.wasRead });
}

/** Rows wait for unresolved own movements. `totals`: balances read with them; null: not comparable now. */
export function takeMovements(
  { state, tolerance, lagMs, notes: { movements: notes } }: Compared,
  reading: Reading<AccountMovement> | undefined,
  totals: Totals | null,
  ownIn: (rows: readonly AccountMovement[]) => ReadonlySet<string>,
): readonly AccountEffect[] {
  if (reading === undefined || reading.kind === 'failed' || !state.money.isTradingStill) return [];
  if (reading.kind === 'complete') notes.wasRead = true;
  const own = ownIn(reading.items);
  const others = reading.items.filter(({ id }) => !own.has(id));
  notes.inward = others.filter(({ type, account }) =>
    account === TRADING_ACCOUNT ? INWARD.has(type) : type === 'transfer',
  );
  const outward = others.filter(({ account, type }) => account === TRADING_ACCOUNT && OUTWARD.has(type));
  // A list may repeat a row.
  const once = new Map(outward.map((row) => [row.id, row])).values();
  const shown = new Map([...(totals ?? [])].map(([name, total]) => [name, total.minus(state.explainedBalance(name))]));
  return [...once]
    .toSorted((left, right) => right.ts - left.ts)
    .flatMap((row) => {
      if (isBooked(state, notes, row)) return [];
      const since = containedUntil(state, notes, row.currency);
      const left = (shown.get(row.currency) ?? ZERO).plus(row.amount);
      // One shortly before the opening is contained in it, unless the balance lacks it.
      if (row.ts < since - lagMs / 2 || (row.ts < since && left.gt(tolerance))) return [];
      shown.set(row.currency, left);
      return gone(state, row);
    });
}

/** What was moved before is in the opening; without one, in what the account held when the session began. */
function containedUntil(state: StateView, { firstAt }: MovementNotes, currency: string): number {
  const { bornAt } = state;
  return state.openedAt('balance', currency) ?? (bornAt === 0 ? (firstAt ?? 0) : bornAt);
}

function isBooked(
  state: StateView,
  { takenOver }: MovementNotes,
  { id, currency, amount, ts }: AccountMovement,
): boolean {
  return dec(amount).isZero() || state.isBooked(`movement/${id}`) || ts <= (takenOver.get(currency) ?? 0);
}

/** One transfer, or all since `since` (Unix ms), must match. Empty: none does. */
export function cameBy(
  { state, tolerance, lagMs, notes: { movements } }: Compared,
  currency: string,
  amount: Decimal,
  since = Number.POSITIVE_INFINITY,
): readonly AccountEffect[] {
  const from = containedUntil(state, movements, currency) - lagMs / 2;
  const open = movements.inward.filter(
    (row) => row.currency === currency && row.ts >= from && !state.isBooked(cashFlowKey(row.id)),
  );
  const isAll = (rows: readonly AccountMovement[]): boolean =>
    rows
      .reduce((total, row) => total.plus(row.amount), ZERO)
      .minus(amount)
      .abs()
      .lte(tolerance);
  const one = open.find((row) => isAll([row]));
  const rows = one === undefined ? open.filter(({ ts }) => ts >= since) : [one];
  if (!isAll(rows)) return [];
  return rows.map(({ id, amount: part, ts }) => ({
    kind: 'flow',
    flow: { id, currency, amount: part, at: ts, cause: 'movement' },
  }));
}

function gone(state: StateView, { id, currency, amount, ts }: AccountMovement): readonly AccountEffect[] {
  const openedAt = state.openedAt('balance', currency);
  const quantity = decimalText(dec(amount).neg());
  const adjustment = { id: `movement/${id}`, subject: 'balance', name: currency, quantity, cause: 'movement' } as const;
  const flow = { id, currency, amount: quantity, at: ts, cause: 'movement' } as const;
  return [...(openedAt === undefined ? [] : [{ kind: 'adjust', adjustment } as const]), { kind: 'flow', flow }];
}
