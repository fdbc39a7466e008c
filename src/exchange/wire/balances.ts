/** Balances, both ways. Only the reconciler checks total = available + locked. */
import { z } from 'zod';
import type { Balance } from '../../model/trading/account.ts';
import { accountTypes } from '../interface/permissions.ts';
import { isWhole, oneOf, readByHand } from './by-hand.ts';
import { isRecord } from './decoded.ts';
import { decimal, readDecimal, readText } from './scalars.ts';

const account = z.enum(accountTypes);

/** Reference for `balanceSchema`. */
export const balanceByZod: z.ZodType<Balance> = z.object({
  account,
  currency: z.string().min(1),
  available: decimal,
  locked: decimal,
  total: decimal,
});

const accountOf = oneOf(account.options);

function readBalance(row: unknown): Balance | undefined {
  if (!isRecord(row)) return undefined;
  const balance = {
    account: accountOf(row['account']),
    currency: readText(row['currency']),
    available: readDecimal(row['available']),
    locked: readDecimal(row['locked']),
    total: readDecimal(row['total']),
  };
  return isWhole(balance) ? balance : undefined;
}

export const balanceSchema: z.ZodType<Balance> = readByHand(balanceByZod, readBalance);

export function encodeBalance(balance: Balance): Record<string, unknown> {
  return { ...balance };
}
