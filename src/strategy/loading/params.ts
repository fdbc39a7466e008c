/** Parameters from YAML and `--param key=value`. Text is coerced by schema: `z.string()` keeps `0.1` a string. */
import { z } from 'zod';
import { nearest } from '../../model/text/nearest.ts';
import { describe } from '../action-shape.ts';
import { coerceText } from './coerce-text.ts';
import type { StrategyDefinition } from '../definition.ts';
import { strategyErrors } from '../errors.ts';

export type ParamValues = Readonly<Record<string, unknown>>;

/** Splits at the first `=`. */
export function parseParamTexts(texts: readonly string[]): Readonly<Record<string, string>> {
  const entries = texts.map((text) => {
    const at = text.indexOf('=');
    if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1)] as const;
    throw strategyErrors.make('strategy_param_invalid', `--param ${text}: expected key=value`, { text });
  });
  return Object.fromEntries(entries);
}

function hintFor(name: string, known: readonly string[]): string {
  const [head = '', part = ''] = name.split('.');
  if (part !== '' && known.includes(head)) return `; give ${head} whole, as JSON: ${head}='{"${part}": …}'`;
  const [near] = nearest(name, known);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

function refuseUnknown(definition: StrategyDefinition, names: readonly string[]): void {
  const known = Object.keys(definition.params.shape);
  for (const name of names) {
    if (known.includes(name)) continue;
    const hint = hintFor(name, known);
    const list = known.length === 0 ? 'it has no parameters' : `it has ${known.join(', ')}`;
    throw strategyErrors.make(
      'strategy_param_unknown',
      `${definition.name} has no parameter ${name}${hint} (${list})`,
      { param: name, known },
    );
  }
}

function valueAt(values: ParamValues, path: readonly PropertyKey[]): unknown {
  let value: unknown = values;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return value;
}

function issueText(issue: z.core.$ZodIssue, values: ParamValues): string {
  const value = valueAt(values, issue.path);
  const got = value === undefined ? 'nothing was given' : `got ${describe(value)}`;
  return `${issue.path.map(String).join('.') || 'params'}: ${issue.message} (${got}${writtenAs(issue, value)})`;
}

/** How a value of another type would be written. */
function writtenAs(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code !== 'invalid_type') return '';
  if (issue.expected === 'string' && typeof value === 'number') return `; write it in quotes: "${value}"`;
  const isJson = typeof value === 'string' && (issue.expected === 'object' || issue.expected === 'record');
  return isJson ? '; write JSON with quoted names, such as {"name": 1}, in a shell in single quotes' : '';
}

/**
 * Validated and frozen: schema defaults, then `values` (YAML), then `texts` (flags).
 * @throws strategy_param_unknown, strategy_param_invalid
 */
export function resolveParams(
  definition: StrategyDefinition,
  values: ParamValues = {},
  texts: Readonly<Record<string, string>> = {},
): Readonly<Record<string, unknown>> {
  refuseUnknown(definition, [...Object.keys(values), ...Object.keys(texts)]);
  const { shape } = definition.params;
  const merged: Record<string, unknown> = { ...values };
  for (const [name, text] of Object.entries(texts)) {
    const schema = shape[name];
    merged[name] = schema === undefined ? text : coerceText(schema, text);
  }
  const result = definition.params.safeParse(merged);
  if (result.success) return Object.freeze(result.data);
  const issues = result.error.issues.map((issue) => issueText(issue, merged));
  throw strategyErrors.make('strategy_param_invalid', `${definition.name}: ${issues.join('; ')}`, { issues });
}

/** The schema transforms values: output is not valid input. */
function changes(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodPipe || schema instanceof z.ZodTransform) return true;
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodCatch;
  return isWrapper && changes(schema.unwrap());
}

/**
 * Of a replayed session, not transformed again; new ones take their default. Frozen.
 * @throws strategy_param_unknown, strategy_param_invalid
 */
export function recallParams(definition: StrategyDefinition, recorded: ParamValues): Readonly<Record<string, unknown>> {
  refuseUnknown(definition, Object.keys(recorded));
  const values: Record<string, unknown> = { ...recorded };
  const issues: string[] = [];
  for (const [name, schema] of Object.entries(definition.params.shape)) {
    const isKnown = Object.hasOwn(recorded, name);
    if (isKnown && changes(schema)) continue;
    const result = z.safeParse(schema, recorded[name]);
    if (!result.success)
      issues.push(
        ...result.error.issues.map((issue) => issueText({ ...issue, path: [name, ...issue.path] }, recorded)),
      );
    else if (!isKnown && result.data !== undefined) values[name] = result.data;
  }
  if (issues.length === 0) return Object.freeze(values);
  throw strategyErrors.make('strategy_param_invalid', `${definition.name}: ${issues.join('; ')}`, { issues });
}

function isPlain(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isPlain);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((each) => each === undefined || isPlain(each));
}

/**
 * Parameters must survive JSON, as run hash and record keep them.
 * @throws strategy_param_invalid
 */
export function requirePlainParams(definition: StrategyDefinition, params: ParamValues): void {
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || isPlain(value)) continue;
    throw strategyErrors.make(
      'strategy_param_invalid',
      `${definition.name}: ${name}: ${describe(value)} is not plain JSON, so that no session could be run again with it; take text, ` +
        'a number, true or false, or lists and objects of them, and make the rest in setup',
      { param: name },
    );
  }
}
