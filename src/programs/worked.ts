/** What the programs share that work one quantity on one side. */
import type { Instrument } from '../model/market/instrument.ts';
import type { DecimalLike } from '../model/numbers/money.ts';
import type { PositionSide, Side } from '../model/trading/order.ts';
import type { Prices, Terms, Want } from './rule.ts';
import { lotsOf, opposite, sideOf } from './terms.ts';

export interface Worked {
  readonly side: Side;
  readonly lots: number;
  readonly reduceOnly: boolean;
  readonly positionSide: PositionSide;
}

interface WorkedTerms {
  readonly side: Side;
  readonly quantity: DecimalLike;
  readonly reduceOnly?: boolean;
  readonly positionSide?: PositionSide;
}

export function workedOf(instrument: Instrument, terms: WorkedTerms, reduces = false): Worked {
  const { reduceOnly = reduces, positionSide = 'both' } = terms;
  return { side: sideOf(terms.side), lots: lotsOf(instrument, terms.quantity, 'quantity'), reduceOnly, positionSide };
}

/** Of an exit that does not say so: on a perpetual it only reduces, on spot where there is something to reduce. */
export function reducesOf(instrument: Instrument, terms: WorkedTerms, from: Terms): boolean {
  const { side, positionSide = 'both' } = terms;
  return instrument.market === 'derivative' || from.reduces(instrument.symbol, side, positionSide);
}

/** `ticks`: 0 is market. */
export function wantOf({ side, reduceOnly, positionSide }: Worked, leg: string, lots: number, ticks: number): Want {
  return { leg, side, lots, ticks, reduceOnly, positionSide };
}

/** The price at which an order of this side rests first; NaN: not known. */
export function touchOf({ bid, ask }: Prices, side: Side): number {
  return side === 'buy' ? bid : ask;
}

/** An order of this side trades at once within its limit; 0: it has none. */
export function isInReach(prices: Prices, side: Side, limit: number): boolean {
  const far = touchOf(prices, opposite(side));
  return limit === 0 || (side === 'buy' ? far <= limit : far >= limit);
}

/** A rule whose legs all fill its one quantity, and which looks at the touch. */
export const oneQuantity = {
  hears: (_spec: unknown, symbol: string) => [{ symbol, source: 'bid-ask' as const }],
  quantity: ({ lots }: Pick<Worked, 'lots'>) => lots,
  isParent: () => true,
  groupOf: () => 'all',
};
