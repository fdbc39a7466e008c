/**
 * Small resources of the account and the service on the wire: fees, current user, server time.
 */
import { z } from 'zod';
import { decimal, id, optionalText, symbol, time } from './scalars.ts';

/** Fractions: `"0.001"` is ten basis points; a negative maker fee is a rebate. */
export interface FeeRate {
  readonly symbol: string;
  readonly maker: string;
  readonly taker: string;
}

export const feeSchema: z.ZodType<FeeRate> = z.object({ symbol, maker: decimal, taker: decimal });

export interface CurrentUser {
  readonly userId: string;
  readonly login: string | null;
  readonly username: string | null;
}

export const meSchema: z.ZodType<CurrentUser> = z.object({ userId: id, login: optionalText, username: optionalText });

/** Server time in Unix ms. */
export const timeSchema: z.ZodType<{ readonly serverTime: number }> = z.object({ serverTime: time });
