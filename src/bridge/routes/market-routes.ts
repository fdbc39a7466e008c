/** What charts show: equity, candles, a book. */
import { z } from 'zod';
import { parseDuration } from '../../model/time.ts';
import type { SessionView } from '../fleet/session-view.ts';
import { bridgeErrors } from '../errors.ts';
import { book, candlePage, equityCurve, type Book } from '../schemas/market.ts';
import { ok, route, type Route } from '../server/route.ts';
import type { BridgeContext } from './context.ts';
import { mustKnow } from './known-symbol.ts';
import { sessionId } from './session-routes.ts';

const BOOK_WAIT_MS = 750;

const symbol = z.string().min(1).max(64);
const candlesQuery = z.strictObject({
  symbol,
  interval: z.string().max(8).default('1m').describe('As in strategies: 1m, 5m, 1h'),
  limit: z.coerce.number().int().min(1).max(1_000).default(500),
});
const bookQuery = z.strictObject({ symbol, depth: z.coerce.number().int().min(1).max(200).default(20) });

export function marketRoutes({ fleet, clock }: BridgeContext): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}/equity',
      name: 'equity',
      summary: 'The equity curve',
      role: 'read',
      params: sessionId,
      answers: { 200: { about: 'The curve', schema: equityCurve } },
      handle: async ({ params }) => {
        const view = fleet.find(params.id);
        return ok({ currency: view.currency, points: [...(await view.curve())] });
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}/candles',
      name: 'candles',
      summary: 'Candles of the exchange; empty where the session does not run or the exchange has none of the interval',
      role: 'read',
      params: sessionId,
      query: candlesQuery,
      answers: { 200: { about: 'The candles', schema: candlePage } },
      handle: async ({ params, query }) => {
        const intervalMs = parseDuration(query.interval);
        if (!(intervalMs > 0))
          throw bridgeErrors.make('bridge_bad_request', 'an interval is 1m, 5m, 1h …', { field: 'interval' });
        const view = fleet.find(params.id);
        mustKnow(view, query.symbol);
        const asked = { kind: 'candles', symbol: query.symbol, intervalMs, limit: query.limit } as const;
        const told = await view.ask(asked);
        const candles = told?.kind === 'candles' ? (told.candles ?? []) : [];
        return ok({ symbol: query.symbol, intervalMs, source: 'exchange', candles });
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}/book',
      name: 'book',
      summary: 'The order book as it is now',
      role: 'read',
      params: sessionId,
      query: bookQuery,
      answers: { 200: { about: 'The book', schema: book } },
      handle: async ({ params, query }) => {
        const found = await bookOf(fleet.find(params.id), query.symbol, query.depth, clock);
        if (found === null)
          throw bridgeErrors.make(
            'bridge_unknown',
            'the session has no book of this symbol, does not run, or has no dashboard of its own',
            { field: 'symbol' },
          );
        return ok(found);
      },
    }),
  ];
}

async function bookOf(
  view: SessionView,
  wanted: string,
  depth: number,
  clock: BridgeContext['clock'],
): Promise<Book | null> {
  if (!view.isOwn) return view.bookThere(wanted, depth);
  if ((await view.live()) === null) return null;
  const next = Promise.withResolvers<Book | null>();
  /** It may have been posted for those who want fewer levels. */
  let first: Book | null = null;
  const remove = view.watch.add({
    books: { [wanted]: depth },
    live: () => {},
    market: ({ books }) => {
      const found = books.find((one) => one.symbol === wanted);
      if (found === undefined) return;
      const told = { ...found, bids: found.bids.slice(0, depth), asks: found.asks.slice(0, depth) };
      if (first !== null || Math.min(told.bids.length, told.asks.length) === depth) next.resolve(told);
      first ??= told;
    },
  });
  const cancel = clock.after(BOOK_WAIT_MS, () => next.resolve(first));
  try {
    return await next.promise;
  } finally {
    cancel();
    remove();
  }
}
