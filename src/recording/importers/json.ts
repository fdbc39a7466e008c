/** Total functions that read untyped JSON. */

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text or number as text; else empty. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

/** An id above zero; else 0. */
export function idOf(value: unknown): number {
  const number = Number(textOf(value));
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
