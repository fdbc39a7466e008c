/** Overdrafts (assumed). */
import { z } from 'zod';
import type { OverdraftLoan } from '../../../model/funds/money-records.ts';
import { amount, id, optionalTime, text } from '../scalars.ts';

export interface OverdraftStatus {
  readonly enabled: boolean;
  readonly limit: string;
  readonly used: string;
  readonly available: string;
  /** Fraction: `"0.0005"` is five basis points a day. */
  readonly interestRateDaily: string;
  readonly currency: string;
}

export const overdraftSchema: z.ZodType<OverdraftStatus> = z.object({
  enabled: z.boolean(),
  limit: amount,
  used: amount,
  available: amount,
  interestRateDaily: amount,
  currency: text,
});

export const overdraftLoanSchema: z.ZodType<OverdraftLoan> = z.object({
  principal: amount,
  interest: amount,
  total: amount,
  openedAt: optionalTime,
});

export interface OverdraftFee {
  readonly amount: string;
  readonly feePerDay: string;
}

export const overdraftFeeSchema: z.ZodType<OverdraftFee> = z.object({ amount, feePerDay: amount });

export interface OverdraftDocument {
  readonly documentId: string;
  readonly title: string;
  readonly url: string;
}

export const overdraftDocumentSchema: z.ZodType<OverdraftDocument> = z.object({
  documentId: id,
  title: text,
  url: text,
});
