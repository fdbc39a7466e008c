/**
 * What every import format provides. `layoutOf` looks at the head of a file and says what it is; a `Framer` turns lines
 * into raw frames (kept as they are); a parser reads frames, at import and again at every compile.
 */
import type { InputLayout, RecordingSource } from '../manifest.ts';
import type { FrameParser } from './raw-message.ts';

export type ImportFormat = Exclude<RecordingSource, 'tidewire'>;

/** Options of `data import` that change what a file means. */
export interface LayoutOptions {
  /** The symbols asked for; files without a symbol column take the only one. */
  readonly symbols: readonly string[];
  /** Candles: ms of one. */
  readonly intervalMs?: number;
  readonly timestamp?: 'open' | 'close';
  readonly volume?: 'base' | 'quote';
}

/** Takes lines in order and emits frames; `flush` ends the last one. A line that is not understood is answered with why. */
export interface Framer {
  line(text: string): string | null;
  flush(): void;
}

export type EmitFrame = (receiveUs: number, text: string) => void;

export interface Importer {
  readonly format: ImportFormat;
  /** The layout of a file by its first lines, or a sentence that says why it is not of this format. */
  layoutOf(file: string, head: readonly string[], options: LayoutOptions): InputLayout | string;
  framer(layout: InputLayout, emit: EmitFrame): Framer;
  parser(layout: InputLayout): FrameParser;
}

/** The symbol that a file without a symbol column is about. */
export function symbolOf(layout: InputLayout): string {
  const symbol = layout.options['symbol'];
  return typeof symbol === 'string' ? symbol : '';
}
