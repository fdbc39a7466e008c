/**
 * The strategies of the simulated process: one quotes around the market, the other does whatever comes to its mind, legal
 * and silly alike. Both draw from the session's own chance, so that a seed repeats them.
 */
import { concat, filter, map, merge, mergeMap, of, take, throttleTime, type Observable } from 'rxjs';
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
  type StrategyContext,
} from '../../../src/index.ts';
import type { FaultPlan } from './fault-plan.ts';
import { programWhim } from './program-whims.ts';
import { transferWhim } from './transfer-whims.ts';

export const SYMBOL = 'BTCUSDT';

const STORM = 1000;

const params = z.object({});

export function quoter(plan: FaultPlan) {
  return defineStrategy({
    name: 'quoter',
    params,
    symbols: () => [SYMBOL],
    setup({ market, random }) {
      return market.top(SYMBOL).pipe(
        throttleTime(2500),
        map(({ bid, ask }) => {
          if (plan.strikes('strategy-throws')) throw new Error('an error of the simulated strategy');
          const quantity = `0.0${1 + Math.floor(random() * 5)}`;
          const away = Math.floor(random() * 8);
          return quote(SYMBOL, {
            bids: random() < 0.9 ? [{ price: bid - away, quantity }] : [],
            asks: random() < 0.9 ? [{ price: ask + away, quantity }] : [],
          });
        }),
      );
    },
  });
}

/** Of its whims; 0: none. */
export interface WhimShares {
  readonly programs: number;
  readonly transfers: number;
}

export function restless(plan: FaultPlan, { programs, transfers }: WhimShares) {
  return defineStrategy({
    name: 'restless',
    params,
    symbols: () => [SYMBOL],
    setup({ market, clock, account, random }) {
      let mid = 60_000;
      const watch = market.top(SYMBOL).pipe(
        map((top): Action[] => {
          mid = top.mid;
          return [];
        }),
        filter((actions) => actions.length > 0),
      );
      const whims = clock.every('3s').pipe(
        filter(() => random() < 0.6),
        map(() => {
          if (plan.strikes('strategy-storm')) return storm(mid);
          if (plan.strikes('strategy-nonsense')) return nonsense();
          if (transfers > 0 && random() < transfers) return transferWhim(random);
          if (programs > 0 && random() < programs) return programWhim(random, mid, SYMBOL);
          const refs = account.openOrders(SYMBOL).map(({ ref }) => ref);
          return whim(random, mid, refs);
        }),
      );
      // Orders in a callback of an order: what comes of an own fill is sold at once.
      const answers = account.fills().pipe(
        filter(() => random() < 0.2),
        map(({ side, quantity }) =>
          place({ symbol: SYMBOL, side: side === 'buy' ? 'sell' : 'buy', type: 'market', quantity }),
        ),
      );
      if (plan.strength('strategy-regrets') === 0) return merge(watch, whims, answers);
      const regrets = clock.every('3s').pipe(
        filter(() => plan.strikes('strategy-regrets')),
        mergeMap(() => regretted(clock, mid)),
      );
      return merge(watch, whims, answers, regrets);
    },
  });
}

/** Away from the market, and gone a second later: often before the exchange has answered. */
function regretted(clock: StrategyContext<unknown>['clock'], mid: number): Observable<Action> {
  const ref = `regretted-${clock.now()}`;
  const order = place({
    symbol: SYMBOL,
    side: 'buy',
    type: 'limit',
    price: Math.round(mid) - 200,
    quantity: '0.01',
    ref,
  });
  const gone = clock.every('1s').pipe(
    take(1),
    map((): Action => cancel({ ref })),
  );
  return concat(of<Action>(order), gone);
}

/** A thousand intents of one moment (M18), of which limits and the message rate let few through. */
function storm(mid: number): Action[] {
  return Array.from({ length: STORM }, (_, index) =>
    place({ symbol: SYMBOL, side: 'buy', type: 'limit', price: Math.round(mid) - index, quantity: '0.05' }),
  );
}

/** What no executor may send. */
function nonsense(): Action[] {
  const order = { symbol: SYMBOL, side: 'buy', type: 'limit' } as const;
  return [
    place({ ...order, price: 50_000, quantity: Number.NaN }),
    place({ ...order, price: Number.POSITIVE_INFINITY, quantity: '0.01' }),
    place({ ...order, price: 50_000, quantity: '-0.01' }),
    place({ ...order, price: 50_000, quantity: '0' }),
    place({ ...order, price: '60000.0001', quantity: '0.0100000001' }),
    place({ ...order, symbol: 'NOPEUSDT', price: 1, quantity: '1' }),
    place({ ...order, side: 'sell', price: 59_000, quantity: '0.5', reduceOnly: true }),
    target(SYMBOL, { quantity: '100' }),
    cancel({ ref: 'no-such-order' }),
  ];
}

function whim(random: () => number, mid: number, refs: readonly string[]): Action | Action[] {
  const near = (away: number): number => Math.round(mid + away * (1 + random() * 20));
  const quantity = `0.0${1 + Math.floor(random() * 5)}`;
  const chance = random();
  if (chance < 0.2) return place({ symbol: SYMBOL, side: 'buy', type: 'limit', price: near(-1), quantity });
  if (chance < 0.4) return place({ symbol: SYMBOL, side: 'sell', type: 'limit', price: near(1), quantity });
  if (chance < 0.45) {
    return place({ symbol: SYMBOL, side: 'buy', type: 'limit', price: near(1), quantity, timeInForce: 'ioc' });
  }
  if (chance < 0.55) {
    return place({ symbol: SYMBOL, side: random() < 0.5 ? 'buy' : 'sell', type: 'market', quantity });
  }
  if (chance < 0.65) return target(SYMBOL, { quantity: random() < 0.3 ? '0' : quantity });
  if (chance < 0.7) return flatten(SYMBOL);
  if (chance < 0.78) return cancelAll({ symbol: SYMBOL });
  if (chance < 0.9 && refs.length > 0) return cancel({ ref: refs[Math.floor(random() * refs.length)] ?? '' });
  if (chance < 0.93) return place({ symbol: SYMBOL, side: 'buy', type: 'limit', price: mid * 2, quantity: '900' });
  // Many at once, of which limits and the message rate let some through.
  return Array.from({ length: 12 }, () =>
    place({ symbol: SYMBOL, side: 'buy', type: 'limit', price: near(-3), quantity: '0.001' }),
  );
}
