/**
 * JSON of requests, exactly: a number keeps its own text, so that `0.1` is no float on its way to money and an exponent
 * can be refused (wire profile, "Details": decimals as strings or JSON numbers; exponents are 400).
 */

/** A JSON number with the text it was written with. */
export class JsonNumber {
  readonly source: string;
  readonly value: number;

  constructor(source: string, value: number) {
    this.source = source;
    this.value = value;
  }

  /** For values that are kept and given back as they came, digit by digit. */
  toJSON(): unknown {
    return rawJson(this.source);
  }
}

// ES2026, like the reviver's source below: the text of a number stays what it was.
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

type SourceReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

// ES2026 hands the source text to the reviver; the ES2024 typings do not know it yet.
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

function holdsNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'number';
  return Object.values(value).some(holdsNumber);
}

/** Throws a `SyntaxError` when `text` is not JSON. */
export function parseRequestJson(text: string): unknown {
  // A reviver is slow and most requests hold texts alone; only numbers need their source.
  const plain: unknown = JSON.parse(text);
  if (!holdsNumber(plain)) return plain;
  return parseWithSource(text, (_key, value, { source }) =>
    typeof value === 'number' ? new JsonNumber(source ?? String(value), value) : value,
  );
}
