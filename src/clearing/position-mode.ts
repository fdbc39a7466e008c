/**
 * One position per symbol, or a long and a short side. In hedge mode each side opens in one direction and closes in the
 * other.
 */
import type { PositionSide, Side } from '../model/trading/order.ts';
import { refusal, type ClearingRefusal } from './refusal.ts';

export type PositionMode = 'one-way' | 'hedge';

export const sidesOfMode: Readonly<Record<PositionMode, readonly PositionSide[]>> = {
  'one-way': ['both'],
  hedge: ['long', 'short'],
};

/** True for an order that can never open. */
export function onlyCloses(
  positionSide: PositionSide | undefined,
  side: Side,
  reduceOnly: boolean | undefined,
): boolean {
  if (reduceOnly === true) return true;
  return positionSide === 'long' ? side === 'sell' : positionSide === 'short' && side === 'buy';
}

export function refuseSide(mode: PositionMode, side: PositionSide): ClearingRefusal | undefined {
  if (sidesOfMode[mode].includes(side)) return undefined;
  const sides = mode === 'hedge' ? 'long or short' : 'both';
  return refusal('illegal_transition', `in ${mode} mode the position side is ${sides}`, 'positionSide');
}
