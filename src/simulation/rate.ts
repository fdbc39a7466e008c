/**
 * A fee rate in the configuration: a fraction as text or number, kept as canonical text.
 */
import { z } from 'zod';
import { isDecimalText } from '../model/money.ts';

export const rate = z
  .union([z.number(), z.string()])
  .transform((value) => (typeof value === 'number' ? value.toFixed(12) : value))
  .refine((text) => isDecimalText(text) && Math.abs(Number(text)) < 0.1, 'expected a fraction such as 0.0005')
  .transform((text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text));
