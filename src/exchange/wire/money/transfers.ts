/**
 * Transfers, routes, transaction history (assumed). Unknown types and statuses are kept, so the history stays readable.
 */
import { z } from 'zod';
import type { TransactionRow, Transfer, TransferRoute } from '../../../model/funds/money-records.ts';
import { accountTypes } from '../../interface/permissions.ts';
import { amount, decimal, id, positiveDecimal, text, time } from '../scalars.ts';

const account = z.enum(accountTypes);

export const transferRouteSchema: z.ZodType<TransferRoute> = z.object({
  from: account,
  to: account,
  currencies: z.array(text).nullable(),
});

export const transferSchema: z.ZodType<Transfer> = z.object({
  transferId: id,
  from: account,
  to: account,
  currency: text,
  amount: positiveDecimal,
  createdAt: time,
});

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
