/**
 * An import format: `layoutOf` identifies a file, a `Framer` makes raw frames, a parser reads them at import and
 * compile.
 */
import { recordingErrors } from '../errors.ts';
import type { InputLayout, RecordingSource } from '../frames/manifest.ts';
import type { FrameParser } from './raw-message.ts';

export type ImportFormat = Exclude<RecordingSource, 'tidewire'>;

/** Options of `data import` that affect decoding. */
export interface LayoutOptions {
  /** The only one applies without a symbol column. */
  readonly symbols: readonly string[];
  /** Of candles, ms. */
  readonly intervalMs?: number;
  readonly timestamp?: 'open' | 'close';
  readonly volume?: 'base' | 'quote';
}

/** Lines in order; returns why one is not understood. */
export interface Framer {
  line(text: string): string | null;
  flush(): void;
}

export type EmitFrame = (receiveUs: number, text: string) => void;

export interface Importer {
  readonly format: ImportFormat;
  /** Or why the file does not fit. */
  layoutOf(file: string, head: readonly string[], options: LayoutOptions): InputLayout | string;
  framer(layout: InputLayout, emit: EmitFrame): Framer;
  parser(layout: InputLayout): FrameParser;
}

/** The asked symbol, of a file that names none. @throws import_bad_option of several */
export function onlySymbol(file: string, { symbols }: LayoutOptions): string {
  const [symbol = '', ...others] = symbols;
  if (others.length === 0) return symbol;
  throw recordingErrors.make(
    'import_bad_option',
    `${file} names no symbol, so --symbol ${symbols.join(',')} does not say which it holds; import it with its one symbol`,
    { option: 'symbol' },
  );
}

/** Without a symbol column. */
export function symbolOf(layout: InputLayout): string {
  const symbol = layout.options['symbol'];
  return typeof symbol === 'string' ? symbol : '';
}
