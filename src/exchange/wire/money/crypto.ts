/** Deposit addresses and crypto withdrawals (assumed). */
import { z } from 'zod';
import { transactionStatuses, type TransactionStatus } from '../../interface/states.ts';
import { amount, id, optionalText, optionalTime, positiveDecimal, text } from '../scalars.ts';

export interface CryptoAddress {
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
}

export const cryptoAddressSchema: z.ZodType<CryptoAddress> = z.object({
  currency: text,
  network: text,
  address: text,
  memo: optionalText,
});

export interface WithdrawalNetwork {
  readonly network: string;
  /** Without fee. */
  readonly minAmount: string;
  /** Added to the amount. */
  readonly fee: string;
  readonly confirmations: number;
}

export interface WithdrawalCurrency {
  readonly currency: string;
  readonly networks: readonly WithdrawalNetwork[];
}

export const withdrawalCurrencySchema: z.ZodType<WithdrawalCurrency> = z.object({
  currency: text,
  networks: z.array(z.object({ network: text, minAmount: amount, fee: amount, confirmations: z.int().min(0) })),
});

export interface CryptoWithdrawal {
  readonly transactionId: string;
  readonly status: TransactionStatus;
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly amount: string;
  readonly fee: string;
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

export const withdrawalSchema: z.ZodType<CryptoWithdrawal> = z.object({
  transactionId: id,
  status: z.enum(transactionStatuses),
  currency: text,
  network: text,
  address: text,
  memo: optionalText,
  amount: positiveDecimal,
  fee: amount,
  createdAt: optionalTime,
  updatedAt: optionalTime,
});

/** Only id and status are guaranteed. */
export interface CanceledWithdrawal {
  readonly transactionId: string;
  readonly status: TransactionStatus;
}

export const canceledWithdrawalSchema: z.ZodType<CanceledWithdrawal> = z.object({
  transactionId: id,
  status: z.enum(transactionStatuses),
});
