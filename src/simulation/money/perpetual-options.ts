/** The `simulation.perpetuals` section of the configuration. Defaults: one-way, cross, leverage 1. */
import { z } from 'zod';
import { isDecimalText } from '../../model/numbers/money.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { HoldingTerms } from '../../clearing/perpetual/position-slot.ts';
import { fractionBelow } from '../rate.ts';
import { isTierTable, tiersOf, type RiskTiers } from '../../clearing/margin/risk-tiers.ts';

const fraction = fractionBelow(1, '0.005');

const amount = z
  .union([z.number(), z.string()])
  .transform(String)
  .refine((text) => isDecimalText(text) && Number(text) > 0, 'expected a decimal above zero');

const tier = z.strictObject({
  tier: z.number().int().min(1),
  maxNotional: amount.describe('Upper bound of the tier, inclusive, settlement currency'),
  maxLeverage: z.number().min(1),
  maintenanceMarginRate: fraction,
});

const tiers = z
  .array(tier)
  .min(1)
  .refine(isTierTable, 'bounds and maintenance margin rates must rise, leverage must fall')
  .describe('Risk tiers; without them the instrument’s one maintenance margin rate');

const leverage = z.number().int().min(1).max(1000);
const marginType = z.enum(['cross', 'isolated']);

export const perpetualOptions = z
  .strictObject({
    mode: z.enum(['one-way', 'hedge']).default('one-way').describe('hedge: long and short side by side'),
    leverage: leverage.default(1),
    marginType: marginType.default('cross').describe('cross: all positions of a currency share its balance'),
    liquidationFee: fraction.default('0.005').describe('Of the value at the bankruptcy price, paid on liquidation'),
    fundingRate: fraction
      .optional()
      .describe('Where the data has no funding: this rate each interval of the instrument; none by default'),
    tiers: tiers.optional(),
    symbols: z
      .record(
        z.string(),
        z.strictObject({ leverage: leverage.optional(), marginType: marginType.optional(), tiers: tiers.optional() }),
      )
      .default({})
      .describe('What differs for a symbol'),
  })
  .prefault({});

export type PerpetualOptions = z.output<typeof perpetualOptions>;

export function perpetualTerms({ symbols, ...shared }: PerpetualOptions, symbol: string): HoldingTerms {
  const own = symbols[symbol] ?? {};
  return { leverage: own.leverage ?? shared.leverage, marginType: own.marginType ?? shared.marginType };
}

export function perpetualTiers({ symbols, tiers }: PerpetualOptions, instrument: Instrument): RiskTiers {
  return tiersOf(instrument, symbols[instrument.symbol]?.tiers ?? tiers);
}
