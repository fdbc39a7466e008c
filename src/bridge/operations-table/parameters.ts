/** Parameters that many rows take. Text of a query or values of a tool. */
import { z } from 'zod';
import { accountTypes } from '../../exchange/interface/permissions.ts';

export const none = z.strictObject({});

export const symbol = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,32}$/)
  .describe('As the exchange spells it: BTCUSDT, BTCUSDTPERP');

export const currency = z
  .string()
  .toUpperCase()
  .regex(/^[A-Za-z0-9_-]{1,20}$/)
  .describe('USDT');

export const network = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,20}$/)
  .describe('TRC20');

export const id = z
  .string()
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9_.:-]{0,127}$/)
  .describe('As a list gives it');

export const amount = z
  .string()
  .regex(/^\d{1,30}(\.\d{1,30})?$/)
  .describe('Decimal above zero, as text');

export const account = z.enum(accountTypes);

const timeMs = z.coerce.number().int().min(0).max(8.64e15);

/** Inclusive. */
export const period = {
  from: timeMs.optional().describe('Unix ms, inclusive'),
  to: timeMs.optional().describe('Unix ms, inclusive'),
};

export function most(limit: number): z.ZodType<number> {
  return z.coerce.number().int().min(1).max(limit);
}
