/** Result of decoding, which never throws. */
import type { z } from 'zod';

export interface DecodeFailure {
  readonly kind: 'failure';
  /** Endpoint or channel name. */
  readonly source: string;
  /** Path, `bids.3.0`; empty for the payload itself. */
  readonly field: string;
  /** "expected a decimal". */
  readonly problem: string;
  /** Truncated JSON of the value. */
  readonly sample: string;
}

export interface DecodedValue<T> {
  readonly kind: 'value';
  readonly value: T;
}

export type Decoded<T> = DecodedValue<T> | DecodeFailure;

const SAMPLE_LENGTH_MAX = 160;

export function sampleOf(value: unknown): string {
  let text: string;
  try {
    text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    text = typeof value;
  }
  return text.length > SAMPLE_LENGTH_MAX ? `${text.slice(0, SAMPLE_LENGTH_MAX)}…` : text;
}

export function decoded<T>(value: T): DecodedValue<T> {
  return { kind: 'value', value };
}

export function decodeFailure(source: string, field: string, problem: string, value: unknown): DecodeFailure {
  return { kind: 'failure', source, field, problem, sample: sampleOf(value) };
}

export function failureText(failure: DecodeFailure): string {
  const field = failure.field === '' ? '' : `, field ${failure.field}`;
  return `${failure.source}${field}: ${failure.problem} (${failure.sample})`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let current = input;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return current;
    current = Reflect.get(current, key);
  }
  return current;
}

export function decodeBy<T>(schema: z.ZodType<T>, source: string, input: unknown): Decoded<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return decoded(parsed.data);
  const issue = parsed.error.issues[0];
  const path = issue?.path ?? [];
  return decodeFailure(source, path.map(String).join('.'), issue?.message ?? 'does not fit', valueAt(input, path));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list, `{"items": […]}`, or a single row. */
export function rowsIn(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data;
  const items = isRecord(data) ? data['items'] : undefined;
  return Array.isArray(items) ? items : [data];
}
