/** Runs the example of a program as the page shows it, second by second, with a `kill -9` on the way; answers what happened. */
import { runInNewContext } from 'node:vm';
import { concatMap, EMPTY, from, take } from 'rxjs';
import * as api from '../../../src/index.ts';
import type { Action } from '../../../src/model/trading/action.ts';
import type { Fill } from '../../../src/model/trading/fill.ts';
import { scenario } from '../../../src/testing/index.ts';
import type { Life } from './lives.ts';

export interface Rested {
  readonly from: number;
  readonly to: number;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly price: number;
}

export interface Happened {
  readonly rested: readonly Rested[];
  /** Triggers that waited: second and price. */
  readonly triggers: readonly (readonly [second: number, price: number])[];
  readonly fills: readonly (Pick<Fill, 'symbol' | 'side' | 'quantity'> & {
    readonly second: number;
    readonly price: number;
  })[];
  /** The program's last word. */
  readonly end: string;
}

const HALF_SPREAD_BPS = 0.05;
/** Base units at the best bid and ask. */
const DEPTH = 0.5;
/** Base units printed each second, at the touch. */
const PRINTED = 0.02;
const TICK = 0.01;

/** The actions that the code of the page makes: expressions, one after the other. */
function actionsOf(code: string): readonly Action[] {
  return runInNewContext(`[${code}]`, { ...api }) as readonly Action[];
}

function onTick(price: number): number {
  return Math.round(price / TICK) / Math.round(1 / TICK);
}

export async function run(code: string, life: Life): Promise<Happened> {
  const { symbols, depth = DEPTH } = life;
  const [symbol = ''] = symbols;
  const strategy = api.defineStrategy({
    name: 'example',
    setup: ({ market, state }) => {
      // The strategy begins anew after the kill; what it emitted stands in the journal.
      const emitted = state(api.z.boolean(), false);
      if (emitted.get()) return EMPTY;
      return market.top(symbols.at(-1) ?? symbol).pipe(
        take(1),
        concatMap(() => {
          emitted.set(true);
          return from(actionsOf(code));
        }),
      );
    },
  });
  const scene0 = scenario({ strategy, at: symbols, config: { risk: { maxOrderEquityFraction: 1 } } });
  let scene = await scene0.advance('0s');
  const rested = new Map<string, Rested>();
  const triggers: [number, number][] = [];
  const fills: Happened['fills'][number][] = [];
  let end = '';
  let known = 0;
  for (const [second, mids] of life.prices.entries()) {
    for (const [index, mid] of mids.entries()) {
      const name = symbols[index] ?? symbol;
      const half = mid * HALF_SPREAD_BPS * 1e-4;
      const [bid, ask] = [onTick(mid - half), onTick(mid + half)];
      const side = second % 2 === 0 ? 'sell' : 'buy';
      scene = await scene
        .book({ symbol: name, bid, ask, bidQuantity: depth, askQuantity: depth })
        .trade({ symbol: name, price: side === 'sell' ? bid : ask, quantity: PRINTED, side });
    }
    if (second === life.killedAt) scene = await scene.crash();
    scene = await scene.advance('1s');
    for (const { ref, symbol: of, side, price, type } of scene.orders) {
      if (price === null || type !== 'limit') continue;
      const key = `${ref} ${price}`;
      rested.set(key, {
        from: rested.get(key)?.from ?? second,
        to: second + 1,
        symbol: of,
        side,
        price: Number(price),
      });
    }
    for (const fill of scene.fills.slice(known))
      fills.push({
        second: second + 0.5,
        symbol: fill.symbol,
        side: fill.side,
        quantity: fill.quantity,
        price: Number(fill.price),
      });
    known = scene.fills.length;
    const program = scene.programs.at(-1);
    if (program?.next.trigger !== undefined) triggers.push([second, Number(program.next.trigger)]);
    if (program !== undefined)
      end =
        program.state === 'working' ? `works, ${program.filled} filled` : `${program.state}: ${program.reason ?? ''}`;
  }
  return { rested: [...rested.values()], triggers, fills, end };
}
