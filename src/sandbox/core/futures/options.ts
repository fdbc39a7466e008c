/** Assumed terms of futures trading. */
import { z } from 'zod';
import { isTierTable } from '../../../clearing/margin/risk-tiers.ts';
import { isDecimalText } from '../../../model/numbers/money.ts';

const fraction = z
  .string()
  .refine(
    (text) => isDecimalText(text) && Number(text) >= 0 && Number(text) < 1,
    'expected a fraction such as "0.002"',
  );

const tier = z.strictObject({
  tier: z.int().min(1),
  maxNotional: z
    .string()
    .refine((text) => isDecimalText(text) && Number(text) > 0, 'expected a decimal above zero')
    .describe('upper bound of the tier, inclusive'),
  maxLeverage: z.int().min(1).max(1000),
  maintenanceMarginRate: fraction.describe('applies to the part of the notional inside the tier'),
});

const tierTable = z.array(tier).refine(isTierTable, 'bounds and rates must rise from tier to tier, leverage must not');

// prettier-ignore
export const futuresTerms = z
  .strictObject({
    liquidationFeeRate: fraction.default('0.002').describe('fraction of the notional at the bankruptcy price; goes to the insurance account'),
    leverageDefault: z.int().min(1).max(1000).default(1).describe('leverage of a symbol until its user sets one'),
    fundingIntervalHours: z.number().min(0.01).max(24).default(8),
    fundingBaseRate: z.number().min(-0.01).max(0.01).default(0.0001).describe('interest part of the funding rate of an interval'),
    fundingRateMax: z.number().min(0).max(0.1).default(0.0075).describe('bound of the funding rate, either sign'),
    riskTiers: z.record(z.string(), tierTable).default({
      BTCUSDTPERP: [
        { tier: 1, maxNotional: '50000', maxLeverage: 100, maintenanceMarginRate: '0.004' },
        { tier: 2, maxNotional: '500000', maxLeverage: 50, maintenanceMarginRate: '0.005' },
        { tier: 3, maxNotional: '5000000', maxLeverage: 20, maintenanceMarginRate: '0.01' },
        { tier: 4, maxNotional: '20000000', maxLeverage: 10, maintenanceMarginRate: '0.025' },
        { tier: 5, maxNotional: '100000000', maxLeverage: 5, maintenanceMarginRate: '0.05' },
      ],
      ETHUSDTPERP: [
        { tier: 1, maxNotional: '50000', maxLeverage: 100, maintenanceMarginRate: '0.005' },
        { tier: 2, maxNotional: '500000', maxLeverage: 50, maintenanceMarginRate: '0.0065' },
        { tier: 3, maxNotional: '5000000', maxLeverage: 20, maintenanceMarginRate: '0.01' },
        { tier: 4, maxNotional: '20000000', maxLeverage: 10, maintenanceMarginRate: '0.025' },
        { tier: 5, maxNotional: '100000000', maxLeverage: 5, maintenanceMarginRate: '0.05' },
      ],
    }).describe('by symbol; a perpetual without a table has one tier with what the instrument says'),
  })
  .prefault({});

export type FuturesTerms = z.output<typeof futuresTerms>;
