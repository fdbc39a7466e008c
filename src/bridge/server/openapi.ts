/** The OpenAPI 3.1 document, made from the rows of the API. Pure. */
import { z } from 'zod';
import { errorAnswer } from '../schemas/common.ts';
import type { AnswerRow, Route } from './route.ts';

type Json = Readonly<Record<string, unknown>>;

/** What any route may answer. */
const COMMON: Readonly<Record<number, string>> = {
  400: 'The request cannot be read: `field` names what is wrong',
  401: 'No token, or a wrong one',
  403: 'The role may not, or another origin asks',
  404: 'There is no such thing',
  421: 'Another host is meant',
  429: 'Too many at a time, or too many wrong tokens; see Retry-After',
};
const OF_POST: Readonly<Record<number, string>> = {
  408: 'The body came too slowly',
  409: 'The state forbids it',
  413: 'The body has more than 64 KiB',
};

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => boundTuple(jsonSchema),
  }) as Json;
  return rest;
}

/** Generators of clients read the length of a tuple, and no `items: false`. */
function boundTuple(schema: z.core.JSONSchema.BaseSchema): void {
  const { prefixItems } = schema;
  if (prefixItems === undefined) return;
  delete schema.items;
  schema.minItems = prefixItems.length;
  schema.maxItems = prefixItems.length;
}

function contentOf({ schema, type }: AnswerRow): Json {
  if (schema !== undefined) return { 'application/json': { schema: schemaOf(schema, 'output') } };
  return { [type ?? 'text/plain']: { schema: { type: 'string' } } };
}

function parametersOf(where: 'path' | 'query', schema: z.ZodType | undefined): readonly Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Readonly<Record<string, Json>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...of }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: of,
  }));
}

function operationOf(route: Route): Json {
  const errors = { ...COMMON, ...(route.method === 'POST' ? OF_POST : {}) };
  const failure = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const answers = Object.entries(route.answers).map(([status, row]) => [
    status,
    { description: row.about, content: contentOf(row) },
  ]);
  const failures = Object.entries(errors)
    .filter(([status]) => route.answers[Number(status)] === undefined)
    .map(([status, description]) => [status, { description, content: failure }]);
  const headers = Object.entries(route.headers ?? {}).map(([name, description]) => {
    return { name, in: 'header', required: false, description, schema: { type: 'string' } };
  });
  const { body } = route;
  return {
    operationId: route.name,
    summary: route.summary,
    ...(route.role === 'open' ? { security: [] } : { description: `Role: ${route.role}.` }),
    parameters: [...parametersOf('path', route.params), ...parametersOf('query', route.query), ...headers],
    ...(body === undefined || body === null
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } } }),
    responses: Object.fromEntries([...answers, ...failures]),
  };
}

export function openApi(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  return {
    openapi: '3.1.0',
    info: {
      title: 'tidewire bridge',
      version,
      description:
        'Sessions of tidewire: what they are doing, and commands to them. Times are Unix ms, exact decimals are text. The WebSocket /api/v1/stream is described in docs/bridge.md.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { cookie: [] }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorAnswer, 'output') },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'tidewire_PORT' },
      },
    },
  };
}
