/**
 * Faults that change nothing but what is told: an answer or a push with the same facts in other words. Each takes the text
 * that would have been sent and gives the one that is sent instead, the same text where it has nothing to change. Pure.
 * Used by `faults.ts`.
 */
import { isRecord } from '../exchange/wire/decoded.ts';

/** What `falseStatus` may say of an order that rests. */
export const falseStatuses = ['canceled', 'filled', 'expired', 'rejected'] as const;
export type FalseStatus = (typeof falseStatuses)[number];

/** Own trades bear the side of the taker: that of the other party where the user was the maker. */
function takerSide(text: string): string {
  if (!text.includes('"maker"')) return text;
  return JSON.stringify(
    JSON.parse(text, (_key, value: unknown) => {
      const isMaker = isRecord(value) && value['liquidity'] === 'maker' && 'tradeId' in value;
      return isMaker ? { ...value, side: value['side'] === 'buy' ? 'sell' : 'buy' } : value;
    }),
  );
}

/** Own orders that rest bear a status in which they would be over; `filled` with all of their quantity. */
function falseStatus(text: string, status: FalseStatus): string {
  if (!text.includes('"new"') && !text.includes('"partially_filled"')) return text;
  return JSON.stringify(
    JSON.parse(text, (_key, value: unknown) => {
      if (!isRecord(value) || !('orderId' in value)) return value;
      if (value['status'] !== 'new' && value['status'] !== 'partially_filled') return value;
      const { quantity, price } = value;
      return status === 'filled'
        ? { ...value, status, filledQuantity: quantity, averagePrice: price }
        : { ...value, status };
    }),
  );
}

type Retelling = (text: string, status: FalseStatus) => string;

export const retellings = { takerSide, falseStatus } as const satisfies Readonly<Record<string, Retelling>>;

export type RetellingKind = keyof typeof retellings;

export function isRetelling(kind: string): kind is RetellingKind {
  return Object.hasOwn(retellings, kind);
}
