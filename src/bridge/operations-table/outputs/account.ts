/** Answers about the account and its money. */
import { z } from 'zod';
import type { CurrentUser, FeeRate } from '../../../exchange/wire/account.ts';
import type { CodeRow } from '../../../exchange/wire/money/codes.ts';
import type { CryptoAddress, WithdrawalCurrency } from '../../../exchange/wire/money/crypto.ts';
import type { Asset, NetworkTitle } from '../../../exchange/wire/market/dictionaries.ts';
import type { OverdraftDocument, OverdraftFee, OverdraftStatus } from '../../../exchange/wire/money/overdraft.ts';
import { codeStatuses } from '../../../exchange/interface/states.ts';
import { accountTypes } from '../../../exchange/interface/permissions.ts';
import type { Balance } from '../../../model/trading/account.ts';
import type { OverdraftLoan, TransactionRow, TransferRoute } from '../../../model/funds/money-records.ts';
import { decimal, timeMs } from '../../schemas/common.ts';

const account = z.enum(accountTypes);

export const balance: z.ZodType<Balance> = z.object({
  account,
  currency: z.string(),
  available: decimal,
  locked: decimal,
  total: decimal.describe('available + locked'),
});

export const feeRate: z.ZodType<FeeRate> = z.object({
  symbol: z.string(),
  maker: decimal.describe('Fraction: 0.001 is ten basis points; negative: a rebate'),
  taker: decimal,
});

export const currentUser: z.ZodType<CurrentUser> = z.object({
  userId: z.string(),
  login: z.string().nullable(),
  username: z.string().nullable(),
});

export const referral = z.object({
  linkId: z.string(),
  url: z.string(),
  rewards: z.array(z.object({ currency: z.string(), amount: decimal })),
});

export const asset: z.ZodType<Asset> = z.object({
  currency: z.string(),
  title: z.string(),
  isCoin: z.boolean().describe('False: fiat'),
  precision: z.number().describe('Decimal places'),
});

export const networkTitle: z.ZodType<NetworkTitle> = z.object({ network: z.string(), title: z.string() });

export const transaction: z.ZodType<TransactionRow> = z.object({
  transactionId: z.string(),
  type: z.string(),
  status: z.string(),
  currency: z.string(),
  amount: decimal.describe('Negative for funding that was paid'),
  fee: decimal,
  account: account.describe('Of a transfer: the debited one'),
  createdAt: timeMs,
  updatedAt: timeMs,
});

export const transferRoute: z.ZodType<TransferRoute> = z.object({
  from: account,
  to: account,
  currencies: z.array(z.string()).nullable().describe('Null: all'),
});

export const cryptoAddress: z.ZodType<CryptoAddress> = z.object({
  currency: z.string(),
  network: z.string(),
  address: z.string(),
  memo: z.string().nullable(),
});

export const withdrawalCurrency: z.ZodType<WithdrawalCurrency> = z.object({
  currency: z.string(),
  networks: z.array(
    z.object({
      network: z.string(),
      minAmount: decimal.describe('Without fee'),
      fee: decimal.describe('Added to the amount'),
      confirmations: z.number(),
    }),
  ),
});

/** Never with the text of the code, which is worth its money. */
export const code: z.ZodType<CodeRow> = z.object({
  codeId: z.string(),
  currency: z.string(),
  amount: decimal,
  status: z.enum(codeStatuses),
  recipient: z.string().nullable().describe('The only login that may redeem it'),
  comment: z.string().nullable(),
  createdAt: timeMs.nullable(),
  activatedAt: timeMs.nullable(),
  activatedBy: z.string().nullable(),
});

export const overdraftLine: z.ZodType<OverdraftStatus> = z.object({
  enabled: z.boolean(),
  limit: decimal,
  used: decimal,
  available: decimal,
  interestRateDaily: decimal.describe('Fraction a day'),
  currency: z.string(),
});

export const overdraftLoan: z.ZodType<OverdraftLoan> = z.object({
  principal: decimal,
  interest: decimal,
  total: decimal,
  openedAt: timeMs.nullable(),
});

export const overdraftFee: z.ZodType<OverdraftFee> = z.object({ amount: decimal, feePerDay: decimal });

export const overdraftDocument: z.ZodType<OverdraftDocument> = z.object({
  documentId: z.string(),
  title: z.string(),
  url: z.string(),
});
