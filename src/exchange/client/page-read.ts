/**
 * Reads for observers outside the session: one request of the lowest lane, of an endpoint that changes nothing and
 * returns no secret. No other request is possible this way.
 */
import type { Endpoint, EndpointName, EndpointTable } from '../interface/endpoints.ts';
import type { CallResult } from './classify.ts';
import type { HttpClient } from './http.ts';
import type { Query } from './prepare-request.ts';
import { isWaitedReason } from './request-lanes.ts';

/** Plain data: it crosses threads. */
export interface PageCall {
  readonly endpoint: EndpointName;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
}

/** `no-key`: it needs an API key, and this process holds none. `busy`: other requests went first. */
export type PageRead = CallResult | { readonly kind: 'no-key' } | { readonly kind: 'busy' };

export interface PageSource {
  readonly http: Pick<HttpClient, 'read'>;
  readonly endpoints: EndpointTable;
  readonly hasKey: boolean;
}

function isOpenToPages({ effect, access, answersSecret }: Endpoint): boolean {
  return effect === 'read' && answersSecret !== true && access.kind !== 'jwt-only';
}

/** Never rejects. */
export async function pageRead({ http, endpoints, hasKey }: PageSource, call: PageCall): Promise<PageRead> {
  const row = endpoints.get(call.endpoint);
  if (!isOpenToPages(row)) return { kind: 'not-sent', reason: `${row.name} is not read from outside` };
  if (row.access.kind !== 'public' && !hasKey) return { kind: 'no-key' };
  const { endpoint, params, query } = call;
  const result = await http.read({
    endpoint,
    lane: 'page',
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
  });
  return result.kind === 'not-sent' && isWaitedReason(result.reason, 'page') ? { kind: 'busy' } : result;
}
