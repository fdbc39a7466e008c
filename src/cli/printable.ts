/** Escapes control characters of foreign text for terminals. Line ends, tabs and the colours of `table.ts` pass. */

const COLOURS = '(?:0|1|2|31|32|33)';

/** C0 but tab and line end, a lone carriage return, DEL, C1, and direction marks. */
const UNSAFE = new RegExp(
  `\\u001b\\[${COLOURS}m|\\r\\n|[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]`,
  'g',
);

export function printable(text: string): string {
  return text.replace(UNSAFE, (found) =>
    found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
