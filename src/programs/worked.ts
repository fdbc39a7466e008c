/** Shared by programs that work one quantity on one side. */
import type { Instrument } from '../model/market/instrument.ts';
import type { DecimalLike } from '../model/numbers/money.ts';
import type { PositionSide, Side } from '../model/trading/order.ts';
import type { Prices, Terms, Want } from './rule.ts';
import { lotsOf, opposite, refuse, sideOf } from './terms.ts';

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

/**
 * Default of reduce-only for an exit: true, except for a purchase on spot if the strategy is not short: it takes no
 * coins that others hold.
 */
export function reducesOf(instrument: Instrument, terms: WorkedTerms, from: Terms): boolean {
  const { side, positionSide = 'both' } = terms;
  return instrument.market === 'derivative' || side === 'sell' || from.reduces(instrument.symbol, side, positionSide);
}

/** A reduce-only exit needs something to close: held, or being entered. */
export function checkReduces(symbol: string, { reduceOnly, side, positionSide }: Worked, from: Terms): void {
  if (!reduceOnly || from.reduces(symbol, side, positionSide) || from.works(symbol)) return;
  const what = `${symbol}: the strategy holds nothing that a ${side} closes`;
  refuse('reduce_only', `${what}: give reduceOnly: false to open`, 'reduceOnly');
}

/** `ticks`: 0 is market. */
export function wantOf({ side, reduceOnly, positionSide }: Worked, leg: string, lots: number, ticks: number): Want {
  return { leg, side, lots, ticks, reduceOnly, positionSide };
}

/** The price at which an order of this side rests first; NaN: unknown. */
export function touchOf({ bid, ask }: Prices, side: Side): number {
  return side === 'buy' ? bid : ask;
}

/** An order of this side would trade at once within its limit; 0: no limit. */
export function isInReach(prices: Prices, side: Side, limit: number): boolean {
  const far = touchOf(prices, opposite(side));
  return limit === 0 || (side === 'buy' ? far <= limit : far >= limit);
}

/** Part of a rule whose legs all fill its one quantity, and which follows the touch. */
export const oneQuantity = {
  hears: (_spec: unknown, symbol: string) => [{ symbol, source: 'bid-ask' as const }],
  quantity: ({ lots }: Pick<Worked, 'lots'>) => lots,
  isParent: () => true,
  groupOf: () => 'all',
};
