/**
 * How what came differs from what was expected. An expectation names the fields that matter: others may be anything. A number
 * and its text are equal (`100`, `'100.00'`); a list must have the same length and order.
 */

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of a decimal library. */
function isDecimal(value: unknown): value is { toFixed(): string } {
  return isRecord(value) && typeof value['toFixed'] === 'function';
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && value.trim() !== '') return Number(value);
  // A decimal of a library says its number as text.
  return isDecimal(value) ? Number(value.toFixed()) : Number.NaN;
}

/** Equal up to what binary fractions cannot hold. */
function sameNumber(expected: unknown, actual: unknown): boolean {
  const [one, other] = [numberOf(expected), numberOf(actual)];
  return one === other || Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));
}

export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  if (typeof value === 'string') return `'${value}'`;
  if (isDecimal(value)) return value.toFixed();
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{ ${fields.map(([name, field]) => `${name}: ${shown(field)}`).join(', ')} }`;
}

/** One line a difference; none when it is as expected. */
export function differences(expected: unknown, actual: unknown, path: string): readonly string[] {
  const missed = [`${path}: expected ${shown(expected)}, came ${shown(actual)}`];
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return missed;
    const longest = Math.max(expected.length, actual.length);
    return Array.from({ length: longest }, (_, index) => index).flatMap((index) => {
      const at = `${path}[${index}]`;
      if (index >= expected.length) return [`${at}: came ${shown(actual[index])}, which was not expected`];
      if (index >= actual.length) return [`${at}: expected ${shown(expected[index])}, nothing came`];
      return differences(expected[index], actual[index], at);
    });
  }
  if (isRecord(expected) && !isDecimal(expected)) {
    if (!isRecord(actual)) return missed;
    return Object.entries(expected).flatMap(([name, field]) => differences(field, actual[name], `${path}.${name}`));
  }
  return Object.is(expected, actual) || sameNumber(expected, actual) ? [] : missed;
}
