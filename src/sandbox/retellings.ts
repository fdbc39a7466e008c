/**
 * Faults that change nothing but what is told: an answer or a push with the same facts in other words. Each takes the text
 * that would have been sent and gives the one that is sent instead, the same text where it has nothing to change. Pure.
 * Used by `faults.ts`.
 */
import { isRecord } from '../exchange/wire/decoded.ts';

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

export const retellings = { takerSide } as const satisfies Readonly<Record<string, (text: string) => string>>;

export type RetellingKind = keyof typeof retellings;

export function isRetelling(kind: string): kind is RetellingKind {
  return Object.hasOwn(retellings, kind);
}
