/** Sessions: the fleet, one in detail, its entries and fills. */
import { z } from 'zod';
import { bridgeErrors } from '../errors.ts';
import { jsonText } from '../../model/text/json-text.ts';
import { entryRowOf } from '../fleet/entry-row.ts';
import { entryPage, fillPage } from '../schemas/entries.ts';
import { SILENT } from '../fleet/detail.ts';
import { FILLS_MAX } from '../replica/digest.ts';
import type { SessionView } from '../fleet/session-view.ts';
import { health, sessionDetail, sessionList, type Health, type SessionSummary } from '../schemas/session.ts';
import { ok, route, type Route } from '../server/route.ts';
import type { BridgeContext } from './context.ts';

export const sessionId = z.object({ id: z.string().describe('Id of a session, or `current`') });

const PAGE_MAX = 5_000;

const page = z.strictObject({
  after: z.coerce.number().int().min(0).default(0).describe('Entries after this number'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(500)
    .transform((limit) => Math.min(limit, PAGE_MAX))
    .describe(`At most ${PAGE_MAX} are answered`),
});

const fillsQuery = z.strictObject({
  after: z.coerce.number().int().min(0).optional().describe('The oldest after this number; absent: the newest'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(FILLS_MAX)
    .transform((limit) => Math.min(limit, FILLS_MAX))
    .describe(`At most ${FILLS_MAX} are answered`),
});

/** Of kinds: `fill,denial`. */
const entriesQuery = page.extend({
  kinds: z.string().max(500).optional().describe('Only these kinds, with commas; `next` counts all'),
});

export function sessionRoutes({ fleet, version, startedAt, clients }: BridgeContext): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/health',
      name: 'health',
      summary: 'Whether the server and its sessions can do their work',
      role: 'read',
      answers: { 200: { about: 'The state of health', schema: health } },
      handle: async () => {
        const { own } = fleet;
        const sessions =
          own === null ? (await fleet.summaries({ isUnended: true })).map(healthOfOther) : [await healthOf(own)];
        const isOk = sessions.every(({ unhealthy }) => unhealthy === null);
        return ok({ ok: isOk, version, startedAt, sessions, clients: clients() });
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/sessions',
      name: 'sessions',
      summary: 'All sessions of the machine, newest first',
      role: 'read',
      answers: { 200: { about: 'The sessions', schema: sessionList } },
      handle: async () => {
        const sessions = await fleet.summaries();
        return ok({ sessions, current: fleet.own?.id ?? null });
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}',
      name: 'session',
      summary: 'One session: state, strategies, positions, orders, programs, balances, gates, alarms, streams',
      role: 'read',
      params: sessionId,
      answers: { 200: { about: 'The session', schema: sessionDetail } },
      handle: async ({ params }) => ok(await fleet.find(params.id).detail()),
    }),
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}/entries',
      name: 'entries',
      summary:
        'Entries of the journal, in their order; as JSON lines of `journal export` with Accept: application/x-ndjson',
      role: 'read',
      params: sessionId,
      query: entriesQuery,
      headers: { Accept: 'application/x-ndjson for the bytes of `journal export`' },
      answers: { 200: { about: 'A page of entries', schema: entryPage, type: 'application/x-ndjson' } },
      handle: ({ params, query, headers }) => {
        const view = fleet.find(params.id);
        view.catchUp();
        requireReached(view, query.after);
        const rows = view.replica()?.rows(query.after, query.limit) ?? [];
        const next = rows.at(-1)?.seq ?? query.after;
        const kinds = query.kinds?.split(',');
        const wanted = kinds === undefined ? rows : rows.filter(({ entry }) => kinds.includes(entry.kind));
        if (headers['accept'] === 'application/x-ndjson') {
          const text = wanted.map((row) => `${jsonText(row)}\n`).join('');
          return { status: 200, text, type: 'application/x-ndjson', headers: { 'x-next': String(next) } };
        }
        return ok({ entries: wanted.map(entryRowOf), next });
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}/fills',
      name: 'fills',
      summary: `The newest ${FILLS_MAX} fills of the session, over restarts; older ones are entries of the kind fill`,
      role: 'read',
      params: sessionId,
      query: fillsQuery,
      answers: { 200: { about: 'Fills after an entry', schema: fillPage } },
      handle: async ({ params, query: { after, limit } }) => {
        const view = fleet.find(params.id);
        view.catchUp();
        const { seq } = view;
        const known = ((await view.replica()?.fills()) ?? []).filter((fill) => fill.seq <= seq);
        if (after === undefined) return ok({ fills: known.slice(-limit), next: seq });
        const newer = known.filter((fill) => fill.seq > after);
        const fills = newer.slice(0, limit);
        return ok({ fills, next: newer.length > limit ? fills.at(-1)!.seq : seq });
      },
    }),
  ];
}

/** A client that waits after a wrong number would wait for ever. Throws `bridge_ahead`. */
function requireReached({ seq }: SessionView, after: number): void {
  if (after <= seq) return;
  const hint = `The newest entry is ${seq}: continue with after=${seq}. If the session is another one, read again from 0.`;
  throw bridgeErrors.make('bridge_ahead', `there is no entry ${after} yet`, { field: 'after', hint });
}

async function healthOf(view: SessionView): Promise<Health['sessions'][number]> {
  const live = await view.live();
  const { killReason } = view.replica()?.replay.state ?? {};
  const unhealthy = live === null ? 'the session does not answer' : live.unhealthy;
  return { id: view.id, state: killReason === undefined ? 'running' : 'killed', unhealthy, seq: view.seq };
}

/** Of one that did not end in order, as far as another process sees it. */
function healthOfOther(session: SessionSummary): Health['sessions'][number] {
  const { id, state, running, gates, error, seq } = session;
  const silent = gates.find(({ gate }) => gate === SILENT.gate);
  const gone = running ? null : 'its process is gone without an orderly end; the next start continues it';
  return { id, state, unhealthy: error ?? silent?.message ?? gone, seq };
}
