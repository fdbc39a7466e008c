/**
 * The transaction history of every user (wire profile, "Transaction"): one row per movement, in order of creation,
 * whose status may change later. Other areas add rows and move their status; nothing here moves money. Bounded: the
 * newest rows of a user stay, and those that are not over. Pure: time is an argument and never goes back.
 */
import type { AccountType } from '../../model/account.ts';
import { ZERO, decimalText, type Decimal } from '../../model/money.ts';
import type { TransactionStatus, TransactionType } from '../../exchange/interface/states.ts';
import { pageOf, type Page, type PageQuery } from './history.ts';
import { HistoryLog } from './history-log.ts';
import type { IdSequence } from './order-flow.ts';

export interface NewTransaction {
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly currency: string;
  /** Above zero, the type says which way it goes; of `funding` signed: below zero is paid. */
  readonly amount: Decimal;
  readonly fee: Decimal;
  /** For a transfer the account that is debited. */
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

  /** `max`: rows of one user that are kept at least. */
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

  /** A movement that is over at once and costs nothing. */
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
