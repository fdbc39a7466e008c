/** Instruments, both ways. The precisions are derived when written and ignored when read. */
import { z } from 'zod';
import type { InstrumentSpec } from '../../../model/market/instrument.ts';
import { dec } from '../../../model/numbers/money.ts';
import { amount, displayNumber, positiveDecimal, symbol } from '../scalars.ts';

const common = {
  symbol,
  base: z.string().min(1),
  quote: z.string().min(1),
  tickSize: positiveDecimal,
  lotSize: positiveDecimal,
  minQuantity: amount,
  maxQuantity: positiveDecimal,
  minNotional: amount,
  status: z.enum(['trading', 'halted']),
};

export const spotInstrumentSchema: z.ZodType<InstrumentSpec> = z
  .object(common)
  .transform((wire) => Object.freeze({ ...wire, market: 'spot' as const }));

export const derivativeInstrumentSchema: z.ZodType<InstrumentSpec> = z
  .object({
    ...common,
    settle: z.string().min(1),
    contractSize: positiveDecimal,
    maxLeverage: displayNumber,
    fundingIntervalHours: displayNumber,
    maintenanceMarginRate: amount,
  })
  .transform((wire) => Object.freeze({ ...wire, market: 'derivative' as const }));

export function encodeInstrument(spec: InstrumentSpec): Record<string, unknown> {
  const { market, inferred: _inferred, ...wire } = spec;
  return {
    ...wire,
    pricePrecision: dec(spec.tickSize).decimalPlaces(),
    quantityPrecision: dec(spec.lotSize).decimalPlaces(),
    ...(market === 'derivative' ? { settle: spec.settle ?? spec.quote } : {}),
  };
}
