/**
 * The part of docs/config.md that is made from `configSchema`: the whole file with every default, key by key. The rest of
 * the page is written by hand. Called by `generate.ts` and by the test that holds page and schema equal.
 */
import { z } from 'zod';
import { configSchema } from '../src/session/config/schema.ts';
import { annotatedLines, renewed, type SchemaNode } from './annotated-yaml.ts';

/** A list of sections shows what one of them takes. */
function withItem(name: string, schema: SchemaNode): readonly string[] {
  const node = schema.properties?.[name];
  const item = node?.items ?? {};
  return [`${name}: [] # a list; each of it takes`, ...annotatedLines({}, item, '  ')];
}

export function configPage(page: string): string {
  const schema = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) as SchemaNode;
  const { strategies: _strategies, ...rest } = schema.properties ?? {};
  const { strategies: _none, ...defaults } = configSchema.parse({});
  const lines = [...withItem('strategies', schema), ...annotatedLines(defaults, { properties: rest }, '')];
  return renewed(page, 'src/session/config/schema.ts', lines);
}
