/** Fiat applications (interface, "Fiat application"; bodies assumed). */
import { z } from 'zod';
import {
  fiatApplicationTypes,
  transactionStatuses,
  type FiatApplicationType,
  type TransactionStatus,
} from '../../interface/states.ts';
import { id, optionalText, optionalTime, positiveDecimal, text } from '../scalars.ts';

export interface FiatApplication {
  readonly applicationId: string;
  readonly status: TransactionStatus;
  readonly type: FiatApplicationType;
  readonly currency: string;
  readonly amount: string;
  readonly method: string | null;
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

export const fiatApplicationSchema: z.ZodType<FiatApplication> = z.object({
  applicationId: id,
  status: z.enum(transactionStatuses),
  type: z.enum(fiatApplicationTypes),
  currency: text,
  amount: positiveDecimal,
  method: optionalText,
  createdAt: optionalTime,
  updatedAt: optionalTime,
});

/** Only id and status are guaranteed. */
export interface MovedFiatApplication {
  readonly applicationId: string;
  readonly status: TransactionStatus;
}

export const movedFiatApplicationSchema: z.ZodType<MovedFiatApplication> = z.object({
  applicationId: id,
  status: z.enum(transactionStatuses),
});
