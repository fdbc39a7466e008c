/**
 * JSON without loss of digits (reliability M01): a number that a double cannot hold is kept as the text that was sent, which
 * the scalars of this folder read like any decimal or id. For answers and private frames, whose numbers are money or name
 * things; public frames are read by their grid, on which no such number lies, and need not pay for it.
 */
import { dec } from '../../model/money.ts';

/** Where a number may stand that has more than the 15 digits which a double always keeps. */
const LONG = /(?:^|[:[,\s])-?(?:\d{16}|[\d.]{17})/;
/** Without an exponent: what is written with one is no money of this exchange, and spelled out it may be of any length. */
const PLAIN = /^-?\d+(?:\.\d+)?$/;

function digitsOf(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || !PLAIN.test(source)) return value;
  return dec(source).eq(value) ? value : source;
}

/** Like `JSON.parse`: throws a `SyntaxError`. */
export function parseExact(text: string): unknown {
  return LONG.test(text) ? JSON.parse(text, digitsOf) : JSON.parse(text);
}
