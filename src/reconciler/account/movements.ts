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

/** ms before the last explained balance. */
const LOOK_BACK_MS = 120_000;
const INWARD: ReadonlySet<string> = new Set(['deposit', 'code_redeem', 'referral']);
/** A P2P row may have either direction, so the balance decides. */
const OUTWARD: ReadonlySet<string> = new Set(['transfer', 'withdrawal', 'code_create', 'overdraft_repayment']);

/** Notes of external transfers. */
export class MovementNotes {
  /** Unix ms of the oldest open difference; null: none. */
  since: number | null = null;
  /** Unix ms. */
  explainedAt = Number.POSITIVE_INFINITY;
  isStarted = false;
  wasRead = false;
  /** Currency → Unix ms of its adoption, which contains older rows. */
  readonly takenOver = new Map<string, number>();
  inward: readonly AccountMovement[] = [];
}

/** Unix ms; null: not now. */
export function movementsFrom({ resumedFrom }: StateView, notes: MovementNotes): number | null {
  const isStarted = notes.isStarted || resumedFrom === 0;
  // A settlement balance may differ unnoticed at a start.
  if (notes.since === null) return isStarted || notes.wasRead ? null : resumedFrom;
  const from = Math.min(notes.since, notes.explainedAt) - LOOK_BACK_MS;
  return isStarted ? from : Math.min(from, resumedFrom);
}

export function noteDifference(notes: MovementNotes, isDifferent: boolean, asOf: number): void {
  if (isDifferent) notes.since ??= asOf;
  else Object.assign(notes, { since: null, explainedAt: asOf, isStarted: notes.wasRead });
}

/** Rows wait for unresolved own movements. */
export function takeMovements(
  state: StateView,
  notes: MovementNotes,
  reading: Reading<AccountMovement> | undefined,
  historyLagMs: number,
): readonly AccountEffect[] {
  if (reading === undefined || reading.kind === 'failed' || !state.money.isTradingStill) return [];
  if (reading.kind === 'complete') notes.wasRead = true;
  const own = state.money.claimed();
  const others = reading.items.filter(({ id }) => !own.has(id));
  notes.inward = others.filter(({ type, account }) =>
    account === TRADING_ACCOUNT ? INWARD.has(type) : type === 'transfer',
  );
  const outward = others.filter(({ account, type }) => account === TRADING_ACCOUNT && OUTWARD.has(type));
  // A list may repeat a row.
  const once = new Map(outward.map((row) => [row.id, row])).values();
  return [...once].flatMap((row) => gone(state, notes, row, historyLagMs));
}

/** One transfer, or all since `since` (Unix ms), must match. Empty: none does. */
export function cameBy(
  state: StateView,
  { inward }: MovementNotes,
  currency: string,
  amount: Decimal,
  tolerance: Decimal,
  since = Number.POSITIVE_INFINITY,
): readonly AccountEffect[] {
  const open = inward.filter((row) => row.currency === currency && !state.isBooked(cashFlowKey(row.id)));
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

function gone(
  state: StateView,
  { takenOver }: MovementNotes,
  { id, currency, amount, ts }: AccountMovement,
  historyLagMs: number,
): readonly AccountEffect[] {
  const bookedId = `movement/${id}`;
  if (dec(amount).isZero() || state.isBooked(bookedId) || ts <= (takenOver.get(currency) ?? 0)) return [];
  const openedAt = state.openedAt('balance', currency);
  // The opening balance contains it.
  if (openedAt !== undefined && ts < openedAt - historyLagMs / 2) return [];
  const quantity = decimalText(dec(amount).neg());
  const adjustment = { id: bookedId, subject: 'balance', name: currency, quantity, cause: 'movement' } as const;
  const flow = { id, currency, amount: quantity, at: ts, cause: 'movement' } as const;
  return [...(openedAt === undefined ? [] : [{ kind: 'adjust', adjustment } as const]), { kind: 'flow', flow }];
}
