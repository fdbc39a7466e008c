/** A spot order in the model, and its line as REST and events tell it. */
import { amountText, averageText, type Amount } from './amount.ts';
import { lineOf } from './mismatch.ts';
import type { Person } from './world.ts';

export interface Pair {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly tick: string;
  readonly lot: string;
  readonly minQuantity: string;
  readonly maxQuantity: string;
  readonly minNotional: string;
}

export interface Order {
  readonly orderId: string;
  readonly owner: Person;
  readonly pair: Pair;
  readonly side: 'buy' | 'sell';
  readonly type: string;
  readonly timeInForce: string;
  readonly price: Amount | null;
  readonly quantity: Amount;
  readonly id: string | null;
  readonly createdAt: number;
  updatedAt: number;
  filled: Amount;
  value: Amount;
  locked: Amount;
  status: string;
}

/** A market order goes no further than a tenth from the best price (assumed). */
export function inReach(rivals: readonly Order[], side: 'buy' | 'sell'): readonly Order[] {
  const limit = ((rivals[0]?.price ?? 0n) * (side === 'buy' ? 11n : 9n)) / 10n;
  return rivals.filter(({ price }) => (side === 'buy' ? (price ?? 0n) <= limit : (price ?? 0n) >= limit));
}

export function lockedCurrency({ side, pair }: Order): string {
  return side === 'buy' ? pair.quote : pair.base;
}

export function orderLine({
  orderId,
  id,
  pair,
  side,
  type,
  timeInForce,
  price,
  quantity,
  filled,
  value,
  ...rest
}: Order): string {
  return lineOf({
    orderId,
    clientOrderId: id ?? undefined,
    market: 'spot',
    symbol: pair.symbol,
    side,
    type,
    timeInForce,
    price: price === null ? null : amountText(price),
    quantity: amountText(quantity),
    filledQuantity: amountText(filled),
    averagePrice: filled === 0n ? null : averageText(value, filled),
    status: rest.status,
    createdAt: rest.createdAt,
    updatedAt: rest.updatedAt,
  });
}
