/** The REST interface, from request to reply. Endpoints without a route answer 501 `not_available`. Never throws. */
import type { EndpointTable } from '../exchange/interface/endpoints.ts';
import type { Logger } from '../model/ports.ts';
import { messageOf } from '../model/errors.ts';
import { authenticate, type SandboxRequest } from './authentication.ts';
import { isRefusal } from './core/refusal.ts';
import { BadRequest, Fields } from './fields.ts';
import { parseRequestJson } from './json.ts';
import { badRequestReply, errorReply, internalErrorReply, notFoundReply, refusalReply, type Reply } from './reply.ts';
import { accountRoutes } from './routes/account.ts';
import { codeRoutes } from './routes/codes.ts';
import { cryptoRoutes } from './routes/crypto.ts';
import { fiatRoutes } from './routes/fiat.ts';
import { futuresRoutes } from './routes/futures.ts';
import { identityRoutes, loginRoutes } from './routes/identity.ts';
import { marketDataRoutes } from './routes/market-data.ts';
import { orderRoutes } from './routes/orders.ts';
import { overdraftRoutes } from './routes/overdraft.ts';
import { p2pRoutes } from './routes/p2p.ts';
import type { PrivateRoutes, PublicRoutes, RouteShell } from './routes/route.ts';

const publicRoutes: PublicRoutes = { ...loginRoutes, ...marketDataRoutes };
const privateRoutes: PrivateRoutes = {
  ...identityRoutes,
  ...orderRoutes,
  ...futuresRoutes,
  ...accountRoutes,
  ...codeRoutes,
  ...cryptoRoutes,
  ...fiatRoutes,
  ...overdraftRoutes,
  ...p2pRoutes,
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** An empty body is an empty object. Throws `BadRequest`. */
export function readBody(body: Buffer): Fields {
  if (body.length === 0) return Fields.ofBody({});
  try {
    return Fields.ofBody(parseRequestJson(utf8.decode(body)));
  } catch (thrown) {
    if (thrown instanceof BadRequest) throw thrown;
    throw new BadRequest(`the body is not JSON in UTF-8: ${messageOf(thrown)}`);
  }
}

export function pathOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? target : target.slice(0, at);
}

export function splitTarget(target: string): { readonly path: string; readonly query: URLSearchParams } {
  const path = pathOf(target);
  return { path, query: new URLSearchParams(target.slice(path.length + 1)) };
}

export interface ApiPorts {
  readonly endpoints: EndpointTable;
  readonly shell: RouteShell;
  readonly logger: Logger;
}

export function handleRequest(ports: ApiPorts, request: SandboxRequest, now: number): Reply {
  try {
    return answerTo(ports, request, now);
  } catch (thrown) {
    if (thrown instanceof BadRequest) return badRequestReply(thrown);
    const { method, target } = request;
    ports.logger.error({ method, target, error: messageOf(thrown) }, 'request failed');
    return internalErrorReply();
  }
}

function answerTo({ endpoints, shell }: ApiPorts, request: SandboxRequest, now: number): Reply {
  const { path, query } = splitTarget(request.target);
  const match = endpoints.match(request.method, path);
  if (match === undefined) return notFoundReply(`there is no ${request.method} ${path}`);
  const { endpoint, params } = match;
  const { exchange } = shell;
  const { cancelsNothing = false } = request;
  const caller = endpoint.access.kind === 'public' ? null : authenticate(exchange.identity, request, endpoint, now);
  if (caller !== null && 'status' in caller) return caller;
  const body = request.method === 'GET' ? Fields.ofBody({}) : readBody(request.body);
  const common = { shell, exchange, now, params, query: Fields.ofQuery(query), body };
  const answer =
    caller === null
      ? publicRoutes[endpoint.name]?.(common)
      : privateRoutes[endpoint.name]?.({ ...common, caller, user: caller.user, cancelsNothing });
  if (answer === undefined) {
    return errorReply(501, 'not_available', `${endpoint.purpose}: not available in this version of the sandbox`);
  }
  return isRefusal(answer) ? refusalReply(answer) : answer;
}
