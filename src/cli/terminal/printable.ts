/** Escapes control characters of foreign text for terminals. Line ends, tabs and the colours of `table.ts` pass. */
import { escaped, STEERING } from '../../model/text/json-text.ts';

const COLOURS = '(?:0|1|2|31|32|33)';

/** C0 but tab and line end, a lone carriage return, and what JSON text escapes too. */
const UNSAFE = new RegExp(`\\u001b\\[${COLOURS}m|\\r\\n|[\\u0000-\\u0008\\u000b-\\u001f${STEERING}]`, 'g');

export function printable(text: string): string {
  return text.replace(UNSAFE, (found) => (found.length > 1 ? found : escaped(found)));
}
