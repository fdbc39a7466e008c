/** The OpenAPI 3.1 document, made from the rows of the API. Pure. */
import { z } from 'zod';
import { errorAnswer } from '../schemas/common.ts';
import { failures } from './failures.ts';
import type { AnswerRow, Route } from './route.ts';

type Json = Readonly<Record<string, unknown>>;

const FAILURE: Json = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

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

/** A failure without a schema of its own has that of every error. */
function contentOf(status: number, { schema, type }: AnswerRow): Json {
  if (status >= 400 && schema === undefined) return FAILURE;
  return {
    ...(schema === undefined ? {} : { 'application/json': { schema: schemaOf(schema, 'output') } }),
    ...(schema !== undefined && type === undefined ? {} : { [type ?? 'text/plain']: { schema: { type: 'string' } } }),
  };
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
  const answers = Object.entries(route.answers).map(([status, row]) => [
    status,
    { description: row.about, content: contentOf(Number(status), row) },
  ]);
  const more = failures
    .filter(({ status, of }) => route.answers[status] === undefined && of(route))
    .map(({ status, about }) => [status, { description: about, content: FAILURE }]);
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
    responses: Object.fromEntries([...answers, ...more]),
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
