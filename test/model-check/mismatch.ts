/** What every check throws: model and exchange, or REST and events, disagree. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

export function agree(what: string, actual: string, expected: string): void {
  if (actual !== expected) throw new Mismatch(`${what}\n  exchange: ${actual}\n  model:    ${expected}`);
}

/** Two sets of named lines. */
export function agreeLines(
  what: string,
  actual: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): void {
  for (const [name, line] of expected) {
    const other = actual.get(name);
    if (other !== line) agree(`${what}: ${name}`, other ?? 'missing', line);
  }
  if (actual.size === expected.size) return;
  for (const [name, line] of actual) if (!expected.has(name)) agree(`${what}: ${name}`, line, 'missing');
}

/** One text of an object whatever the order of its fields, without the fields named. */
export function lineOf(value: unknown, without: readonly string[] = []): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map((item) => lineOf(item)).join()}]`;
  const fields = Object.entries(value).filter(([name, field]) => field !== undefined && !without.includes(name));
  fields.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${fields.map(([name, field]) => `${name}:${lineOf(field)}`).join()}}`;
}
