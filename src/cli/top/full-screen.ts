/** A terminal's other screen: drawn over in place, given back as it was. */
import { keysIn, type TopKey } from './keys.ts';

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';
const COLUMNS = 80;
const ROWS = 24;

export interface FullScreen {
  readonly columns: number;
  readonly rows: number;
  draw(lines: readonly string[]): void;
  close(): void;
}

export function openFullScreen(onKey: (key: TopKey) => void, onResize: () => void): FullScreen {
  const { stdin, stdout } = process;
  const typed = (text: string): void => {
    for (const key of keysIn(text)) onKey(key);
  };
  stdin.setEncoding('utf8');
  stdin.setRawMode?.(true);
  stdin.on('data', typed);
  stdout.on('resize', onResize);
  stdout.write(ENTER);
  return {
    get columns() {
      return stdout.columns ?? COLUMNS;
    },
    get rows() {
      return stdout.rows ?? ROWS;
    },
    draw: (lines) => {
      // A frame is left out while the terminal is slow.
      if (stdout.writableLength > 0) return;
      stdout.write(`${HOME}${lines.map((line) => `${line}${CLEAR_LINE}`).join('\r\n')}${CLEAR_BELOW}`);
    },
    close: () => {
      stdin.off('data', typed);
      stdin.setRawMode?.(false);
      stdin.pause();
      stdout.off('resize', onResize);
      stdout.write(LEAVE);
    },
  };
}
