/** Tables and colours for terminals; plain on a pipe. */
import Table from 'cli-table3';

const CODES = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

export type Colour = keyof typeof CODES;

/** No colours on a pipe or with NO_COLOR. */
export function colouring(
  isTty: boolean,
  env: Readonly<Record<string, string | undefined>>,
): (colour: Colour, text: string) => string {
  const on = isTty && (env['NO_COLOR'] ?? '') === '';
  return (colour, text) => (on ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text);
}

const BARE = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** The width of a cell is measured character by character. */
const CELL_MAX = 4_000;

export interface TableOptions {
  readonly head?: readonly string[];
  /** 0-based columns aligned right. */
  readonly right?: readonly number[];
}

export function table(rows: readonly (readonly string[])[], options: TableOptions = {}): string {
  const columns = Math.max(options.head?.length ?? 0, ...rows.map((row) => row.length));
  const aligned = Array.from({ length: columns }, (_, column) =>
    options.right?.includes(column) === true ? ('right' as const) : ('left' as const),
  );
  const grid = new Table({
    chars: BARE,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: aligned,
    ...(options.head === undefined ? {} : { head: [...options.head] }),
  });
  for (const row of rows) grid.push(row.map((cell) => (cell.length > CELL_MAX ? `${cell.slice(0, CELL_MAX)}…` : cell)));
  return grid
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
