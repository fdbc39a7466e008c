/** The effective configuration: flag > environment (`TIDEWIRE_…`) > file > default (config.md). */
import { z } from 'zod';
import { nearest } from '../../model/text/nearest.ts';
import { readConfigDocument, type ConfigDocument, type ConfigPath } from './document.ts';
import { MASK, masked } from './mask.ts';
import { environmentName, refuseUnknownVariables } from './environment.ts';
import { invalidConfig, type ConfigProblem } from './invalid.ts';
import type { ConfigLayer } from './layer.ts';
import { configSchema, type Config } from './schema.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** Dotted path of a leaf → the layer that set it. */
  readonly layers: ReadonlyMap<string, ConfigLayer>;
  readonly file: string | null;
  readonly document: ConfigDocument | null;
  readonly secret: ReadonlySet<string>;
}

export interface ConfigSources {
  readonly file: string | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** By dotted path. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** These parts alone, for commands that must survive a broken configuration; the others are as by default. */
  readonly only?: readonly (keyof Config)[];
  /** All but these parts, which are as by default. */
  readonly without?: readonly (keyof Config)[];
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

export function configJsonSchema(): JsonSchema {
  return z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

function leavesOf(schema: JsonSchema, path: readonly string[] = []): readonly string[][] {
  if (schema.properties === undefined) return [[...path]];
  return Object.entries(schema.properties).flatMap(([key, child]) => [...leavesOf(child, [...path, key])]);
}

function setIn(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let node = target;
  for (const key of path.slice(0, -1)) {
    const next = node[key];
    const child = typeof next === 'object' && next !== null ? { ...next } : {};
    node[key] = child;
    node = child;
  }
  const last = path.at(-1);
  if (last !== undefined) node[last] = value;
}

function textValue(text: string): unknown {
  if (!/^(true|false|null|-?\d+(\.\d+)?|[[{].*[\]}])$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `MASK` also below a masked value. */
function valueAt(value: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>((node, key) => {
    if (node === MASK) return MASK;
    return typeof node === 'object' && node !== null ? (node as Record<string | number, unknown>)[key] : undefined;
  }, value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function childOf(node: JsonSchema, key: string | number): JsonSchema | undefined {
  if (typeof key === 'number') return node.items;
  const other = node.additionalProperties;
  return node.properties?.[key] ?? (typeof other === 'object' ? other : undefined);
}

/** The forms of a union that fit what the value says of itself, such as its `kind`. */
function formsOf(node: JsonSchema, value: unknown): readonly JsonSchema[] {
  const forms = node.anyOf ?? node.oneOf;
  if (forms !== undefined) return forms.flatMap((form) => formsOf(form, value));
  const isOther = Object.entries(node.properties ?? {}).some(
    ([key, child]) => child.const !== undefined && child.const !== valueAt(value, [key]),
  );
  return isOther ? [] : [node];
}

function keysAt(schema: JsonSchema, value: unknown, path: ConfigPath): readonly string[] {
  let nodes: readonly JsonSchema[] = [schema];
  path.forEach((key, index) => {
    const inner = valueAt(value, path.slice(0, index + 1));
    nodes = nodes.flatMap((node) => childOf(node, key) ?? []).flatMap((node) => formsOf(node, inner));
  });
  return [...new Set(nodes.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

/** Issues of the union member that the value came nearest to. */
function nearestForm(forms: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  const depth = (issues: readonly z.core.$ZodIssue[]): number => Math.max(...issues.map(({ path }) => path.length));
  return forms.reduce((best, form) => (depth(form) > depth(best) ? form : best));
}

function complaints(
  issue: z.core.$ZodIssue,
  value: unknown,
  above: readonly PropertyKey[] = [],
): readonly ConfigProblem[] {
  const whole = [...above, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return nearestForm(issue.errors).flatMap((inner) => complaints(inner, value, whole));
  }
  const path = whole.filter((part) => typeof part !== 'symbol');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const known = keysAt(configJsonSchema(), value, path);
      const [near] = nearest(key, known);
      const hint = near === undefined ? `known keys: ${known.join(', ')}` : `did you mean ${near}?`;
      return { path: [...path, key], message: `unknown key ${[...path, key].join('.')}; ${hint}` };
    });
  }
  const expected = issue.message.replace(/^Invalid (input|option): /, '');
  return [{ path, message: `${path.join('.') || 'the file'} is ${shown(valueAt(value, path))}: ${expected}` }];
}

function partsOf(value: unknown, isWanted: (part: string) => boolean): unknown {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([name]) => isWanted(name)));
}

export function loadConfig(sources: ConfigSources): LoadedConfig {
  const { only, without = [] } = sources;
  const isPart = only !== undefined || without.length > 0;
  const isWanted = (part: string): boolean =>
    (only === undefined || (only as readonly string[]).includes(part)) &&
    !(without as readonly string[]).includes(part);
  const document = sources.file === null ? null : readConfigDocument(sources.file, sources.environment, isWanted);
  const leaves = leavesOf(configJsonSchema());
  if (only === undefined) refuseUnknownVariables(sources.environment, leaves, document?.variables ?? new Set());
  const layers = new Map<string, ConfigLayer>();
  const secret = new Set<string>(document?.fromEnvironment ?? []);
  const raw = document === null ? {} : document.value;
  const merged =
    typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? { ...(raw as Record<string, unknown>) } : raw;
  for (const path of leaves) layers.set(path.join('.'), document?.has(path) === true ? 'file' : 'default');
  if (typeof merged === 'object' && merged !== null) {
    for (const path of leaves) {
      const text = sources.environment[environmentName(path)];
      if (text === undefined) continue;
      setIn(merged as Record<string, unknown>, path, textValue(text));
      layers.set(path.join('.'), 'environment');
      if (path[0] === 'alerts' || path[0] === 'signals') secret.add(path[0]);
    }
    for (const [dotted, value] of Object.entries(sources.flags ?? {})) {
      if (value === undefined) continue;
      setIn(merged as Record<string, unknown>, dotted.split('.'), value);
      layers.set(dotted, 'flag');
    }
  }
  const parsed = configSchema.safeParse(isPart ? partsOf(merged, isWanted) : merged);
  if (!parsed.success) {
    const shownValues = masked(merged, secret);
    const problems = parsed.error.issues.flatMap((issue) => complaints(issue, shownValues));
    throw invalidConfig(problems, { layers, document });
  }
  return { config: parsed.data, layers, file: sources.file, document, secret };
}
