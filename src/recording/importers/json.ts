/** Reading untyped JSON in the importers: total functions, no surprises from objects where text was expected. */

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text or number as text; empty for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

/** An id above zero as a number; 0 when there is none. */
export function idOf(value: unknown): number {
  const number = Number(textOf(value));
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
