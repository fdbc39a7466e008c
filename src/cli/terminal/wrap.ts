/** Wraps lines at the terminal's width, not counting colours; a too wide word is broken. */
import { COLOUR_OFF, piecesOf } from './clip.ts';

const INDENT = '    ';

/** Parts of at most `columns`; colours continue in each part. */
export function wrap(line: string, columns: number): readonly string[] {
  const parts: string[] = [];
  const indent = columns > 4 * INDENT.length ? INDENT : '';
  let colour = '';
  let part = '';
  let width = 0;
  const breakLine = (): void => {
    parts.push(colour === '' ? part : `${part}${COLOUR_OFF}`);
    part = `${indent}${colour}`;
    width = indent.length;
  };
  for (const word of wordsOf(line)) {
    // Drops a space at a break.
    if (word.isSpace && width + word.width > columns) continue;
    if (width + word.width > columns && width > indent.length && word.width <= columns - indent.length) breakLine();
    for (const piece of word.pieces) {
      if (isColour(piece)) colour = piece === COLOUR_OFF ? '' : piece;
      else if (width === columns) breakLine();
      part += piece;
      if (!isColour(piece)) width++;
    }
  }
  return [...parts, part];
}

/** A shell command in lines of at most `columns`, joined by backslashes so that it can be copied. */
export function wrapCommand(command: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let rest = command;
  while (rest.length > columns) {
    const room = Math.max(1, columns - 1);
    const at = rest.lastIndexOf(' ', room - 1) + 1;
    const end = at > 0 ? at : room;
    lines.push(`${rest.slice(0, end)}\\`);
    rest = rest.slice(end);
  }
  return [...lines, rest];
}

interface Word {
  readonly pieces: string[];
  readonly isSpace: boolean;
  width: number;
}

function isColour(piece: string): boolean {
  return piece.length > 2;
}

/** Runs of spaces or other characters, with the colour before them. */
function wordsOf(line: string): readonly Word[] {
  const words: Word[] = [];
  let waiting: string[] = [];
  for (const piece of piecesOf(line)) {
    if (isColour(piece)) {
      waiting.push(piece);
      continue;
    }
    const isSpace = piece === ' ';
    let word = words.at(-1);
    if (word === undefined || word.isSpace !== isSpace) words.push((word = { pieces: [], isSpace, width: 0 }));
    word.pieces.push(...waiting, piece);
    word.width++;
    waiting = [];
  }
  return waiting.length === 0 ? words : [...words, { pieces: waiting, isSpace: false, width: 0 }];
}
