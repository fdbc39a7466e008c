/**
 * The transaction history of every user (wire profile, "Transaction"): one row per movement, in order of creation,
 * whose status may change later. Other areas add rows and move their status; nothing here moves money. Like an
 * exchange's database it lives as long as the sandbox. Pure: time is an argument and never goes back.
 */
import type { AccountType } from '../../model/account.ts';
import { decimalText, type Decimal } from '../../model/money.ts';
import type { TransactionStatus, TransactionType } from '../../exchange/interface/states.ts';
import { pageOf, type Page, type PageQuery } from './history.ts';
import type { IdSequence } from './order-flow.ts';

export interface NewTransaction {
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly currency: string;
  /** Above zero; the type says which way it goes. */
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
  readonly #byUser = new Map<string, Transaction[]>();

  constructor(ids: IdSequence) {
    this.#ids = ids;
  }

  add(userId: string, entry: NewTransaction, now: number): Transaction {
    const transaction = { ...entry, transactionId: this.#ids.next(), userId, createdAt: now, updatedAt: now };
    const list = this.#byUser.get(userId);
    if (list === undefined) this.#byUser.set(userId, [transaction]);
    else list.push(transaction);
    return transaction;
  }

  /** Newest first. */
  list(userId: string, filter: TransactionFilter, query: PageQuery): Page<Transaction> {
    return pageOf(
      this.#byUser.get(userId) ?? [],
      query,
      (transaction) => transaction.createdAt,
      ({ type, status }) => (filter.type ?? type) === type && (filter.status ?? status) === status,
    );
  }
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
