/** A strategy's throw as a typed error. The line comes from the stack, else the source text, else the definition. */
import { readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { messageOf, TidewireError, type ErrorRow } from '../../model/errors.ts';
import { strategyErrors } from '../errors.ts';
import { locate, stackOf, type SourceLocation } from '../loading/location.ts';
import type { StrategyScope } from './scope.ts';

export interface StrategyErrorDetails {
  readonly strategy: string;
  readonly tag: string;
  /** Absolute path; null when unknown. */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** `top BTCUSDT {ts: 1…}`. */
  readonly event: string;
}

/** With `StrategyErrorDetails`. Its code is `strategy_threw`, or that of a thrown typed error. */
export type StrategyError = TidewireError;

const EVENT_FIELDS = 8;
const TEXT_MAX = 1_000;

function fieldText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? `'${value.slice(0, 60)}'` : undefined;
}

/** Plain fields, bounded; live views are not called. */
export function eventText(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    const text = fieldText(value);
    return text === undefined ? name : `${name} ${text}`;
  }
  const fields: string[] = [];
  for (const [key, part] of Object.entries(value)) {
    const text = fieldText(part);
    if (text !== undefined && fields.length < EVENT_FIELDS) fields.push(`${key}: ${text}`);
  }
  return fields.length === 0 ? name : `${name} {${fields.join(', ')}}`;
}

/** Relative to the working directory. */
export function shownPath(file: string): string {
  const near = relative(process.cwd(), file);
  return near.startsWith('..') || isAbsolute(near) ? file : near;
}

/** First line that holds `needle` as quoted text. */
export function findInSource(file: string, needle: string): SourceLocation | undefined {
  let lines: readonly string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const quoted = [`'${needle}'`, `"${needle}"`, `\`${needle}\``];
  const index = lines.findIndex((line) => quoted.some((text) => line.includes(text)));
  if (index < 0) return undefined;
  return {
    file,
    line: index + 1,
    column: quoted.map((text) => (lines[index] ?? '').indexOf(text) + 1).find((at) => at > 0) ?? 1,
  };
}

/** A typed error of any module copy keeps its row; others become `strategy_threw`. */
function rowOf(thrown: unknown): { readonly code: string; readonly row: ErrorRow } {
  const threw = { code: 'strategy_threw', row: strategyErrors.rows.strategy_threw };
  if (!(thrown instanceof Error) || thrown.name !== 'TidewireError') return threw;
  const { code, exit, remedy } = thrown as Partial<TidewireError>;
  if (code === undefined || exit === undefined || remedy === undefined) return threw;
  return { code, row: { exit, meaning: '', remedy } };
}

function contentOf(thrown: unknown, message: string): string {
  if (typeof thrown === 'string') return `'${message}'`;
  if (typeof thrown !== 'object' || thrown === null) return message;
  try {
    return JSON.stringify(thrown) ?? message;
  } catch {
    return message;
  }
}

function thrownText(thrown: unknown): string {
  const message = messageOf(thrown);
  if (!(thrown instanceof Error)) return `threw ${contentOf(thrown, message)}, which is not an Error`;
  return thrown.name === 'Error' || thrown.name === 'TidewireError' ? message : `${thrown.name}: ${message}`;
}

/** It comes to the log, the result, a table and each sink of alerts, and may be a page of HTML. */
function bounded(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}… (${text.length} characters)` : text;
}

export interface FailureSource {
  readonly strategy: string;
  readonly defined: SourceLocation | undefined;
  readonly scope: StrategyScope;
  /** Used when the stack gives no place. */
  readonly hint?: SourceLocation | undefined;
}

/** A throw of a function of a definition, such as `warmup`, before the strategy runs. */
export function definitionFailure(
  thrown: unknown,
  strategy: string,
  what: string,
  defined: SourceLocation | undefined,
): StrategyError {
  const files = new Set(defined === undefined ? [] : [defined.file]);
  const place = locate(stackOf(thrown), files) ?? defined;
  const { code, row } = rowOf(thrown);
  return new TidewireError(
    code,
    row,
    `strategy ${strategy}: ${what}: ${bounded(thrownText(thrown))} at ${placeText(place)}`,
    { strategy, ...place },
    thrown,
  );
}

function placeText(place: SourceLocation | undefined): string {
  return place === undefined ? 'unknown place' : `${shownPath(place.file)}:${place.line}:${place.column}`;
}

export function strategyFailure(thrown: unknown, source: FailureSource): StrategyError {
  const { scope, strategy } = source;
  const place = locate(stackOf(thrown), scope.files) ?? source.hint ?? source.defined;
  const event = eventText(scope.eventName, scope.eventValue);
  const details: StrategyErrorDetails = {
    strategy,
    tag: scope.tag,
    file: place?.file ?? null,
    line: place?.line ?? null,
    column: place?.column ?? null,
    event,
  };
  const { code, row } = rowOf(thrown);
  return new TidewireError(
    code,
    row,
    `${scope.tag}: ${bounded(thrownText(thrown))} at ${placeText(place)}, at event ${event}`,
    { ...details },
    thrown,
  );
}
