/** An order of a perpetual in the model, the place of its position, and its line as REST and events tell it. */
import { amountText, averageText, type Amount } from './amount.ts';
import { lineOf } from './mismatch.ts';
import type { Position } from './position.ts';
import type { Person } from './world.ts';

export interface Perpetual {
  readonly symbol: string;
  readonly tickSize: string;
  readonly lotSize: string;
  readonly minQuantity: string;
  readonly maxQuantity: string;
  readonly minNotional: string;
}

export interface ClosedRound {
  readonly person: Person;
  readonly line: string;
}

export type PositionSide = 'both' | 'long' | 'short';

export interface Slot {
  readonly person: Person;
  readonly symbol: string;
  readonly side: PositionSide;
  readonly position: Position;
  /** As REST last said; of an isolated position. */
  margin: Amount;
  /** Something changed it since. */
  isTouched: boolean;
}

export interface FuturesOrder {
  readonly orderId: string;
  readonly owner: Person;
  readonly slot: Slot;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly type: string;
  readonly timeInForce: string;
  readonly positionSide: PositionSide;
  readonly reduceOnly: boolean;
  readonly price: Amount | null;
  readonly quantity: Amount;
  readonly createdAt: number;
  updatedAt: number;
  filled: Amount;
  value: Amount;
  status: string;
}

export function orderLine(order: FuturesOrder): string {
  const { orderId, symbol, side, type, timeInForce, positionSide, reduceOnly, price, quantity, filled, value } = order;
  const { status, createdAt, updatedAt } = order;
  return lineOf({
    orderId,
    market: 'derivative',
    symbol,
    side,
    type,
    timeInForce,
    positionSide,
    reduceOnly,
    price: price === null ? null : amountText(price),
    quantity: amountText(quantity),
    filledQuantity: amountText(filled),
    averagePrice: filled === 0n ? null : averageText(value, filled),
    status,
    createdAt,
    updatedAt,
  });
}

export function isActive({ status }: FuturesOrder): boolean {
  return status === 'new' || status === 'partially_filled';
}

export function onlyCloses({
  reduceOnly,
  positionSide,
  side,
}: Pick<FuturesOrder, 'reduceOnly' | 'positionSide' | 'side'>): boolean {
  return reduceOnly || (positionSide === 'long' && side === 'sell') || (positionSide === 'short' && side === 'buy');
}
