/**
 * The strategies of a perpetual: one quotes (in hedge mode it rests orders on both sides), the other opens, adds, reduces,
 * flips and closes as it comes to its mind, with and without reduce-only, well and badly. Both draw from the session's
 * own chance, so that a seed repeats them.
 */
import { filter, map, merge, throttleTime } from 'rxjs';
import {
  cancel,
  cancelAll,
  defineStrategy,
  flatten,
  place,
  quote,
  target,
  z,
  type Action,
} from '../../../../src/index.ts';
import type { PositionSide } from '../../../../src/model/trading/order.ts';
import type { FaultPlan } from '../fault-plan.ts';
import { perpetualProgramWhim } from './program-whims.ts';
import { PERPETUAL, type FuturesTerms } from './terms.ts';

const params = z.object({});
/** Of the base: what an order is at most. */
const SIZES = ['0.01', '0.02', '0.04', '0.08', '0.15'] as const;

export function perpetualQuoter(plan: FaultPlan, { mode }: FuturesTerms) {
  return defineStrategy({
    name: 'perp-quoter',
    params,
    symbols: () => [PERPETUAL],
    setup({ market, random }) {
      return market.top(PERPETUAL).pipe(
        throttleTime(2500),
        map(({ bid, ask }): Action | Action[] => {
          if (plan.strikes('strategy-throws')) throw new Error('an error of the simulated strategy');
          const quantity = `0.0${1 + Math.floor(random() * 5)}`;
          const away = Math.floor(random() * 8);
          if (mode === 'hedge') return bothSides(random, bid - away, ask + away, quantity);
          return quote(PERPETUAL, {
            bids: random() < 0.9 ? [{ price: roundTick(bid - away), quantity }] : [],
            asks: random() < 0.9 ? [{ price: roundTick(ask + away), quantity }] : [],
          });
        }),
      );
    },
  });
}

/** A quote has no position side, so in hedge mode single orders stand in for it. */
function bothSides(random: () => number, bid: number, ask: number, quantity: string): Action[] {
  const resting = { symbol: PERPETUAL, type: 'limit', quantity } as const;
  return [
    cancelAll({ symbol: PERPETUAL }),
    place({ ...resting, side: 'buy', price: roundTick(bid), positionSide: random() < 0.7 ? 'long' : 'short' }),
    place({ ...resting, side: 'sell', price: roundTick(ask), positionSide: random() < 0.7 ? 'short' : 'long' }),
  ];
}

/** `programs`: share of what it does; 0: none. */
export function perpetualRestless(plan: FaultPlan, { mode }: FuturesTerms, programs: number) {
  const sides: readonly PositionSide[] = mode === 'hedge' ? ['long', 'short'] : ['both'];
  return defineStrategy({
    name: 'perp-restless',
    params,
    symbols: () => [PERPETUAL],
    setup({ market, clock, account, random }) {
      let mid = 60_000;
      const watch = market.top(PERPETUAL).pipe(
        map((top): Action[] => {
          mid = top.mid;
          return [];
        }),
        filter((actions) => actions.length > 0),
      );
      const whims = clock.every('3s').pipe(
        filter(() => random() < 0.6),
        map(() => {
          if (plan.strikes('strategy-nonsense')) return nonsense();
          const refs = account.openOrders(PERPETUAL).map(({ ref }) => ref);
          const side = sides[Math.floor(random() * sides.length)] ?? 'both';
          if (programs > 0 && random() < programs) return perpetualProgramWhim(random, mid, side);
          const held = Number(account.position(PERPETUAL, side).quantity);
          return whim({ random, mid, refs, side, held });
        }),
      );
      // What was just opened is taken back by an order that may only reduce.
      const answers = account.fills().pipe(
        filter(() => random() < 0.15),
        map(({ side, quantity, positionSide }) =>
          place({
            symbol: PERPETUAL,
            side: side === 'buy' ? 'sell' : 'buy',
            type: 'market',
            quantity,
            reduceOnly: true,
            ...(positionSide === undefined ? {} : { positionSide }),
          }),
        ),
      );
      return merge(watch, whims, answers);
    },
  });
}

interface Mood {
  readonly random: () => number;
  readonly mid: number;
  readonly refs: readonly string[];
  readonly side: PositionSide;
  /** Signed. */
  readonly held: number;
}

function whim({ random, mid, refs, side, held }: Mood): Action | Action[] {
  const near = (away: number): string => roundTick(mid + away * (1 + random() * 20));
  const quantity = SIZES[Math.floor(random() * SIZES.length)] ?? '0.01';
  const order = { symbol: PERPETUAL, positionSide: side, quantity } as const;
  const opens = side === 'short' ? 'sell' : side === 'long' ? 'buy' : random() < 0.5 ? 'buy' : 'sell';
  const closes = held > 0 ? 'sell' : 'buy';
  const chance = random();
  if (chance < 0.22) return place({ ...order, side: opens, type: 'market' });
  if (chance < 0.36) return place({ ...order, side: opens, type: 'limit', price: near(opens === 'buy' ? -1 : 1) });
  if (chance < 0.46)
    return place({ ...order, side: closes, type: 'limit', price: near(held > 0 ? 1 : -1), reduceOnly: true });
  if (chance < 0.52) return place({ ...order, side: closes, type: 'market', reduceOnly: true });
  if (chance < 0.58 && held !== 0) {
    // Through zero in one order, which hedge mode does not know.
    const flip = (Math.abs(held) * 2).toFixed(4);
    return place({ ...order, side: closes, type: 'market', quantity: flip });
  }
  if (chance < 0.7) {
    const wanted = random() < 0.3 ? '0' : side === 'both' && random() < 0.5 ? `-${quantity}` : quantity;
    const via = random() < 0.5 ? 'market' : { limit: { price: near(0) } };
    return target(PERPETUAL, { quantity: wanted, positionSide: side, via });
  }
  if (chance < 0.77) return flatten(PERPETUAL);
  if (chance < 0.84) return cancelAll({ symbol: PERPETUAL });
  if (chance < 0.92 && refs.length > 0) return cancel({ ref: refs[Math.floor(random() * refs.length)] ?? '' });
  if (chance < 0.95) return [flatten(PERPETUAL), place({ ...order, side: opens, type: 'market' })];
  return Array.from({ length: 8 }, () => place({ ...order, side: opens, type: 'limit', price: near(-3) }));
}

/** What no executor may send, and what the exchange refuses. */
function nonsense(): Action[] {
  const order = { symbol: PERPETUAL, side: 'sell', type: 'market', quantity: '0.01' } as const;
  return [
    place({ ...order, quantity: '0.4', reduceOnly: true }),
    place({ ...order, quantity: Number.NaN }),
    place({ ...order, quantity: '0.00001' }),
    place({ ...order, positionSide: 'long' }),
    place({ ...order, positionSide: 'both' }),
    target(PERPETUAL, { quantity: '-1', positionSide: 'long' }),
    target(PERPETUAL, { quantity: '100' }),
  ];
}

/** The tick of the perpetual is 0.1. */
function roundTick(price: number): string {
  return price.toFixed(1).replace(/\.0$/, '');
}
