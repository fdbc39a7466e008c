/**
 * A value bare or in `{"data": …}`; a list bare or as `{"items": […]}` with an optional cursor. A missing or null list
 * is a failure.
 */
import type { z } from 'zod';
import { decodeBy, decodeFailure, decoded, isRecord, type Decoded } from './decoded.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** Null: last page. Undefined: unknown. */
  readonly nextCursor: string | null | undefined;
}

export function parseJson(source: string, text: string): Decoded<unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return decoded(value);
  } catch {
    return decodeFailure(source, '', 'not JSON', text);
  }
}

/** No resource has its own field `data`. */
export function unwrapped(json: unknown): unknown {
  return isRecord(json) && Object.hasOwn(json, 'data') ? json['data'] : json;
}

export function decodeObject<T>(schema: z.ZodType<T>, source: string, json: unknown): Decoded<T> {
  return decodeBy(schema, source, unwrapped(json));
}

function cursorOf(levels: readonly unknown[]): unknown {
  for (const level of levels) {
    if (isRecord(level) && Object.hasOwn(level, 'nextCursor')) return level['nextCursor'];
  }
  return undefined;
}

/** One bad row fails the page: dropping it would read as absence. */
export function decodePage<T>(item: z.ZodType<T>, source: string, json: unknown): Decoded<Page<T>> {
  const inner = unwrapped(json);
  const list = isRecord(inner) ? inner['items'] : inner;
  if (!Array.isArray(list)) return decodeFailure(source, 'items', 'expected a list', json);
  const cursor = cursorOf([inner, json]);
  if (cursor !== undefined && cursor !== null && typeof cursor !== 'string' && typeof cursor !== 'number') {
    return decodeFailure(source, 'nextCursor', 'expected text or null', cursor);
  }
  const items: T[] = [];
  for (const [index, row] of list.entries()) {
    const result = decodeBy(item, source, row);
    if (result.kind === 'failure') {
      return { ...result, field: result.field === '' ? String(index) : `${index}.${result.field}` };
    }
    items.push(result.value);
  }
  const nextCursor = cursor === undefined || cursor === null ? cursor : cursor === '' ? null : String(cursor);
  return decoded({ items, nextCursor });
}

export function decodeList<T>(item: z.ZodType<T>, source: string, json: unknown): Decoded<readonly T[]> {
  const page = decodePage(item, source, json);
  return page.kind === 'failure' ? page : decoded(page.value.items);
}
