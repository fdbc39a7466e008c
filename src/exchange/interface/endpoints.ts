/**
 * Endpoint look-ups by name, and by method and path. Config overrides (`exchange.overrides.endpoints`) apply to assumed
 * rows only.
 */
import type { HttpMethod } from '../../model/ports.ts';
import { exchangeErrors } from '../errors.ts';
import { endpointRows } from './endpoint-rows.ts';
import type { EndpointRow } from './endpoint-row.ts';
import { wrongName, type OverridableRow, type WrongName } from './override-names.ts';

export type EndpointName = (typeof endpointRows)[number]['name'];

export interface Endpoint extends EndpointRow {
  readonly name: EndpointName;
}

const rowsOfSecrets: readonly EndpointRow[] = endpointRows.filter((row) => 'answersSecret' in row);
const secretAnswers: ReadonlySet<string> = new Set(rowsOfSecrets.map(({ name }) => name));

/** Whether answers must not be quoted. */
export function answersSecret(name: EndpointName): boolean {
  return secretAnswers.has(name);
}

export interface EndpointOverride {
  readonly method?: HttpMethod | undefined;
  readonly path?: string | undefined;
}

export interface EndpointMatch {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

export interface EndpointTable {
  readonly rows: readonly Endpoint[];
  get(name: EndpointName): Endpoint;
  /** Literal segments win over `{params}`. `path` without query. */
  match(method: string, path: string): EndpointMatch | undefined;
}

interface Route {
  readonly endpoint: Endpoint;
  readonly segments: readonly string[];
  /** Position-weighted count of literals: `order/active` before `order/{orderId}`. */
  readonly literals: number;
}

function isParam(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}');
}

function routeOf(endpoint: Endpoint): Route {
  const segments = endpoint.path.split('/');
  return { endpoint, segments, literals: segments.filter((segment) => !isParam(segment)).length };
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function matchRoute(route: Route, segments: readonly string[]): EndpointMatch | undefined {
  if (route.segments.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of route.segments.entries()) {
    const actual = segments[index] ?? '';
    if (isParam(expected)) {
      const value = decodeSegment(actual);
      if (value === undefined || value === '') return undefined;
      params[expected.slice(1, -1)] = value;
    } else if (expected !== actual) return undefined;
  }
  return { endpoint: route.endpoint, params };
}

const overridable: readonly OverridableRow[] = endpointRows.map(({ name, provenance, method, path }) => ({
  name,
  provenance,
  wire: `${method} ${path}`,
}));

/** Null when it may be overridden. */
export function wrongEndpoint(name: string): WrongName | null {
  return wrongName('endpoint', overridable, name);
}

function overridden(row: Endpoint, override: EndpointOverride | undefined): Endpoint {
  if (override === undefined) return row;
  return { ...row, method: override.method ?? row.method, path: override.path ?? row.path };
}

/** Throws `override_unknown`, or `override_refused` for a documented row. */
export function createEndpointTable(overrides: Readonly<Record<string, EndpointOverride>> = {}): EndpointTable {
  for (const name of Object.keys(overrides)) {
    const wrong = wrongEndpoint(name);
    if (wrong !== null)
      throw exchangeErrors.make(wrong.code, `exchange.overrides.endpoints.${name}: ${wrong.message}`, { name });
  }
  const rows: readonly Endpoint[] = endpointRows.map((row) => Object.freeze(overridden(row, overrides[row.name])));
  const byName = new Map<string, Endpoint>(rows.map((row) => [row.name, row]));
  const routes = rows.map(routeOf).toSorted((a, b) => b.literals - a.literals);
  // Param-free paths have the most literals, so a map suffices. The first duplicate wins.
  const plain = new Map<string, EndpointMatch>();
  for (const { endpoint, segments, literals } of routes.toReversed())
    if (literals === segments.length) plain.set(`${endpoint.method} ${endpoint.path}`, { endpoint, params: {} });
  return Object.freeze({
    rows,
    get(name: EndpointName): Endpoint {
      const row = byName.get(name);
      if (row === undefined) throw new RangeError(`no endpoint ${name}`);
      return row;
    },
    match(method: string, path: string): EndpointMatch | undefined {
      const exact = plain.get(`${method} ${path}`);
      if (exact !== undefined) return exact;
      const segments = path.split('/');
      for (const route of routes) {
        if (route.endpoint.method !== method) continue;
        const found = matchRoute(route, segments);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  });
}

/** Percent-encoded. Throws when a param is missing. */
export function pathOf(endpoint: EndpointRow, params: Readonly<Record<string, string>> = {}): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // The URL parser would resolve dots.
    if (value === undefined || /^\.{0,2}$/.test(value)) {
      throw new RangeError(`${endpoint.name}: path parameter ${name} is missing or dots`);
    }
    return encodeURIComponent(value);
  });
}
