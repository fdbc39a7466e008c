/**
 * An `HttpClient` that reads through another one, such as that of another thread, and sends nothing that changes
 * anything. Operations of `client/operations/` work over it as they are.
 */
import type { EndpointName } from '../interface/endpoints.ts';
import type { CallResult } from './classify.ts';
import type { HttpCall, HttpClient } from './http.ts';
import type { PageCall } from './page-read.ts';

export interface ReadingOptions {
  /** Rejects with the error of the other client. */
  readonly read: (call: PageCall) => Promise<CallResult>;
  /** Rows asked for at a time. */
  readonly pageLimit: number;
  /** A list ends as partial after so many requests. */
  readonly requestsMax: number;
}

const NOTHING: CallResult = { kind: 'not-sent', reason: 'this client only reads' };

export function createReadingClient({ read, pageLimit, requestsMax }: ReadingOptions): HttpClient {
  let requests = 0;
  const sent = new Map<EndpointName, number>();
  return Object.freeze({
    pageLimit,
    sent,
    pending: 0,
    keyRefused: null,
    call: (_: HttpCall, done: (result: CallResult) => void) => queueMicrotask(() => done(NOTHING)),
    together: (run: () => void) => run(),
    read: async ({ endpoint, params, query, body }: HttpCall): Promise<CallResult> => {
      if (body !== undefined) return NOTHING;
      requests += 1;
      if (requests > requestsMax)
        return { kind: 'not-sent', reason: `there is more than ${requestsMax} requests read; ask for a shorter time` };
      return read({
        endpoint,
        ...(params === undefined ? {} : { params }),
        ...(query === undefined ? {} : { query }),
      });
    },
    close: () => Promise.resolve(),
  });
}
