/** Cuts lines to the width of a terminal, colours not counted: a line that wraps would leave its rest on the screen. */

const ESCAPE = '\u001b';
const PIECE = new RegExp(`${ESCAPE}\\[\\d+m|[^]`, 'gu');
const OFF = `${ESCAPE}[0m`;

export function clip(line: string, columns: number): string {
  if (line.length <= columns) return line;
  let width = 0;
  let text = '';
  let coloured = false;
  for (const [piece] of line.matchAll(PIECE)) {
    if (piece.length > 2) coloured = piece !== OFF;
    else if (++width > columns) {
      const cut = text.slice(0, -1);
      return `${cut}…${coloured ? OFF : ''}`;
    }
    text += piece;
  }
  return text;
}
