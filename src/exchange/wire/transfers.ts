/**
 * Transfers, their routes and the transaction history on the wire (wire profile, "assumed bodies of the documented money
 * operations", "Transaction"). Types and statuses of transactions are kept as they come: one that nobody has heard of
 * must not make the whole history unreadable.
 */
import { z } from 'zod';
import type { AccountType } from '../../model/account.ts';
import { accountTypes } from '../interface/permissions.ts';
import { amount, decimal, id, positiveDecimal, text, time } from './scalars.ts';

const account = z.enum(accountTypes);

export interface TransferRoute {
  readonly from: AccountType;
  readonly to: AccountType;
  /** Null: all. */
  readonly currencies: readonly string[] | null;
}

export const transferRouteSchema: z.ZodType<TransferRoute> = z.object({
  from: account,
  to: account,
  currencies: z.array(text).nullable(),
});

export interface Transfer {
  readonly transferId: string;
  readonly from: AccountType;
  readonly to: AccountType;
  readonly currency: string;
  readonly amount: string;
  readonly createdAt: number;
}

export const transferSchema: z.ZodType<Transfer> = z.object({
  transferId: id,
  from: account,
  to: account,
  currency: text,
  amount: positiveDecimal,
  createdAt: time,
});

/** Amount and fee are zero or above; the type says which way the money went. */
export interface TransactionRow {
  readonly transactionId: string;
  /** One of `transactionTypes`, or one that is not documented. */
  readonly type: string;
  /** One of `transactionStatuses`, or one that is not documented. */
  readonly status: string;
  readonly currency: string;
  /** Below zero for funding that was paid (assumed); the type says which way the others go. */
  readonly amount: string;
  readonly fee: string;
  readonly account: AccountType;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const transactionSchema: z.ZodType<TransactionRow> = z
  .object({
    transactionId: id,
    type: text,
    status: text,
    currency: text,
    amount: decimal,
    fee: amount,
    account,
    createdAt: time,
    updatedAt: time,
  })
  .refine(({ type, amount: given }) => type === 'funding' || !given.startsWith('-'), {
    path: ['amount'],
    message: 'expected a decimal of zero or above',
  });
