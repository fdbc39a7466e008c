/** JSON without loss of digits: numbers that a double cannot hold stay text. */
import { dec } from '../../model/numbers/money.ts';

/** Beyond the 15 digits that doubles keep. */
const LONG = /(?:^|[:[,\s])-?(?:\d{16}|[\d.]{17})/;
/** No exponent: expanded it could be of any length. */
const PLAIN = /^-?\d+(?:\.\d+)?$/;

function digitsOf(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || !PLAIN.test(source)) return value;
  return dec(source).eq(value) ? value : source;
}

/** Throws a `SyntaxError`. */
export function parseExact(text: string): unknown {
  return LONG.test(text) ? JSON.parse(text, digitsOf) : JSON.parse(text);
}
