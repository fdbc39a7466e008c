/** What explains: why an order, why none, and the log. */
import { join } from 'node:path';
import { z } from 'zod';
import { whyNot as findWhyNot } from '../../operations/why/why-not.ts';
import { whyOrder } from '../../operations/why/why-order.ts';
import { sessionFiles } from '../../session/store/store.ts';
import { logTail } from '../insight/log-tail.ts';
import { whyAnswer } from '../insight/why-answer.ts';
import { logPage, why, whyNot } from '../schemas/entries.ts';
import { ok, route, type Route } from '../server/route.ts';
import type { BridgeContext } from './context.ts';
import { sessionId } from './session-routes.ts';

const orderParams = sessionId.extend({
  ref: z
    .string()
    .min(1)
    .max(200)
    .describe('Ref of an order or a program, as TAG/REF too; intent id; id of the exchange'),
});
const logQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(2_000).default(200),
  level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info').describe('Least level'),
  after: z.coerce.number().min(0).default(0).describe('Unix ms'),
});
const whyNotQuery = z.strictObject({
  symbol: z.string().min(1).max(64),
  at: z.coerce.number().min(0).describe('Unix ms'),
  windowMs: z.coerce.number().min(1).max(600_000).default(2_000),
});

export function insightRoutes({ fleet, clock }: BridgeContext): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}/orders/{ref}/why',
      name: 'why',
      summary:
        'Why an order: market, decision, risk figures, entries, frames, fills; a denial, a program or a transfer too',
      role: 'read',
      params: orderParams,
      answers: { 200: { about: 'The chain', schema: why } },
      handle: async ({ params }) => {
        const view = fleet.find(params.id);
        return ok(whyAnswer(await whyOrder(fleet.root, params.ref, view.folder.path)));
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}/why-not',
      name: 'whyNot',
      summary: 'Why nothing was sent at a moment',
      role: 'read',
      params: sessionId,
      query: whyNotQuery,
      answers: { 200: { about: 'The reasons, the strongest first', schema: whyNot } },
      handle: async ({ params, query }) => {
        const view = fleet.find(params.id);
        const { symbol, at, windowMs } = query;
        const question = { symbol, atMs: at, windowMs, now: clock.now() };
        const { because } = await findWhyNot(fleet.root, question, view.folder.path);
        return ok({ session: view.id, symbol, at, because: [...because] });
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}/log',
      name: 'log',
      summary: 'The newest lines of the log',
      role: 'read',
      params: sessionId,
      query: logQuery,
      answers: { 200: { about: 'The lines', schema: logPage } },
      handle: ({ params, query }) => {
        const { folder } = fleet.find(params.id);
        return ok({ lines: logTail(join(folder.path, sessionFiles.log), query) });
      },
    }),
  ];
}
