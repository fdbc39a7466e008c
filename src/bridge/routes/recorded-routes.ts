/** What a session saw, from its recording: also of one that is over. */
import { join } from 'node:path';
import { z } from 'zod';
import { parseDuration } from '../../model/time.ts';
import { sessionFiles } from '../../session/store/store.ts';
import { bridgeErrors } from '../errors.ts';
import { RecordedMarkets } from '../recorded/recorded-markets.ts';
import { book, candlePage, heatPage, type Candle } from '../schemas/market.ts';
import { ok, route, type Route } from '../server/route.ts';
import type { BridgeContext } from './context.ts';
import { mustKnow } from './known-symbol.ts';
import { sessionId } from './session-routes.ts';

const symbol = z.string().min(1).max(64);
const bookQuery = z.strictObject({
  symbol,
  at: z.coerce.number().min(0).describe('Unix ms'),
  depth: z.coerce.number().int().min(1).max(200).default(200),
});
const barsQuery = z.strictObject({
  symbol,
  interval: z.string().max(8).default('5s').describe('As in strategies: 1s, 5s, 1m, 1h'),
  limit: z.coerce.number().int().min(1).max(2_000).default(1_000),
});

const heatQuery = z.strictObject({
  symbol,
  stepMs: z.coerce.number().int().min(1_000).max(3_600_000).default(5_000),
  limit: z.coerce.number().int().min(1).max(400).default(200),
  depth: z.coerce.number().int().min(1).max(100).default(40),
});

export function recordedRoutes({ fleet }: BridgeContext): readonly Route[] {
  const markets = new RecordedMarkets();
  const recordingOf = (id: string): string => join(fleet.find(id).folder.path, sessionFiles.recording);
  return [
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}/book-then',
      name: 'bookThen',
      summary: 'The order book as the session saw it at a moment',
      role: 'read',
      params: sessionId,
      query: bookQuery,
      answers: { 200: { about: 'The book; `ts` is its last change', schema: book } },
      handle: async ({ params, query: { symbol: name, at, depth } }) => {
        const found = await markets.book(recordingOf(params.id), name, at, depth);
        if (found !== null) return ok(found);
        throw bridgeErrors.make('bridge_unknown', 'no book of the symbol was recorded until then', { field: 'symbol' });
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}/bars',
      name: 'bars',
      summary: 'Bars of the exchange, or of the recorded mids where it has none: of short intervals, of what is over',
      role: 'read',
      params: sessionId,
      query: barsQuery,
      answers: { 200: { about: 'The bars', schema: candlePage } },
      handle: async ({ params, query: { symbol: name, interval, limit } }) => {
        const intervalMs = parseDuration(interval);
        if (!(intervalMs > 0) || intervalMs % 1_000 !== 0)
          throw bridgeErrors.make('bridge_bad_request', 'an interval is 1s, 5s, 1m …', { field: 'interval' });
        mustKnow(fleet.find(params.id), name);
        const asked = { kind: 'candles', symbol: name, intervalMs, limit } as const;
        const told = intervalMs < 60_000 ? null : await fleet.find(params.id).ask(asked);
        const ofExchange: readonly Candle[] = told?.kind === 'candles' ? (told.candles ?? []) : [];
        if (ofExchange.length > 0)
          return ok({ symbol: name, intervalMs, source: 'exchange', candles: [...ofExchange] });
        const candles = await markets.bars(recordingOf(params.id), name, intervalMs, limit);
        return ok({ symbol: name, intervalMs, source: 'mid', candles });
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}/heat',
      name: 'heat',
      summary: 'What stood in the book at a sequence of moments, from the recording',
      role: 'read',
      params: sessionId,
      query: heatQuery,
      answers: { 200: { about: 'The columns', schema: heatPage } },
      handle: async ({ params, query }) => {
        const { symbol: name, stepMs, limit, depth } = query;
        mustKnow(fleet.find(params.id), name);
        const columns = await markets.heat(recordingOf(params.id), name, stepMs, limit, depth);
        return ok({ symbol: name, stepMs, columns });
      },
    }),
  ];
}
