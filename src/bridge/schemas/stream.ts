/** Messages of the WebSocket. Entries come without holes; market data is conflated. */
import { z } from 'zod';
import { seq, timeMs } from './common.ts';
import { entryRow } from './entries.ts';
import { book, equityPoint } from './market.ts';
import { positionRow } from './orders.ts';
import { gateRow, sessionDetail, sessionSummary, streamRow } from './session.ts';

/** First, unless `after` names an entry that is still kept. Entries continue after `seq`. */
export const snapshotMessage = z.object({
  type: z.literal('snapshot'),
  session: z.string(),
  seq,
  ts: timeMs,
  detail: sessionDetail,
});

export const entryMessage = entryRow.extend({ type: z.literal('entry'), session: z.string() });

export const top = z.object({
  symbol: z.string(),
  bid: z.string(),
  ask: z.string(),
  mid: z.number(),
});

/** At most ten times a second; only the newest counts. `books` of the subscribed symbols alone. */
export const marketMessage = z.object({
  type: z.literal('market'),
  session: z.string(),
  ts: timeMs,
  tops: z.array(top),
  books: z.array(book),
});

/** All of one moment. */
export const equityMessage = equityPoint.extend({
  type: z.literal('equity'),
  session: z.string(),
  currency: z.string(),
  today: sessionSummary.shape.today,
  fees: z.number(),
  strategies: z.array(z.object({ tag: z.string(), netPnl: z.number().nullable() })),
  positions: z.array(positionRow).describe('At the marks of this moment'),
});

/** About once a second. */
export const healthMessage = z.object({
  type: z.literal('health'),
  session: z.string(),
  ts: timeMs,
  state: z.string(),
  streams: z.array(streamRow),
  gates: z.array(gateRow),
  loopLagMs: z.number().nullable(),
});

/** Sent by the client at any time; replaces what was subscribed. */
export const subscribeMessage = z.strictObject({
  type: z.literal('subscribe'),
  topics: z.array(z.enum(['entries', 'equity', 'book', 'health'])).max(4),
  symbols: z.array(z.string().max(64)).max(16).optional().describe('Of `book`; default all of the session'),
  depth: z.int().min(1).max(200).optional().describe('Levels a side; default 20'),
});

/** A message of the client was not understood; the socket stays open. */
export const errorMessage = z.object({
  type: z.literal('error'),
  error: z.object({ code: z.string(), message: z.string(), field: z.string().optional() }),
});

export const streamMessage = z.discriminatedUnion('type', [
  snapshotMessage,
  entryMessage,
  marketMessage,
  equityMessage,
  healthMessage,
  errorMessage,
]);

export type StreamMessage = z.infer<typeof streamMessage>;
export type SubscribeMessage = z.infer<typeof subscribeMessage>;
