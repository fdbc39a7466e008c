/**
 * The part of docs/sandbox.md that is made from `assumedSchema`: every default as YAML to copy, with what it means. The
 * rest of the page is written by hand. Called by `generate.ts` and by the test that holds page and schema equal.
 */
import { z } from 'zod';
import { assumedDefaults, assumedSchema } from '../src/sandbox/core/assumptions.ts';

interface SchemaNode {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

const OPEN = '<!-- made from src/sandbox/core/assumptions.ts -->';
const CLOSE = '<!-- end -->';

function scalar(value: unknown): string {
  return JSON.stringify(value);
}

function flow(value: unknown): string {
  if (typeof value !== 'object' || value === null) return scalar(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key}: ${flow(inner)}`)
    .join(', ')} }`;
}

function linesOf(value: object, schema: SchemaNode | undefined, indent: string): readonly string[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const node = schema?.properties?.[key];
    const note = node?.description === undefined ? '' : ` # ${node.description}`;
    if (Array.isArray(inner)) return [`${indent}${key}:${note}`, ...inner.map((item) => `${indent}  - ${flow(item)}`)];
    if (typeof inner !== 'object' || inner === null) return [`${indent}${key}: ${scalar(inner)}${note}`];
    return [`${indent}${key}:${note}`, ...linesOf(inner, node, `${indent}  `)];
  });
}

function assumedYaml(): string {
  const schema = z.toJSONSchema(assumedSchema, { io: 'input', unrepresentable: 'any' }) as SchemaNode;
  return ['assumed:', ...linesOf(assumedDefaults, schema, '  ')].join('\n');
}

/** The page with its made part renewed. Throws when the marks are gone. */
export function sandboxPage(page: string): string {
  const start = page.indexOf(OPEN);
  const end = page.indexOf(CLOSE, start);
  if (start < 0 || end < 0) throw new RangeError('docs/sandbox.md has lost the marks of its made part');
  return `${page.slice(0, start)}${OPEN}\n\n\`\`\`yaml\n${assumedYaml()}\n\`\`\`\n\n${page.slice(end)}`;
}
