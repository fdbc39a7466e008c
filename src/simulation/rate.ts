/** Fractions in the configuration; equal values give equal text. */
import { z } from 'zod';
import { decimalText, isDecimalText } from '../model/numbers/money.ts';

/** -below < value < below. */
export function fractionBelow(below: number, example: string): z.ZodType<string, number | string> {
  return z
    .union([z.number(), z.string()])
    .transform((value) => (typeof value === 'number' ? value.toFixed(12) : value))
    .refine((text) => isDecimalText(text) && Math.abs(Number(text)) < below, `expected a fraction such as ${example}`)
    .transform((text) => decimalText(text));
}

export const rate = fractionBelow(0.1, '0.0005');
