/** Fees, current user, server time. */
import { z } from 'zod';
import { decimal, id, optionalText, symbol, time } from './scalars.ts';

/** Fractions: `"0.001"` is ten basis points; negative maker fees are rebates. */
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

/** Unix ms. */
export const timeSchema: z.ZodType<{ readonly serverTime: number }> = z.object({ serverTime: time });
