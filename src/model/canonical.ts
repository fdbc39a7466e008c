/** Canonical JSON for hashes: keys sorted, no blanks, absent values left out. */
import type { Json } from './json.ts';

export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : 'null';
  if (Array.isArray(value))
    return `[${value.map((item) => canonicalJson(item === undefined ? null : item)).join(',')}]`;
  if (typeof value === 'object') return objectText(value);
  return 'null';
}

/** A copy as plain data: decimals become text, what is not JSON is left out. */
export function plainJson(value: unknown): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== 'object') return null;
  if ('toJSON' in value && typeof value.toJSON === 'function') return plainJson(value.toJSON());
  const plain: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || typeof item === 'function' || typeof item === 'symbol') continue;
    plain[key] = plainJson(item);
  }
  return plain;
}

function objectText(value: object): string {
  if ('toJSON' in value && typeof value.toJSON === 'function') return canonicalJson(value.toJSON());
  const parts: string[] = [];
  // UTF-16 order.
  for (const key of Object.keys(value).sort()) {
    const item: unknown = Reflect.get(value, key);
    if (item === undefined || typeof item === 'function' || typeof item === 'symbol') continue;
    parts.push(`${JSON.stringify(key)}:${canonicalJson(item)}`);
  }
  return `{${parts.join(',')}}`;
}
