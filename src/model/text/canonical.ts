/** Canonical JSON for hashes: keys sorted, no blanks, absent values left out. */
import type { Json } from './json.ts';

export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return arrayText(value);
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

function arrayText(items: readonly unknown[]): string {
  let text = '';
  for (const item of items) text += `${text === '' ? '' : ','}${canonicalJson(item === undefined ? null : item)}`;
  return `[${text}]`;
}

function objectText(value: object): string {
  if ('toJSON' in value && typeof value.toJSON === 'function') return canonicalJson(value.toJSON());
  let text = '';
  for (const key of sorted(Object.keys(value))) {
    const item: unknown = Reflect.get(value, key);
    if (item === undefined || typeof item === 'function' || typeof item === 'symbol') continue;
    text += `${text === '' ? '' : ','}${keyText(key)}${canonicalJson(item)}`;
  }
  return `{${text}}`;
}

/** Above, `sort` is faster. */
const FEW_KEYS = 32;

/** In place, in UTF-16 order. */
function sorted(keys: string[]): string[] {
  if (keys.length > FEW_KEYS) return keys.sort();
  for (let from = 1; from < keys.length; from++) {
    const key = keys[from]!;
    let at = from;
    for (; at > 0 && keys[at - 1]! > key; at--) keys[at] = keys[at - 1]!;
    keys[at] = key;
  }
  return keys;
}

const KEYS_KEPT = 1_000;
const keyTexts = new Map<string, string>();

/** `"key":`, kept since entries have the same few keys. */
function keyText(key: string): string {
  let text = keyTexts.get(key);
  if (text === undefined) {
    text = `${JSON.stringify(key)}:`;
    if (keyTexts.size < KEYS_KEPT) keyTexts.set(key, text);
  }
  return text;
}
