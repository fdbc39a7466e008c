/** A book over REST and by events against the resting orders of a model. */
import { amountText, type Amount } from './amount.ts';
import { agree, agreeLines } from './mismatch.ts';
import type { Setting } from './setting.ts';

interface Resting {
  readonly price: Amount | null;
  readonly quantity: Amount;
  readonly filled: Amount;
}

/** `sides`: resting orders, best first. */
export function checkBook(
  setting: Setting,
  symbol: string,
  sides: { readonly bids: readonly Resting[]; readonly asks: readonly Resting[] },
): void {
  const alice = setting.person(0);
  const path = `/api/v2/exchange/public/orderbook?symbol=${symbol}&limit=1000`;
  const book = setting.world.read(alice, path) as { seq: number; bids: [string, string][]; asks: [string, string][] };
  const told = alice.feed.books.get(symbol);
  agree(`seq of ${symbol}@depth`, String(told?.seq), String(book.seq));
  for (const side of ['bids', 'asks'] as const) {
    const levels = new Map<string, Amount>();
    for (const { price, quantity, filled } of sides[side]) {
      const name = amountText(price ?? 0n);
      levels.set(name, (levels.get(name) ?? 0n) + quantity - filled);
    }
    const expected = [...levels].map(([price, size]) => `${price}:${amountText(size)}`).join(' ');
    agree(`${side} of ${symbol}`, book[side].map(([price, size]) => `${price}:${size}`).join(' '), expected);
    agreeLines(`events and REST of ${symbol} ${side}`, told?.[side] ?? new Map(), new Map(book[side]));
  }
}
