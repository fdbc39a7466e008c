/**
 * A schema as YAML to copy: each key with its default and what it means; a key without a default stands as a comment.
 * Called by the pages that are made from a schema (`sandbox-page.ts`, `config-page.ts`).
 */

/** The part of a JSON Schema that is shown. */
export interface SchemaNode {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

function flow(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  const rows = Object.entries(value).map(([key, inner]) => `${key}: ${flow(inner)}`);
  return rows.length === 0 ? '{}' : `{ ${rows.join(', ')} }`;
}

function noteOf(node: SchemaNode | undefined): string {
  const choices = node?.enum === undefined ? [] : [`(${node.enum.join(' | ')})`];
  const parts = [...(node?.description === undefined ? [] : [node.description]), ...choices];
  return parts.length === 0 ? '' : ` # ${parts.join(' ')}`;
}

function kindOf({ type, anyOf, items }: SchemaNode): string {
  if (Array.isArray(type)) return type.includes('string') ? 'decimal' : type.join(' or ');
  if (items !== undefined) return 'list';
  if (typeof type === 'string') return type === 'object' ? 'section' : type;
  return anyOf === undefined ? 'value' : 'value or section';
}

/** What has no default: named with its kind, so that it can be found. The caller makes comments of the lines. */
function unsetLines(key: string, node: SchemaNode): readonly string[] {
  const inner = Object.entries(node.properties ?? {});
  const kind = inner.length === 0 ? ` (${kindOf(node)})` : '';
  return [
    `${key}:${kind}${noteOf(node)}`,
    ...inner.flatMap(([name, child]) => unsetLines(name, child).map((line) => `  ${line}`)),
  ];
}

function valueLines(key: string, value: unknown, node: SchemaNode | undefined, indent: string): readonly string[] {
  const note = noteOf(node);
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${indent}${key}: []${note}`];
    return [`${indent}${key}:${note}`, ...value.map((item) => `${indent}  - ${flow(item)}`)];
  }
  if (typeof value !== 'object' || value === null) return [`${indent}${key}: ${JSON.stringify(value)}${note}`];
  const inner = annotatedLines(value as Readonly<Record<string, unknown>>, node, `${indent}  `);
  const isSet = Object.values(value).some((item) => item !== undefined);
  return [`${indent}${key}:${isSet ? '' : ' {}'}${note}`, ...inner];
}

/** Lines for the values in force and the keys of the schema that have none. */
export function annotatedLines(
  value: Readonly<Record<string, unknown>>,
  schema: SchemaNode | undefined,
  indent: string,
): readonly string[] {
  const keys = new Set([...Object.keys(schema?.properties ?? {}), ...Object.keys(value)]);
  return [...keys].flatMap((key) => {
    const node = schema?.properties?.[key];
    return value[key] === undefined && node !== undefined
      ? unsetLines(key, node).map((line) => `${indent}# ${line}`)
      : valueLines(key, value[key], node, indent);
  });
}

/** The page with what stands between its marks renewed. Throws when the marks are gone. */
export function renewed(page: string, source: string, lines: readonly string[]): string {
  const open = `<!-- made from ${source} -->`;
  const start = page.indexOf(open);
  const end = page.indexOf('<!-- end -->', start);
  if (start < 0 || end < 0) throw new RangeError(`the page has lost the marks of what is made from ${source}`);
  return `${page.slice(0, start)}${open}\n\n\`\`\`yaml\n${lines.join('\n')}\n\`\`\`\n\n${page.slice(end)}`;
}
