/**
 * One row of the API: its request, its answers, who may use it, and what it does. The server and the OpenAPI document are
 * made from these rows alone.
 */
import type { z } from 'zod';

export type Role = 'read' | 'operate';

export interface Caller {
  readonly role: Role;
  /** `cookie`: a browser that opened the link; `mcp`: a tool of an AI client. */
  readonly by: 'bearer' | 'cookie' | 'mcp';
  /** Remote address, for the journal. */
  readonly address: string;
}

export interface RouteAnswer {
  readonly status: number;
  /** Sent as JSON; else `text`. */
  readonly json?: unknown;
  readonly text?: string;
  /** Of `text`; default `text/plain; charset=utf-8`. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RouteRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Null on a route that is open to everybody. */
  readonly caller: Caller | null;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it came, at most 64 KiB. */
  readonly text: string;
}

export interface AnswerRow {
  readonly about: string;
  /** Of JSON; absent for a text, and for a failure that says no more than any. */
  readonly schema?: z.ZodType;
  /** Of a text; with a schema it is another form of the same. */
  readonly type?: string;
}

export interface RouteSpec<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  readonly method: 'GET' | 'POST';
  /** Parameters in braces: `/api/v1/sessions/{id}`. */
  readonly path: string;
  /** Unique; `operationId` of the OpenAPI document. */
  readonly name: string;
  readonly summary: string;
  /** `open`: the route checks its caller by itself, or reveals nothing. */
  readonly role: Role | 'open';
  readonly params?: Params;
  readonly query?: Query;
  /** Of a JSON body. `null`: the route reads `text` itself. */
  readonly body?: Body | null;
  /** Header names that it reads, with what they mean. */
  readonly headers?: Readonly<Record<string, string>>;
  /** By status; failures of any route are added (`failures.ts`). */
  readonly answers: Readonly<Record<number, AnswerRow>>;
  readonly handle: (
    request: RouteRequest<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<RouteAnswer> | RouteAnswer;
}

/** A row whose types are checked and forgotten. */
export type Route = RouteSpec<z.ZodType, z.ZodType, z.ZodType>;

export function route<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  spec: RouteSpec<Params, Query, Body>,
): Route {
  return spec;
}

export function ok(json: unknown): RouteAnswer {
  return { status: 200, json };
}
