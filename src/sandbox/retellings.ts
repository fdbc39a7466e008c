/** Faults that rewrite the text of an answer or push without changing any state. */
import { isRecord } from '../exchange/wire/decoded.ts';

export const falseStatuses = ['canceled', 'filled', 'expired', 'rejected'] as const;
export type FalseStatus = (typeof falseStatuses)[number];

function takerSide(text: string): string {
  if (!text.includes('"maker"')) return text;
  return JSON.stringify(
    JSON.parse(text, (_key, value: unknown) => {
      const isMaker = isRecord(value) && value['liquidity'] === 'maker' && 'tradeId' in value;
      return isMaker ? { ...value, side: value['side'] === 'buy' ? 'sell' : 'buy' } : value;
    }),
  );
}

/** `filled` gets the whole quantity. */
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
