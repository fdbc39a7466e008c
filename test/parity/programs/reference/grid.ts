/** `grid`: buys below the price, sales above it; what each level has filled gets its opposite one level away. */
import type { Child, Desk, Reference, Side } from '../desk.ts';
import { fires, priceOf, type Source } from './trigger.ts';

export interface GridTerms {
  /** Ticks, from low to high. */
  readonly prices: readonly number[];
  readonly quantity: number;
  /** Lots of the least order at a price. */
  readonly least: (price: number) => number;
  readonly side: 'long' | 'short' | 'neutral';
  /** Beyond the levels, ticks. */
  readonly stopLoss?: number;
  readonly takeProfit?: number;
  readonly by?: Source;
}

export function gridPrices(low: number, high: number, levels: number, spacing: 'arithmetic' | 'geometric'): number[] {
  return Array.from({ length: levels }, (_, index) => {
    const part = index / (levels - 1);
    return Math.round(spacing === 'arithmetic' ? low + (high - low) * part : low * (high / low) ** part);
  });
}

interface Interval {
  readonly leg: string;
  readonly opens: Side;
  readonly low: number;
  readonly high: number;
  /** All that it has sent. */
  readonly entries: Child[];
  readonly exits: Child[];
}

function sum(children: readonly Child[]): number {
  return children.reduce((all, { filled }) => all + filled, 0);
}

function left({ wish, filled }: Child): number {
  return wish.quantity - filled;
}

/**
 * Each interval between two levels opens at one end and closes at the other what that has filled. In a neutral grid
 * those above the price sell at their upper end, the others buy at their lower one. An order that would cross waits
 * until it would rest.
 */
export function grid(terms: GridTerms): Reference {
  const { prices, quantity, side, least } = terms;
  let intervals: readonly Interval[] = [];
  let fired: 'stopLoss' | 'takeProfit' | undefined;
  /** A bound below all levels fires from above, one above them from below. */
  const reached = (desk: Desk, bound: number | undefined, held: number): boolean => {
    const price = priceOf(desk, held < 0 ? 'buy' : 'sell', terms.by);
    return bound !== undefined && price !== null && fires(bound <= (prices[0] ?? 0) ? 'sell' : 'buy', price, bound);
  };
  return {
    isEntry: (leg) => leg.startsWith('level:') && !leg.endsWith(':close'),
    act: (desk, news) => {
      const { bid, ask } = desk.touch();
      if (news.kind === 'start') {
        intervals = prices.slice(1).map((high, index): Interval => {
          const low = prices[index] ?? 0;
          const buys = side === 'long' || (side === 'neutral' && low < (bid + ask) / 2);
          return { leg: `level:${index + 1}`, opens: buys ? 'buy' : 'sell', low, high, entries: [], exits: [] };
        });
      }
      const held = desk.filled('buy') - desk.filled('sell');
      if (fired === undefined && reached(desk, terms.stopLoss, held)) fired = 'stopLoss';
      if (fired === undefined && reached(desk, terms.takeProfit, held)) fired = 'takeProfit';
      if (fired !== undefined) {
        for (const child of desk.open()) if (child.wish.price !== null) desk.cancel(child);
        if (desk.open().length > 0) return;
        if (held === 0) desk.end('done', fired);
        else desk.send({ leg: fired, side: held > 0 ? 'sell' : 'buy', price: null, quantity: Math.abs(held) });
        return;
      }
      /** The first order of the other side that one at this price would meet. */
      const met = (of: Side, price: number): Child | undefined =>
        desk.open().find(({ wish }) => {
          if (wish.side === of || wish.price === null) return false;
          return of === 'buy' ? wish.price <= price : wish.price >= price;
        });
      for (const { leg, opens, low, high, entries, exits } of intervals) {
        const inside = sum(entries) - sum(exits);
        const closes = opens === 'buy' ? 'sell' : 'buy';
        const price = opens === 'buy' ? high : low;
        const exit = exits.at(-1);
        if (exit?.isOpen === true) {
          // It grows with what fills: by a least order at a time, or by the last of it.
          const more = inside - left(exit);
          if (more > 0 && (more >= least(price) || entries.at(-1)?.isOpen !== true)) desk.cancel(exit);
          continue;
        }
        if (inside < least(price)) continue;
        const inTheWay = met(closes, price);
        if (inTheWay === undefined)
          exits.push(desk.send({ leg: `${leg}:close`, side: closes, price, quantity: inside }));
        // What closes goes before what opens.
        else if (inTheWay.wish.leg?.endsWith('close') === false) desk.cancel(inTheWay);
      }
      for (const { leg, opens, low, high, entries, exits } of intervals) {
        const inside = sum(entries) - sum(exits);
        const [price, away] = opens === 'buy' ? [low, high] : [high, low];
        // Nothing more opens until what is inside is closed; what rests stays.
        if (exits.at(-1)?.isOpen === true || inside >= least(away)) continue;
        const missing = quantity - inside;
        const entry = entries.at(-1);
        if (entry?.isOpen === true) {
          if (left(entry) !== missing) desk.cancel(entry);
          continue;
        }
        const rests = opens === 'buy' ? price < ask : price > bid;
        if (missing < least(price) || !rests || met(opens, price) !== undefined) continue;
        entries.push(desk.send({ leg, side: opens, price, quantity: missing }));
      }
    },
  };
}
