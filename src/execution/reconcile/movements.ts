/**
 * Money that somebody moves out of the trading account or into it beside us, such as a withdrawal by hand: no profit, no
 * loss, and no unexplained difference. The list of movements is asked for at a start and while a balance differs. What it
 * shows as debited from the trading account is booked, once, exactly and at once. That money came in (a deposit, a code, a
 * transfer, whose row does not say where it went) shows in the balance alone. At a start the list is read from where the
 * journal ended, however long that is ago, so that what was moved meanwhile has its name. Used by the reconciler.
 */
import type { AccountMovement } from '../../model/account.ts';
import { dec, type Decimal, decimalText, ZERO } from '../../model/money.ts';
import type { Reading } from '../../model/result.ts';
import { TRADING_ACCOUNT } from '../balances.ts';
import type { ReconcilerPort } from './port.ts';

/** How long before the balances were last explained the movement may have been made, by the clock of the exchange. */
const LOOK_BACK_MS = 120_000;
/** Types of rows of the trading account by which money came in. */
const INWARD: ReadonlySet<string> = new Set(['deposit', 'code_redeem', 'referral']);
/** And by which it went out. One of P2P may be either: the balance says. */
const OUTWARD: ReadonlySet<string> = new Set(['transfer', 'withdrawal', 'code_create', 'overdraft_repayment']);

export class Movements {
  readonly #port: ReconcilerPort;
  /** Unix ms at which the oldest open difference was first seen; null while everything is explained. */
  #since: number | null = null;
  /** Unix ms as of which everything was last explained: since then the balances may not have been read for long (seed 117215). */
  #explainedAt = Number.POSITIVE_INFINITY;
  /** Whether nothing has differed yet, or what did when this started has been explained since. */
  #isStarted = false;
  /** Whether the list was read whole since this started. */
  #wasRead = false;
  /** Currency → up to when (Unix ms) what moved it was taken over as one difference: no row of before is booked beside it. */
  readonly #takenOver = new Map<string, number>();
  /** Rows of the last reading whose money may have come to the trading account. */
  #inward: readonly AccountMovement[] = [];

  constructor(port: ReconcilerPort) {
    this.#port = port;
  }

  /** From when on the list is to be read; null: not now. */
  get from(): number | null {
    const resumedFrom = this.#port.lastTs();
    const isStarted = this.#isStarted || resumedFrom === 0;
    // Where perpetuals settle no balance is known to differ at a start.
    if (this.#since === null) return isStarted || this.#wasRead ? null : resumedFrom;
    const from = Math.min(this.#since, this.#explainedAt) - LOOK_BACK_MS;
    return isStarted ? from : Math.min(from, resumedFrom);
  }

  /** Whether a balance differs, as of a complete reading. */
  differs(isDifferent: boolean, asOf: number): void {
    if (isDifferent) {
      this.#since ??= asOf;
      return;
    }
    this.#since = null;
    this.#explainedAt = asOf;
    this.#isStarted = this.#wasRead;
  }

  /** A difference was taken over that no row explained, as of a reading of the balances. */
  tookOver(currency: string, asOf: number): void {
    this.#takenOver.set(currency, asOf);
  }

  /**
   * A movement of our own that is unresolved may be one of these rows: then they wait. For no order, which may itself wait until
   * every difference is explained.
   */
  take(reading: Reading<AccountMovement> | undefined): void {
    const port = this.#port;
    if (reading === undefined) return;
    if (reading.kind !== 'complete')
      port.deps.logger.warn({ reason: reading.reason }, 'movements of money could not be read; tried again');
    if (reading.kind === 'failed' || !port.isMoneyStill()) return;
    if (reading.kind === 'complete') this.#wasRead = true;
    const others = reading.items.filter(({ id }) => !port.isOwnMovement(id));
    this.#inward = others.filter(({ type, account }) =>
      account === TRADING_ACCOUNT ? INWARD.has(type) : type === 'transfer',
    );
    for (const row of others) if (row.account === TRADING_ACCOUNT && OUTWARD.has(row.type)) this.#gone(row);
  }

  /** Books what came in where one transfer explains it exactly, or all since a time (Unix ms) together. */
  came(currency: string, amount: Decimal, tolerance: Decimal, since = Number.POSITIVE_INFINITY): boolean {
    const open = this.#inward.filter((row) => row.currency === currency && !this.#port.isBooked(inwardId(row)));
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
    if (dec(amount).isZero() || port.isBooked(bookedId)) return;
    if (ts <= (this.#takenOver.get(currency) ?? 0)) return;
    const openedAt = port.openedAt('balance', currency);
    // What an opening balance was taken over without is not booked again.
    if (openedAt !== undefined && ts < openedAt - port.deps.options.reconcile.historyLagMs / 2) return;
    const quantity = decimalText(dec(amount).neg());
    if (openedAt !== undefined)
      port.adjust({ id: bookedId, subject: 'balance', name: currency, quantity, cause: 'movement' });
    port.flow({ id, currency, amount: quantity, at: ts, cause: 'movement' });
  }
}

function inwardId({ id }: AccountMovement): string {
  return `cash-flow/${id}`;
}
