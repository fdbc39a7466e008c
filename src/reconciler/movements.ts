/**
 * External transfers, listed at a start and while a balance differs. Debits are booked once. A credit's row does not
 * name its account, so the balance must show it.
 */
import { cashFlowKey } from '../spine/external-keys.ts';
import type { AccountMovement } from '../model/account.ts';
import { dec, type Decimal, decimalText, ZERO } from '../model/money.ts';
import type { Reading } from '../model/result.ts';
import { TRADING_ACCOUNT } from '../spine/balances.ts';
import type { ReconcilerPort } from './port.ts';

/** ms before the last explained balance. */
const LOOK_BACK_MS = 120_000;
const INWARD: ReadonlySet<string> = new Set(['deposit', 'code_redeem', 'referral']);
/** P2P may be either: the balance decides. */
const OUTWARD: ReadonlySet<string> = new Set(['transfer', 'withdrawal', 'code_create', 'overdraft_repayment']);

export class Movements {
  readonly #port: ReconcilerPort;
  /** Unix ms of the oldest open difference; null: none. */
  #since: number | null = null;
  /** Unix ms. */
  #explainedAt = Number.POSITIVE_INFINITY;
  #isStarted = false;
  #wasRead = false;
  /** Currency → Unix ms of a take-over, which contains older rows. */
  readonly #takenOver = new Map<string, number>();
  #inward: readonly AccountMovement[] = [];

  constructor(port: ReconcilerPort) {
    this.#port = port;
  }

  /** Unix ms; null: not now. */
  get from(): number | null {
    const resumedFrom = this.#port.state.resumedFrom;
    const isStarted = this.#isStarted || resumedFrom === 0;
    // A settlement balance may differ unnoticed at a start.
    if (this.#since === null) return isStarted || this.#wasRead ? null : resumedFrom;
    const from = Math.min(this.#since, this.#explainedAt) - LOOK_BACK_MS;
    return isStarted ? from : Math.min(from, resumedFrom);
  }

  differs(isDifferent: boolean, asOf: number): void {
    if (isDifferent) {
      this.#since ??= asOf;
      return;
    }
    this.#since = null;
    this.#explainedAt = asOf;
    this.#isStarted = this.#wasRead;
  }

  tookOver(currency: string, asOf: number): void {
    this.#takenOver.set(currency, asOf);
  }

  /** Rows wait for unresolved own movements. */
  take(reading: Reading<AccountMovement> | undefined): void {
    const port = this.#port;
    if (reading === undefined) return;
    if (reading.kind !== 'complete')
      port.deps.logger.warn({ reason: reading.reason }, 'movements of money could not be read; tried again');
    if (reading.kind === 'failed' || !port.state.money.isTradingStill) return;
    if (reading.kind === 'complete') this.#wasRead = true;
    const others = reading.items.filter(({ id }) => !port.state.money.claimed().has(id));
    this.#inward = others.filter(({ type, account }) =>
      account === TRADING_ACCOUNT ? INWARD.has(type) : type === 'transfer',
    );
    for (const row of others) if (row.account === TRADING_ACCOUNT && OUTWARD.has(row.type)) this.#gone(row);
  }

  /** One transfer, or all since `since` (Unix ms), must match. */
  came(currency: string, amount: Decimal, tolerance: Decimal, since = Number.POSITIVE_INFINITY): boolean {
    const open = this.#inward.filter(
      (row) => row.currency === currency && !this.#port.state.isBooked(cashFlowKey(row.id)),
    );
    const isAll = (rows: readonly AccountMovement[]): boolean =>
      rows
        .reduce((total, row) => total.plus(row.amount), ZERO)
        .minus(amount)
        .abs()
        .lte(tolerance);
    const one = open.find((row) => isAll([row]));
    const rows = one === undefined ? open.filter(({ ts }) => ts >= since) : [one];
    if (!isAll(rows)) return false;
    for (const { id, amount: part, ts } of rows)
      this.#port.flow({ id, currency, amount: part, at: ts, cause: 'movement' });
    return true;
  }

  #gone({ id, currency, amount, ts }: AccountMovement): void {
    const port = this.#port;
    const bookedId = `movement/${id}`;
    if (dec(amount).isZero() || port.state.isBooked(bookedId)) return;
    if (ts <= (this.#takenOver.get(currency) ?? 0)) return;
    const openedAt = port.state.openedAt('balance', currency);
    // The opening balance contains it.
    if (openedAt !== undefined && ts < openedAt - port.deps.options.reconcile.historyLagMs / 2) return;
    const quantity = decimalText(dec(amount).neg());
    if (openedAt !== undefined)
      port.adjust({ id: bookedId, subject: 'balance', name: currency, quantity, cause: 'movement' });
    port.flow({ id, currency, amount: quantity, at: ts, cause: 'movement' });
  }
}
