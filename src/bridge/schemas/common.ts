/** What all answers share: times are Unix ms, exact decimals are text, estimates are numbers. */
import { z } from 'zod';

export const market = z.enum(['spot', 'derivative']);
export const side = z.enum(['buy', 'sell']);
export const positionSide = z.enum(['both', 'long', 'short']);

export const timeMs = z.number().describe('Unix ms');

export const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .describe('Exact decimal as text');

/** Reporting currency, by mids. Null while something held has no price. */
export const estimate = z.number().nullable().describe('Estimate in the reporting currency; null without prices');

export const seq = z.int().min(0).describe('Number of a journal entry, from 1 without gaps; 0: none');

/** Of a failed request. Codes stand in docs/errors.md. */
export const errorAnswer = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    field: z.string().optional().describe('The field or parameter that is wrong'),
    hint: z.string().optional().describe('What to do'),
  }),
});

/** A command that adds risk: send it again with `code`. */
export const confirmAnswer = errorAnswer.extend({
  confirm: z.object({
    code: z.string().describe('Send the same command again with this as `code`'),
    expiresAt: timeMs,
    what: z.string().describe('What the command will do, for the human who confirms it'),
  }),
});

export type ErrorAnswer = z.infer<typeof errorAnswer>;
export type ConfirmAnswer = z.infer<typeof confirmAnswer>;

/** Of an order, at the exchange or of the bot. */
export const orderTerms = {
  symbol: z.string(),
  side,
  type: z.enum(['limit', 'market']),
  timeInForce: z.enum(['gtc', 'ioc']),
  price: decimal.nullable().describe('Null for a market order'),
  quantity: decimal,
  filledQuantity: decimal,
  averagePrice: decimal.nullable(),
};
