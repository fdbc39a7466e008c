/**
 * JSON whose text steers no terminal: DEL, C1, line separators and direction marks are written as escapes. One form for
 * `journal export`, the API and the stream, so that the same entry has the same bytes everywhere.
 */

/** Beyond ASCII control characters, which JSON escapes itself; a part of a character class. */
export const STEERING = '\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';

const STEERS = new RegExp(`[${STEERING}]`, 'g');

export function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(STEERS, escaped);
}
