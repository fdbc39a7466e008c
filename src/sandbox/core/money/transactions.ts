/**
 * Transaction history per user, in order of creation. It moves no money. Bounded: the newest rows and unfinished ones.
 */
import type { AccountType } from '../../../model/trading/account.ts';
import { ZERO, decimalText, type Decimal } from '../../../model/numbers/money.ts';
import type { TransactionStatus, TransactionType } from '../../../exchange/interface/states.ts';
import { pageOf, type Page, type PageQuery } from '../history.ts';
import { HistoryLog } from '../history-log.ts';
import type { IdSequence } from '../orders/order-flow.ts';

export interface NewTransaction {
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly currency: string;
  /** `funding` is signed: negative is paid. */
  readonly amount: Decimal;
  readonly fee: Decimal;
  /** For a transfer the debited account. */
  readonly account: AccountType;
}

export interface Transaction extends NewTransaction {
  readonly transactionId: string;
  readonly userId: string;
  readonly createdAt: number;
  status: TransactionStatus;
  updatedAt: number;
}

export interface TransactionFilter {
  readonly type?: TransactionType | undefined;
  readonly status?: TransactionStatus | undefined;
}

export class Transactions {
  readonly #ids: IdSequence;
  readonly #max: number;
  readonly #byUser = new Map<string, HistoryLog<Transaction>>();

  constructor(ids: IdSequence, max: number) {
    this.#ids = ids;
    this.#max = max;
  }

  add(userId: string, entry: NewTransaction, now: number): Transaction {
    const transaction = { ...entry, transactionId: this.#ids.next(), userId, createdAt: now, updatedAt: now };
    let log = this.#byUser.get(userId);
    if (log === undefined) this.#byUser.set(userId, (log = new HistoryLog(this.#max, isOver)));
    log.push(transaction);
    log.forgetOld();
    return transaction;
  }

  /** Completed at once, without fee. */
  complete(userId: string, entry: Omit<NewTransaction, 'status' | 'fee'>, now: number): Transaction {
    return this.add(userId, { ...entry, status: 'completed', fee: ZERO }, now);
  }

  /** Newest first. */
  list(userId: string, filter: TransactionFilter, query: PageQuery): Page<Transaction> {
    const isWanted = ({ type, status }: Transaction): boolean =>
      (filter.type ?? type) === type && (filter.status ?? status) === status;
    return pageOf(this.#byUser.get(userId) ?? [], query, 'createdAt', isWanted);
  }
}

function isOver({ status }: Transaction): boolean {
  return status === 'completed' || status === 'canceled' || status === 'rejected' || status === 'failed';
}

export function moveTo(transaction: Transaction, status: TransactionStatus, now: number): void {
  transaction.status = status;
  transaction.updatedAt = now;
}

export function transactionBody(transaction: Transaction): object {
  const { transactionId, type, status, currency, amount, fee, account, createdAt, updatedAt } = transaction;
  return {
    transactionId,
    type,
    status,
    currency,
    amount: decimalText(amount),
    fee: decimalText(fee),
    account,
    createdAt,
    updatedAt,
  };
}
