/** Money moved without an order. Decimals are canonical text, times Unix ms. Unknown statuses and types are kept. */
import type { AccountType } from '../trading/account.ts';

export interface TransferRoute {
  readonly from: AccountType;
  readonly to: AccountType;
  /** Null: all. */
  readonly currencies: readonly string[] | null;
}

export interface Transfer {
  readonly transferId: string;
  readonly from: AccountType;
  readonly to: AccountType;
  readonly currency: string;
  readonly amount: string;
  readonly createdAt: number;
}

/** Fee never negative; the type gives the direction. */
export interface TransactionRow {
  readonly transactionId: string;
  readonly type: string;
  readonly status: string;
  readonly currency: string;
  /** Negative for paid funding (assumed). */
  readonly amount: string;
  readonly fee: string;
  /** Transfers only: the debited account. */
  readonly account: AccountType;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface CodeRow {
  readonly codeId: string;
  readonly currency: string;
  readonly amount: string;
  readonly status: string;
  readonly recipient: string | null;
  readonly comment: string | null;
  readonly createdAt: number | null;
  readonly activatedAt: number | null;
  readonly activatedBy: string | null;
}

export interface NewCode extends CodeRow {
  /** Secret: never log or journal it. */
  readonly code: string;
}

/** Only id and state are certain. */
export interface CanceledWithdrawal {
  readonly transactionId: string;
  readonly status: string;
}

export interface CryptoWithdrawal extends CanceledWithdrawal {
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly amount: string;
  readonly fee: string;
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

/** Only id and state are certain. */
export interface MovedFiatApplication {
  readonly applicationId: string;
  readonly status: string;
}

export interface FiatApplication extends MovedFiatApplication {
  readonly type: 'deposit' | 'withdrawal';
  readonly currency: string;
  readonly amount: string;
  readonly method: string | null;
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

export interface OverdraftLoan {
  readonly principal: string;
  readonly interest: string;
  readonly total: string;
  /** Null: nothing owed. */
  readonly openedAt: number | null;
}

const ofTrading: ReadonlySet<string> = new Set(['trade_fee', 'funding', 'overdraft_interest']);

/** Costs and gains of trading, which touch no other account, are not movements. */
export function isMovement(type: string): boolean {
  return !ofTrading.has(type);
}
