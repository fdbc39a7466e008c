/** The HTTP side: each request through the gatekeeper, to its row of the API or to a file of the page. */
import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import type { Clock, Logger } from '../../model/ports.ts';
import { isTidewireError, messageOf } from '../../model/errors.ts';
import { jsonText } from '../../model/text/json-text.ts';
import { bridgeErrors } from '../errors.ts';
import { badRequest, errorAnswerOf } from './error-answer.ts';
import { isRefused, type Gatekeeper } from './gatekeeper.ts';
import { queryText } from './query-text.ts';
import { readBody } from './read-body.ts';
import type { Caller, Route, RouteAnswer } from './route.ts';
import { securityHeaders } from './security-headers.ts';
import type { StaticFiles } from './static-files.ts';

export interface AppDeps {
  readonly routes: readonly Route[];
  readonly gatekeeper: Gatekeeper;
  readonly files: StaticFiles;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A socket whose caller is known is not dropped for a newer one. */
  readonly trust: (socket: HttpBindings['incoming']['socket']) => void;
}

interface Env {
  readonly Bindings: HttpBindings;
}

type Ctx = Context<Env>;

const SAFE: readonly string[] = ['GET', 'HEAD'];

export function responseOf({
  status,
  json,
  text = '',
  type = 'text/plain; charset=utf-8',
  headers,
}: RouteAnswer): Response {
  const isJson = json !== undefined;
  return new Response(isJson ? jsonText(json) : text, {
    status,
    headers: {
      ...securityHeaders,
      'cache-control': 'no-store',
      'content-type': isJson ? 'application/json' : type,
      ...headers,
    },
  });
}

export function createApp(deps: AppDeps): Hono<Env> {
  const { routes, gatekeeper, files, logger } = deps;
  const app = new Hono<Env>();
  const failed = (thrown: unknown): Response => {
    if (!isTidewireError(thrown)) logger.error({ reason: messageOf(thrown) }, 'a request to the dashboard failed');
    return responseOf(errorAnswerOf(thrown));
  };
  const wrongMethod = (method: string, allow: readonly string[]): Response => {
    const error = bridgeErrors.make('bridge_method', `${method} is not answered at this address`);
    return responseOf({ ...errorAnswerOf(error), headers: { allow: allow.join(', ') } });
  };

  app.use(async (context, next) => {
    const refused = gatekeeper.entrance(context.env.incoming);
    if (refused !== null) return failed(refused);
    await next();
    return undefined;
  });
  for (const row of routes) {
    app.on(row.method, row.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
      try {
        return await answered(context, row, deps);
      } catch (thrown) {
        return failed(thrown);
      }
    });
  }
  const patterns = routes.map(({ method, path }) => {
    const pattern = path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+');
    return { methods: method === 'GET' ? SAFE : [method], path: new RegExp(`^${pattern}$`) };
  });
  app.all('*', (context) => {
    const { path, method } = context.req;
    const allow = patterns.filter((one) => one.path.test(path)).flatMap(({ methods }) => methods);
    if (allow.length > 0) return wrongMethod(method, allow);
    if (path.startsWith('/api/'))
      return failed(bridgeErrors.make('bridge_unknown', `${method} is not answered at this address`));
    if (!SAFE.includes(method)) return wrongMethod(method, SAFE);
    const file = files.find(path, context.req.header('accept-encoding'));
    if (file === null) return failed(bridgeErrors.make('bridge_unknown', 'there is no such file'));
    const { body, headers } = file;
    return new Response(method === 'HEAD' ? null : new Uint8Array(body), {
      headers: { ...securityHeaders, ...headers, 'content-length': String(body.length) },
    });
  });
  app.onError((thrown) => failed(thrown));
  return app;
}

async function answered(context: Ctx, row: Route, { gatekeeper, clock, trust }: AppDeps): Promise<Response> {
  const { incoming } = context.env;
  const caller = await callerOf(gatekeeper, incoming, row);
  if (caller !== null && isRefused(caller)) {
    const answer = errorAnswerOf(caller.error);
    const headers: Record<string, string> = { ...answer.headers, connection: 'close' };
    if (caller.retryAfterS !== null) headers['retry-after'] = String(caller.retryAfterS);
    return responseOf({ ...answer, headers });
  }
  if (caller !== null) trust(incoming.socket);
  const params = parsed('path', row.params, context.req.param());
  const query = row.query === undefined ? undefined : parsed('query', row.query, queryText(searchOf(context.req.url)));
  const text = row.method === 'POST' ? await readBody(incoming, clock) : '';
  const body = row.body === undefined || row.body === null ? undefined : parsed('body', row.body, jsonOf(text));
  const headers = context.req.header();
  return responseOf(await row.handle({ params, query, body, caller, headers, text }));
}

async function callerOf(
  gatekeeper: Gatekeeper,
  incoming: HttpBindings['incoming'],
  { role }: Route,
): Promise<Caller | null | Awaited<ReturnType<Gatekeeper['caller']>>> {
  return role === 'open' ? null : gatekeeper.caller(incoming, role);
}

function searchOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw bridgeErrors.make('bridge_bad_request', 'the body is not JSON', { field: 'body' });
  }
}

function parsed(where: string, schema: Route['params'], value: unknown): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw badRequest(where, result.error.issues);
}
