/** `rebalance` and `pair`: programs of several symbols. */
import type { Child, Desk, Reference, Side } from '../desk.ts';
import { Retry } from './retry.ts';

export interface Holding {
  readonly symbol: string;
  /** Lots. */
  readonly held: number;
  readonly weight: number;
  /** Quote units of a lot at a price of one tick. */
  readonly tickLot: number;
}

/** The fewest trades to the weights of all that is held, at the mids of the start; sales first, each whole lots. */
export function rebalance(holdings: readonly Holding[], quote: number, band: number): Reference {
  let left: { readonly symbol: string; readonly side: Side; readonly quantity: number }[] = [];
  return {
    act: (desk, news) => {
      if (news.kind === 'start') {
        const worth = holdings.map(({ symbol, held, tickLot }) => {
          const { bid, ask } = desk.touch(symbol);
          const lot = ((bid + ask) / 2) * tickLot;
          return { lot, value: held * lot };
        });
        const all = worth.reduce((sum, { value }) => sum + value, quote);
        const trades = holdings.flatMap(({ symbol, weight }, index) => {
          const { lot, value } = worth[index] ?? { lot: 1, value: 0 };
          const missing = weight * all - value;
          const quantity = Math.floor(Math.abs(missing) / lot + 1e-7);
          if (Math.abs(missing) <= band * all || quantity === 0) return [];
          return [{ symbol, side: missing > 0 ? ('buy' as const) : ('sell' as const), quantity }];
        });
        left = [...trades.filter(({ side }) => side === 'sell'), ...trades.filter(({ side }) => side === 'buy')];
      }
      if (desk.open().length > 0) return;
      const sells = left.filter(({ side }) => side === 'sell');
      const next = sells.length > 0 ? sells : left;
      left = left.filter((trade) => !next.includes(trade));
      for (const { symbol, side, quantity } of next) desk.send({ symbol, side, price: null, quantity });
      if (next.length === 0) desk.end('done');
    },
  };
}

export interface PairLeg {
  readonly symbol: string;
  readonly side: Side;
  /** Lots. */
  readonly quantity: number;
}

/** All legs cross at once; after `within` what is ahead of the leg that is most behind goes back, where it is too much. */
export function pair(legs: readonly PairLeg[], unhedged: number, withinUs: number): Reference {
  const works = legs.map((leg) => ({ ...leg, forth: new Retry(), back: new Retry() }));
  let endUs = 0;
  const childrenOf = (desk: Desk, leg: string): readonly Child[] =>
    desk.children.filter(({ wish }) => wish.leg === leg);
  const filledOf = (desk: Desk, leg: string): number =>
    childrenOf(desk, leg).reduce((sum, { filled }) => sum + filled, 0);
  return {
    act: (desk, news) => {
      if (news.kind === 'start') {
        endUs = desk.nowUs + withinUs;
        desk.wake(endUs);
      }
      const ways = works.map((work, index) => {
        const [forth, back] = [`leg:${index + 1}`, `leg:${index + 1}:undo`];
        return { ...work, names: { forth, back }, out: filledOf(desk, forth), home: filledOf(desk, back) };
      });
      const isOver = desk.nowUs >= endUs;
      if (!isOver && ways.every(({ out, quantity }) => out === quantity)) {
        desk.end('done');
        return;
      }
      const least = Math.min(...ways.map(({ out, home, quantity }) => (out - home) / quantity));
      let isSettled = isOver;
      for (const { symbol, side, quantity, forth, back, names, out, home } of ways) {
        if (isOver && childrenOf(desk, names.forth).some(({ isOpen }) => isOpen)) {
          isSettled = false;
          continue;
        }
        const name = isOver ? names.back : names.forth;
        const ahead = Math.floor(out - home - least * quantity + 1e-7);
        const missing = isOver ? (ahead > unhedged * quantity ? ahead : 0) : quantity - out;
        const last = childrenOf(desk, name).at(-1);
        if (missing <= 0 && last?.isOpen !== true) continue;
        isSettled = false;
        if (last?.isOpen === true || !(isOver ? back : forth).mayGo(desk, last, isOver ? home : out)) continue;
        const way = isOver === (side === 'sell') ? 'buy' : 'sell';
        desk.send({ leg: name, symbol, side: way, price: null, quantity: missing });
      }
      if (isSettled) desk.end(least >= 1 ? 'done' : 'failed');
    },
  };
}
