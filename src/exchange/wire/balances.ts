/**
 * Balances on the wire (wire profile, "Balances"), both ways: the overview and the two balance channels. The three
 * amounts are taken as they are; that total = available + locked is the reconciler's business.
 */
import { z } from 'zod';
import type { Balance } from '../../model/account.ts';
import { accountTypes } from '../interface/permissions.ts';
import { decimal } from './scalars.ts';

export const balanceSchema: z.ZodType<Balance> = z.object({
  account: z.enum(accountTypes),
  currency: z.string().min(1),
  available: decimal,
  locked: decimal,
  total: decimal,
});

export function encodeBalance(balance: Balance): Record<string, unknown> {
  return { ...balance };
}
