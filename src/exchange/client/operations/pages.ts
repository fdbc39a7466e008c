/**
 * Reads a list page by page. `complete` only when the exchange reported the last page; a later failure is `partial`.
 * Never rejects.
 */
import type { z } from 'zod';
import type { Clock, Lane } from '../../../model/ports.ts';
import type { Reading } from '../../../model/result.ts';
import type { EndpointName } from '../../interface/endpoints.ts';
import { decodePage } from '../../wire/body.ts';
import { failureText } from '../../wire/decoded.ts';
import type { HttpClient } from '../http.ts';
import type { Query } from '../prepare-request.ts';
import { resultText } from './answer.ts';

export interface ListRequest {
  readonly endpoint: EndpointName;
  readonly lane: Lane;
  readonly query?: Query;
  /** Sends `limit`; a full page without a cursor is not the end. */
  readonly paged: boolean;
  /** Reads no further page once it has so many: `partial` then. */
  readonly most?: number | undefined;
}

const PAGES_MAX = 1000;

/** Endpoints that have reported whether there is a next page; an answer without that is then unreadable. */
const telling = new WeakMap<HttpClient, Set<EndpointName>>();

function tellingOf(http: HttpClient): Set<EndpointName> {
  const known = telling.get(http) ?? new Set();
  telling.set(http, known);
  return known;
}

export async function readPages<T>(
  http: HttpClient,
  clock: Clock,
  request: ListRequest,
  item: z.ZodType<T>,
): Promise<Reading<T>> {
  const { endpoint, lane, paged, most = Number.POSITIVE_INFINITY } = request;
  const limit = paged ? Math.min(http.pageLimit, most) : undefined;
  const items: T[] = [];
  const seen = new Set<string>();
  const tells = tellingOf(http);
  let asOf: number | null = null;
  let cursor: string | undefined;
  const end = (reason: string, code?: string): Reading<T> => {
    const why = { asOf: asOf ?? clock.now(), reason, ...(code === undefined ? {} : { code }) };
    return seen.size === 0 ? { kind: 'failed', ...why } : { kind: 'partial', ...why, items };
  };
  for (let page = 0; page < PAGES_MAX; page++) {
    const result = await http.read({
      endpoint,
      lane,
      query: { ...request.query, limit, cursor },
      onDispatch: () => {
        asOf ??= clock.now();
        return 'go';
      },
    });
    if (result.kind !== 'ok') {
      return end(`${endpoint}: ${resultText(result)}`, result.kind === 'refused' ? result.code : undefined);
    }
    const decoded = decodePage(item, endpoint, result.json);
    if (decoded.kind === 'failure') return end(failureText(decoded));
    const { nextCursor } = decoded.value;
    if (nextCursor !== undefined) tells.add(endpoint);
    else if (tells.has(endpoint))
      return end(`${endpoint}: a list without information on further pages, which other answers had`);
    items.push(...decoded.value.items);
    const full = limit !== undefined && decoded.value.items.length >= limit;
    if (nextCursor === null || (nextCursor === undefined && !full)) {
      return { kind: 'complete', asOf: asOf ?? clock.now(), items };
    }
    seen.add(cursor ?? '');
    if (items.length >= most) return end(`${endpoint}: only the newest ${most} were asked for`);
    if (nextCursor === undefined) return end(`${endpoint}: a full page without a cursor`);
    if (seen.has(nextCursor)) return end(`${endpoint}: the cursor ${nextCursor} came twice`);
    cursor = nextCursor;
  }
  return end(`${endpoint}: more than ${PAGES_MAX} pages`);
}
