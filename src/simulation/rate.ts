/**
 * Fractions in the configuration, as text or number, kept as canonical text: 0.005 and "0.0050" are the same run.
 */
import { z } from 'zod';
import { decimalText, isDecimalText } from '../model/money.ts';

/** Between `-below` and `below`, without them. */
export function fractionBelow(below: number, example: string): z.ZodType<string, number | string> {
  return z
    .union([z.number(), z.string()])
    .transform((value) => (typeof value === 'number' ? value.toFixed(12) : value))
    .refine((text) => isDecimalText(text) && Math.abs(Number(text)) < below, `expected a fraction such as ${example}`)
    .transform((text) => decimalText(text));
}

/** A fee rate. */
export const rate = fractionBelow(0.1, '0.0005');
