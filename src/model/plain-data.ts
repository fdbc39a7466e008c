/** Plain objects and arrays, to the bottom; what a class made stays as it is. */

/** Freezes in place. */
export function deepFrozen<Value>(value: Value): Value {
  if (!isPlain(value)) return value;
  for (const part of Object.values(value)) deepFrozen<unknown>(part);
  return Object.freeze(value);
}

export function plainCopy<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(plainCopy) as Value;
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plainCopy<unknown>(part)])) as Value;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const made: unknown = Object.getPrototypeOf(value);
  return made === Object.prototype || made === null;
}
