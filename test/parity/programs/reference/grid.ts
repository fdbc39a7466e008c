/** `grid`: buys below the price, sales above it; each level that has filled places its opposite one level away. */
import type { Child, Desk, Reference, Side } from '../desk.ts';
import { fires, priceOf, type Source } from './trigger.ts';

export interface GridTerms {
  /** Ticks, from low to high. */
  readonly prices: readonly number[];
  readonly quantity: number;
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
  child: Child | undefined;
  isClosing: boolean;
  /** Lots that an order withdrawn for a neighbour had filled. */
  got: number;
}

/**
 * Each interval between two levels has one order. In a neutral grid those above the price sell at their upper end, the
 * others buy at their lower one. An order that would cross waits until it would rest.
 */
export function grid(terms: GridTerms): Reference {
  const { prices, quantity, side } = terms;
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
          const opens = buys ? 'buy' : 'sell';
          return { leg: `level:${index + 1}`, opens, low, high, child: undefined, isClosing: false, got: 0 };
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
      for (const interval of intervals) {
        const { leg, opens, low, high, child, isClosing } = interval;
        if (child === undefined || child.isOpen) continue;
        if (isClosing) {
          interval.isClosing = false;
          interval.child = undefined;
          interval.got = 0;
          continue;
        }
        if (interval.got + child.filled < quantity) {
          interval.got += child.filled;
          interval.child = undefined;
          continue;
        }
        const closes = opens === 'buy' ? 'sell' : 'buy';
        const price = opens === 'buy' ? high : low;
        const inTheWay = met(closes, price);
        if (inTheWay === undefined) {
          interval.isClosing = true;
          interval.child = desk.send({ leg: `${leg}:close`, side: closes, price, quantity });
        } else if (inTheWay.wish.leg?.endsWith('close') === false) {
          // What closes goes before what opens.
          desk.cancel(inTheWay);
        }
      }
      for (const interval of intervals) {
        const { leg, opens, low, high } = interval;
        const price = opens === 'buy' ? low : high;
        const rests = opens === 'buy' ? price < ask : price > bid;
        if (interval.child !== undefined || !rests || met(opens, price) !== undefined) continue;
        interval.child = desk.send({ leg, side: opens, price, quantity: quantity - interval.got });
      }
    },
  };
}
