/** Arguments and results of route handlers. Changes are published afterwards. */
import type { EndpointName } from '../../exchange/interface/endpoints.ts';
import type { Caller } from '../authentication.ts';
import type { Exchange } from '../core/exchange.ts';
import { pageLimit, parseCursor, type Page, type PageQuery } from '../core/history.ts';
import { isRefusal, type Refusal } from '../core/refusal.ts';
import type { User } from '../core/identity/users.ts';
import { BadRequest, type Fields } from '../fields.ts';
import { jsonReply, type Reply } from '../reply.ts';

export interface RouteShell {
  readonly exchange: Exchange;
  depthSeq(symbol: string): number;
  /** 64 hexadecimal characters. */
  randomHex(): string;
  /** Closes sockets with an unusable key. */
  expelDeadKeys(): void;
}

export interface RouteRequest {
  readonly shell: RouteShell;
  readonly exchange: Exchange;
  readonly now: number;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Fields;
  readonly body: Fields;
}

export interface PrivateRequest extends RouteRequest {
  readonly caller: Caller;
  readonly user: User;
  readonly cancelsNothing: boolean;
}

export type RouteAnswer = Reply | Refusal;

export type PublicHandler = (request: RouteRequest) => RouteAnswer;
export type PrivateHandler = (request: PrivateRequest) => RouteAnswer;

export type PublicRoutes = Partial<Record<EndpointName, PublicHandler>>;
export type PrivateRoutes = Partial<Record<EndpointName, PrivateHandler>>;

export function ok(body: unknown): Reply {
  return jsonReply(200, body);
}

export function answer<Value extends object>(value: Value | Refusal, bodyOf: (value: Value) => unknown): RouteAnswer {
  return isRefusal(value) ? value : ok(bodyOf(value));
}

export function okPage<Item>({ items, nextCursor }: Page<Item>, bodyOf: (item: Item) => unknown): Reply {
  return ok({ items: items.map((item) => bodyOf(item)), nextCursor });
}

const TIME_MAX = 8.64e15;

export function readPage(query: Fields): PageQuery {
  const cursor = query.optionalText('cursor');
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : parseCursor(cursor);
  if (before === undefined) throw new BadRequest('cursor is not one that this service gave out', 'cursor');
  return {
    from: query.optionalInteger('from', -TIME_MAX, TIME_MAX) ?? 0,
    to: query.optionalInteger('to', -TIME_MAX, TIME_MAX) ?? Number.POSITIVE_INFINITY,
    limit: pageLimit(query.optionalInteger('limit', 1, Number.MAX_SAFE_INTEGER)),
    before,
  };
}
