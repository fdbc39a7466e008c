/** Options `reconcile` of the config. */
import { z } from 'zod';
import { amount, from } from '../risk/options.ts';

export const reconcileSchema = z.strictObject({
  intervalMs: from(100, 10_000, 'Interval of polls of open orders, trades and positions at rest, ms'),
  urgentIntervalMs: from(100, 2_000, 'The same while an order is unknown or a cancel is overdue, ms'),
  sweepIntervalMs: from(1_000, 300_000, 'Interval of polls of the complete history, ms'),
  signatureWindowMs: from(0, 30_000, 'Validity of a signed request at the exchange (interface, signature window)'),
  fenceMarginMs: from(0, 8_000, 'Added to the signature window and the uncertainty of the clock, ms'),
  earlierClockMs: from(0, 15_000, 'Largest clock skew of an earlier process: its gate permitted 10 s, known to ± 5 s'),
  historyLagMs: from(0, 30_000, 'Least time between the two polls that show an absence'),
  balanceTolerance: amount
    .default('0.00000001')
    .describe('Differences in balances up to this amount are rounding of the exchange'),
});

export type ReconcileOptions = z.output<typeof reconcileSchema>;
