/** `JSON.stringify` in pieces: a long result would be a string of 50 MB. */
import { writeSync } from 'node:fs';

const ROWS = 1024;

export function* jsonPieces(document: object): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) yield* listPieces(value);
    else yield JSON.stringify(value);
    before = ',';
  }
  yield before === '{' ? '{}\n' : '}\n';
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  let before = '[';
  for (let at = 0; at < list.length; at += ROWS) {
    yield before + JSON.stringify(list.slice(at, at + ROWS)).slice(1, -1);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

export function writeText(handle: number, text: string | Iterable<string>): void {
  for (const piece of typeof text === 'string' ? [text] : text) {
    const bytes = Buffer.from(piece);
    for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
  }
}
