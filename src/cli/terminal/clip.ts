/** Cuts lines to the terminal's width, not counting colours. */

const ESCAPE = '\u001b';
const PIECE = new RegExp(`${ESCAPE}\\[\\d+m|[^]`, 'gu');
export const COLOUR_OFF = `${ESCAPE}[0m`;

/** Characters, and each colour as one piece. */
export function piecesOf(line: string): readonly string[] {
  return line.match(PIECE) ?? [];
}

export function clip(line: string, columns: number): string {
  if (line.length <= columns) return line;
  const pieces: string[] = [];
  let width = 0;
  /** Of the last visible piece. */
  let last = 0;
  let coloured = false;
  for (const piece of piecesOf(line)) {
    const isColour = piece.length > 2;
    if (!isColour && width === columns) {
      pieces[last] = '…';
      return `${pieces.join('')}${coloured ? COLOUR_OFF : ''}`;
    }
    if (isColour) coloured = piece !== COLOUR_OFF;
    else {
      width++;
      last = pieces.length;
    }
    pieces.push(piece);
  }
  return line;
}
