/**
 * The part of docs/sandbox.md that is made from `assumedSchema`: every default as YAML to copy, with what it means. The
 * rest of the page is written by hand. Called by `generate.ts` and by the test that holds page and schema equal.
 */
import { z } from 'zod';
import { assumedDefaults, assumedSchema } from '../src/sandbox/core/assumptions.ts';
import { annotatedLines, renewed, type SchemaNode } from './annotated-yaml.ts';

export function sandboxPage(page: string): string {
  const schema = z.toJSONSchema(assumedSchema, { io: 'input', unrepresentable: 'any' }) as SchemaNode;
  const lines = ['assumed:', ...annotatedLines({ ...assumedDefaults }, schema, '  ')];
  return renewed(page, 'src/sandbox/core/assumptions.ts', lines);
}
