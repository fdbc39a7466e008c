/**
 * Where the two exchanges differ in how they clear perpetuals. The sandbox answers as the exchange that it stands for is
 * assumed to; the simulated venue is the same account met by recorded data, where no other user's loss is looked after.
 */
import { ZERO, type Decimal } from '../../model/money.ts';
import type { HouseAccount } from '../pocket.ts';

export interface PerpetualRules {
  /** Profit that a position reports: of its round from opening to closing, or of all its rounds. */
  readonly realized: 'round' | 'ever';
  /** Whether what spot orders lock stands behind cross positions already; else it does once the orders are canceled. */
  readonly spotLocksBack: boolean;
  /** Whether an order needs what it would lose at once against the mark. */
  readonly needsOpeningLoss: boolean;
  /** Whether a market order needs margin for the part that nobody offers. */
  readonly needsUnfillable: boolean;
  /** Fraction of the value at the bankruptcy price. */
  readonly liquidationFeeRate: Decimal;
  readonly liquidationFeeTo: HouseAccount;
  /** `tick`: bankruptcy prices are rounded to the tick in the user's favour. `exact`: to 18 places, at least one tick. */
  readonly bankruptcyPrice: 'tick' | 'exact';
  /** Who takes a liquidated position over: the insurance at the mark, or the market at the bankruptcy price. */
  readonly takenOverBy: 'insurance' | 'market';
  /** Decimal places of a reported liquidation price; those of a quotient are 18. */
  readonly liquidationPricePlaces: number;
}

export function sandboxRules(liquidationFeeRate: Decimal): PerpetualRules {
  return {
    realized: 'round',
    spotLocksBack: false,
    needsOpeningLoss: true,
    needsUnfillable: true,
    liquidationFeeRate,
    liquidationFeeTo: 'insurance',
    bankruptcyPrice: 'tick',
    takenOverBy: 'insurance',
    liquidationPricePlaces: 8,
  };
}

export function simulationRules(liquidationFeeRate: Decimal = ZERO): PerpetualRules {
  return {
    realized: 'ever',
    spotLocksBack: true,
    needsOpeningLoss: false,
    needsUnfillable: false,
    liquidationFeeRate,
    liquidationFeeTo: 'fees',
    bankruptcyPrice: 'exact',
    takenOverBy: 'market',
    liquidationPricePlaces: 18,
  };
}
