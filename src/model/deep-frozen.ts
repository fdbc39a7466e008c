/** Freezes plain objects and arrays in place, to the bottom; what a class made stays as it is. */
export function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  for (const part of Object.values(value)) deepFrozen<unknown>(part);
  return Object.freeze(value);
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const made: unknown = Object.getPrototypeOf(value);
  return made === Object.prototype || made === null;
}
