/** Options `reconcile` of the config. */
import { z } from 'zod';
import { amount } from '../risk/options.ts';

export const reconcileSchema = z.strictObject({
  intervalMs: z
    .number()
    .min(100)
    .default(10_000)
    .describe('Interval of polls of open orders, trades and positions at rest, ms'),
  urgentIntervalMs: z
    .number()
    .min(100)
    .default(2_000)
    .describe('The same while an order is unknown or a cancel is overdue, ms'),
  sweepIntervalMs: z.number().min(1_000).default(300_000).describe('Interval of polls of the complete history, ms'),
  signatureWindowMs: z
    .number()
    .min(0)
    .default(30_000)
    .describe('Validity of a signed request at the exchange (interface, signature window)'),
  fenceMarginMs: z
    .number()
    .min(0)
    .default(8_000)
    .describe('Added to the signature window and the uncertainty of the clock, ms'),
  earlierClockMs: z
    .number()
    .min(0)
    .default(15_000)
    .describe('Largest clock skew of an earlier process: its gate permitted 10 s, known to ± 5 s'),
  historyLagMs: z.number().min(0).default(30_000).describe('Least time between the two polls that show an absence'),
  balanceTolerance: amount
    .default('0.00000001')
    .describe('Differences in balances up to this amount are rounding of the exchange'),
});

export type ReconcileOptions = z.output<typeof reconcileSchema>;
