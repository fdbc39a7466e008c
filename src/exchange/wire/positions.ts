/** Open and closed positions, both ways, and position settings (assumed). */
import { z } from 'zod';
import type { VenuePosition } from '../../model/trading/account.ts';
import { amount, decimal, displayNumber, optionalPrice, symbol, time } from './scalars.ts';

const open = {
  symbol,
  positionSide: z.enum(['both', 'long', 'short']),
  /** Signed in one-way mode. */
  quantity: decimal,
  entryPrice: amount,
  markPrice: amount,
  leverage: amount,
  marginType: z.enum(['isolated', 'cross']),
  margin: decimal,
  liquidationPrice: optionalPrice,
  unrealizedPnl: decimal,
  realizedPnl: decimal,
  updatedAt: time,
};

export const positionSchema: z.ZodType<VenuePosition> = z.object(open);

export function encodePosition(position: VenuePosition): Record<string, unknown> {
  return { ...position };
}

/** `quantity`: the maximum held, signed as while open. */
export interface ClosedPosition extends VenuePosition {
  /** Average, quote units. */
  readonly closePrice: string;
  /** Unix ms. */
  readonly openedAt: number;
  readonly closedAt: number;
  /** Settlement currency; positive fees are paid, positive funding received. */
  readonly fees: string;
  readonly funding: string;
}

export const closedPositionSchema: z.ZodType<ClosedPosition> = z.object({
  ...open,
  closePrice: amount,
  openedAt: time,
  closedAt: time,
  fees: decimal,
  funding: decimal,
});

export type MarginType = VenuePosition['marginType'];
export type PositionMode = 'one-way' | 'hedge';

export interface LeverageSetting {
  readonly symbol: string;
  readonly leverage: number;
}

export const leverageSchema: z.ZodType<LeverageSetting> = z.object({ symbol, leverage: displayNumber });

export interface MarginTypeSetting {
  readonly symbol: string;
  readonly marginType: MarginType;
}

export const marginTypeSchema: z.ZodType<MarginTypeSetting> = z.object({
  symbol,
  marginType: z.enum(['isolated', 'cross']),
});

/** Whole account. */
export interface PositionModeSetting {
  readonly mode: PositionMode;
}

export const positionModeSchema: z.ZodType<PositionModeSetting> = z.object({ mode: z.enum(['one-way', 'hedge']) });
