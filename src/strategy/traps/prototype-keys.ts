/**
 * Keys that old packages add to Object.prototype show in each `for … in`, also in those of zod, and so as unknown keys of
 * whatever is checked. On paper and live they are kept and no longer enumerated; a backtest refuses them.
 */

/** Answers the keys that it hid. One that cannot be changed stays as it is. */
export function hidePrototypeKeys(): readonly string[] {
  const hidden: string[] = [];
  for (const key of Object.keys(Object.prototype)) {
    if (Reflect.defineProperty(Object.prototype, key, { enumerable: false })) hidden.push(key);
  }
  return hidden;
}
