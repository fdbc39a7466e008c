/** The OpenAPI document of all rows. */
import { z } from 'zod';
import { openApi } from '../server/openapi.ts';
import { ok, route, type Route } from '../server/route.ts';

export function specificationRoute(rows: readonly Route[], version: string): Route {
  const own = route({
    method: 'GET',
    path: '/api/v1/openapi.json',
    name: 'openapi',
    summary: 'This document',
    role: 'read',
    answers: { 200: { about: 'OpenAPI 3.1', schema: z.looseObject({ openapi: z.string() }) } },
    handle: () => ok(document),
  });
  const document = openApi([own, ...rows], version);
  return own;
}
