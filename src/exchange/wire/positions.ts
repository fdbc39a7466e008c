/**
 * Open positions on the wire (wire profile, "Position"), both ways: the list and the `position-info` channel.
 */
import { z } from 'zod';
import type { VenuePosition } from '../../model/account.ts';
import { amount, decimal, optionalPrice, symbol, time } from './scalars.ts';

export const positionSchema: z.ZodType<VenuePosition> = z.object({
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
});

export function encodePosition(position: VenuePosition): Record<string, unknown> {
  return { ...position };
}
