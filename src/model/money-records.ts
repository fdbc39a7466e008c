/**
 * What an exchange answers about money that moved without an order (wire profile, "assumed bodies of the documented
 * money operations"). Decimals are canonical text, times Unix ms. Statuses and types that nobody has heard of are kept
 * as they come.
 */
import type { AccountType } from './account.ts';

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

/** The fee is zero or above; the type says which way the money went. */
export interface TransactionRow {
  readonly transactionId: string;
  readonly type: string;
  readonly status: string;
  readonly currency: string;
  /** Below zero for funding that was paid (assumed), else zero or above. */
  readonly amount: string;
  readonly fee: string;
  /** Of a transfer: the one that was debited. */
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
  /** The secret text: whoever knows it owns the money. Never log, never journal. */
  readonly code: string;
}

/** A cancel names the withdrawal and its state; the rest may be missing. */
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

/** A confirmation or deletion names the application and its state; the rest may be missing. */
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
  /** Null while nothing is owed. */
  readonly openedAt: number | null;
}
