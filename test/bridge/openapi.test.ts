/** The OpenAPI document, judged by a validator that is not ours. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../src/bridge/server/openapi.ts';
import { apiRows as rows, undeclared } from './declared.ts';

describe('bridge/openapi', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(openApi(rows(), '0.0.0'));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('has tuples that generators of clients read', () => {
    const text = JSON.stringify(openApi(rows(), '0.0.0'));
    expect(text).toContain('"prefixItems"');
    expect(text).not.toContain('"items":false');
  });

  it('has each row of the API once, with its own operation id', () => {
    const all = rows();
    const document = openApi(all, '0.0.0') as { paths: Record<string, Record<string, { operationId: string }>> };
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids.toSorted()).toEqual(all.map(({ name }) => name).toSorted());
    expect(new Set(ids).size).toBe(all.length);
  });

  it('declares what is answered: its failures as JSON, the forms of entries, and nothing that is not', () => {
    const at = (path: string, status: number, type: string, method = 'GET'): string | null =>
      undeclared(method, `/api/v1${path}`, status, type);
    const [json, text] = ['application/json', 'text/plain; charset=utf-8'];
    for (const status of [404, 409, 500, 503]) expect(at('/sessions/x/entries?after=0', status, json)).toBeNull();
    for (const status of [409, 503, 504]) expect(at('/sessions/x/commands', status, json, 'POST')).toBeNull();
    for (const status of [409, 429, 503]) expect(at('/operations/market/book', status, json)).toBeNull();
    expect(at('/sessions/x/entries', 200, 'application/x-ndjson')).toBeNull();
    expect(at('/operations/market/book', 409, text)).toContain('text/plain');
    expect(at('/me', 504, json)).toContain('504');
    expect(at('/sessions', 413, json)).toContain('413');
  });

  it('is refused by the validator when an operation loses its answers', async () => {
    const document = structuredClone(openApi(rows(), '0.0.0')) as { paths: Record<string, Record<string, object>> };
    document.paths['/api/v1/sessions']!['get'] = { responses: 7 };
    expect((await new Validator().validate(document)).valid).toBe(false);
  });
});
