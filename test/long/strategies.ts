/**
 * What trades in the long runs: one strategy that touches everything a strategy may keep alive for weeks (streams,
 * candles, indicators, timers, state, subscriptions that come and go), and one that holds still.
 */
import { map, merge, switchMap, take, throttleTime, type Observable } from 'rxjs';
import { defineStrategy, note, place, quote, z, type Action } from '../../src/index.ts';
import { SYMBOL } from './market.ts';

const params = z.object({});

/** Quotes once a minute, takes once in five minutes, and says so. */
export const busy = defineStrategy({
  name: 'busy',
  params,
  symbols: () => [SYMBOL],
  setup({ market, account, clock, state, indicators, random }): Observable<Action> {
    const seen = state(z.number(), 0, 'seen');
    const average = indicators.sma(20);
    const quotes = market.top(SYMBOL).pipe(
      throttleTime(60_000),
      map(({ bid, ask }) => {
        const away = Math.floor(random() * 8);
        return quote(SYMBOL, {
          bids: [{ price: bid - away, quantity: '0.01' }],
          asks: [{ price: ask + away, quantity: '0.01' }],
        });
      }),
    );
    const takes = clock
      .every('5m')
      .pipe(
        map(() => place({ symbol: SYMBOL, side: random() < 0.5 ? 'buy' : 'sell', type: 'market', quantity: '0.01' })),
      );
    const bars = market.candles(SYMBOL, '1m').pipe(
      map(({ close }) => {
        seen.set(seen.get() + 1);
        return note('bar', { average: average.next(Number(close)) ?? null });
      }),
    );
    // Subscriptions that come and go with each fill.
    const looks = account.fills().pipe(
      switchMap(() => merge(market.book(SYMBOL), market.trades(SYMBOL)).pipe(take(3))),
      throttleTime(60_000),
      map(() => note('looked')),
    );
    return merge(quotes, takes, bars, looks);
  },
});

/** One order that rests far away. */
export const still = defineStrategy({
  name: 'still',
  params,
  symbols: () => [SYMBOL],
  setup: ({ market }) =>
    market.top(SYMBOL).pipe(
      take(1),
      map(({ bid }) =>
        place({ symbol: SYMBOL, side: 'buy', type: 'limit', price: Math.round(bid * 0.97), quantity: '0.001' }),
      ),
    ),
});
