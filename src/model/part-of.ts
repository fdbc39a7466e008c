/** Of a map the keys that begin so, without that, and their values. */
export function partOf<Value>(map: ReadonlyMap<string, Value>, prefix: string): (readonly [string, Value])[] {
  return [...map].flatMap(([key, value]) =>
    key.startsWith(prefix) ? [[key.slice(prefix.length), value] as const] : [],
  );
}
