/** Options `reconcile` of the config. */
import { z } from 'zod';
import { amount } from '../risk/options.ts';

export const reconcileSchema = z.strictObject({
  intervalMs: z
    .number()
    .min(100)
    .default(10_000)
    .describe('How often open orders, trades and positions are polled at rest, ms'),
  urgentIntervalMs: z
    .number()
    .min(100)
    .default(2_000)
    .describe('The same while an order is unknown or a cancel is overdue, ms'),
  sweepIntervalMs: z.number().min(1_000).default(300_000).describe('How often the whole history is read, ms'),
  signatureWindowMs: z
    .number()
    .min(0)
    .default(30_000)
    .describe('Validity of a signed request at the exchange (interface, signature window)'),
  fenceMarginMs: z
    .number()
    .min(0)
    .default(8_000)
    .describe('Added to the signature window and the doubt of the clock, ms'),
  earlierClockMs: z
    .number()
    .min(0)
    .default(15_000)
    .describe('How far the clock of an earlier process may have been off: its gate let 10 s through, known to ± 5 s'),
  historyLagMs: z
    .number()
    .min(0)
    .default(30_000)
    .describe('Two readings that prove an absence lie at least this far apart'),
  balanceTolerance: amount
    .default('0.00000001')
    .describe('Differences in balances up to this amount are rounding of the exchange'),
});

export type ReconcileOptions = z.output<typeof reconcileSchema>;
