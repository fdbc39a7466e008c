/** Parses request JSON; each number keeps its text, so decimals are exact and exponents can be refused. */

export class JsonNumber {
  readonly source: string;
  readonly value: number;

  constructor(source: string, value: number) {
    this.source = source;
    this.value = value;
  }

  toJSON(): unknown {
    return rawJson(this.source);
  }
}

// ES2026; missing in the typings.
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

type SourceReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

// ES2026; missing in the typings.
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

function holdsNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'number';
  return Object.values(value).some(holdsNumber);
}

/** Throws a `SyntaxError`. */
export function parseRequestJson(text: string): unknown {
  // A reviver is slow: skip it without numbers.
  const plain: unknown = JSON.parse(text);
  if (!holdsNumber(plain)) return plain;
  return parseWithSource(text, (_key, value, { source }) =>
    typeof value === 'number' ? new JsonNumber(source ?? String(value), value) : value,
  );
}
