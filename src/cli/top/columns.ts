/** Widths of lines with colours: padding, and two blocks of lines beside each other. */
import { clip, piecesOf } from '../terminal/clip.ts';

const GAP = '  ';

/** Of what is seen. */
export function widthOf(line: string): number {
  return piecesOf(line).filter((piece) => piece.length <= 2).length;
}

export function padded(line: string, columns: number): string {
  const cut = clip(line, columns);
  return `${cut}${' '.repeat(Math.max(0, columns - widthOf(cut)))}`;
}

/** The right one has `rightColumns`, the left one the rest. */
export function beside(
  left: readonly string[],
  right: readonly string[],
  columns: number,
  rightColumns: number,
): readonly string[] {
  const leftColumns = columns - rightColumns - GAP.length;
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    return `${padded(left[index] ?? '', leftColumns)}${GAP}${clip(right[index] ?? '', rightColumns)}`.trimEnd();
  });
}

/** Rows of cells in columns as wide as their widest cell; `right`: 0-based, aligned right. */
export function grid(rows: readonly (readonly string[])[], right: readonly number[] = []): readonly string[] {
  const widths = rows.reduce<readonly number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, widthOf(cell))),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const space = ' '.repeat((widths[index] ?? 0) - widthOf(cell));
        return right.includes(index) ? `${space}${cell}` : `${cell}${space}`;
      })
      .join('  ')
      .trimEnd(),
  );
}
