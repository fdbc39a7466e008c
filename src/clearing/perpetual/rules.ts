/**
 * Where sandbox and simulated venue differ in clearing perpetuals. The simulated venue has no other users whose losses
 * need care.
 */
import { ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { HouseAccount } from '../pocket.ts';

export interface PerpetualRules {
  /** Reported profit: of the round from opening to closing, or of all rounds. */
  readonly realized: 'round' | 'ever';
  /** Whether money locked by spot orders backs cross positions; otherwise only once those orders are cancelled. */
  readonly spotLocksBack: boolean;
  /** Whether an order needs its immediate loss against the mark. */
  readonly needsOpeningLoss: boolean;
  /** Whether a market order needs margin for the part without offers. */
  readonly needsUnfillable: boolean;
  /** Fraction of the value at the bankruptcy price. */
  readonly liquidationFeeRate: Decimal;
  readonly liquidationFeeTo: HouseAccount;
  /** `tick`: rounded to the tick in the user's favour. `exact`: 18 places, at least one tick. */
  readonly bankruptcyPrice: 'tick' | 'exact';
  /** The insurance takes over at the mark, the market at the bankruptcy price. */
  readonly takenOverBy: 'insurance' | 'market';
  /** Decimal places of a reported liquidation price, at most 18. */
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
