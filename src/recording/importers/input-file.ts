/** An input file as raw frames. Unreadable parts are described, not thrown. */
import { recordingErrors } from '../errors.ts';
import type { InputLayout } from '../frames/manifest.ts';
import type { Importer, LayoutOptions } from './importer.ts';
import { LineReader } from './lines.ts';

const HEAD_LINES = 5;
const MAX_SAMPLES = 3;

export interface ImportedFrame {
  readonly receiveUs: number;
  readonly text: string;
}

export class InputFile {
  readonly #reader: LineReader;
  readonly #importer: Importer;
  readonly #options: LayoutOptions;
  #layout: InputLayout | null = null;
  #badLines = 0;
  readonly #samples: string[] = [];

  constructor(path: string, importer: Importer, options: LayoutOptions) {
    this.#reader = new LineReader(path);
    this.#importer = importer;
    this.#options = options;
  }

  get name(): string {
    return this.#reader.name;
  }

  /** From the first frame on. */
  get layout(): InputLayout | null {
    return this.#layout;
  }

  get lines(): number {
    return this.#reader.lines;
  }

  get truncated(): boolean {
    return this.#reader.damage !== null;
  }

  /** What was lost or not understood. */
  problems(): readonly string[] {
    const problems: string[] = [];
    if (this.#reader.damage !== null) {
      problems.push(
        `${this.#reader.damage}; ${this.#reader.lines} whole lines before that were read, the rest is lost`,
      );
    }
    if (this.#badLines > 0) {
      problems.push(`${this.name}: ${this.#badLines} lines were not understood, first: ${this.#samples.join(' · ')}`);
    }
    return problems;
  }

  /** @throws import_file_unreadable, import_wrong_format */
  async *frames(): AsyncGenerator<readonly ImportedFrame[]> {
    let ready: ImportedFrame[] = [];
    let framer: ReturnType<Importer['framer']> | null = null;
    let before = 0;
    for await (const lines of this.#reader.batches()) {
      framer ??= this.#begin(lines, (receiveUs, text) => ready.push({ receiveUs, text }));
      for (let index = 0; index < lines.length; index++) {
        const line = lines[index] ?? '';
        const why = framer.line(line);
        if (why !== null) this.#bad(before + index + 1, why, line);
      }
      before += lines.length;
      if (ready.length === 0) continue;
      yield ready;
      ready = [];
    }
    framer?.flush();
    if (ready.length > 0) yield ready;
  }

  #begin(lines: readonly string[], emit: (receiveUs: number, text: string) => void): ReturnType<Importer['framer']> {
    const layout = this.#importer.layoutOf(this.name, lines.slice(0, HEAD_LINES), this.#options);
    if (typeof layout === 'string') {
      throw recordingErrors.make(
        'import_wrong_format',
        `${this.#reader.path} is not ${this.#importer.format}: ${layout}`,
        { path: this.#reader.path },
      );
    }
    this.#layout = layout;
    return this.#importer.framer(layout, emit);
  }

  #bad(line: number, why: string, text: string): void {
    this.#badLines++;
    if (this.#samples.length < MAX_SAMPLES) this.#samples.push(`line ${line}: ${why} (${text.slice(0, 60)})`);
  }
}
