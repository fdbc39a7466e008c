/**
 * `<out>.download`: the request of an unfinished download, and one file per received page. A page is complete or
 * absent, so a killed download continues after the last page.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson } from '../../model/text/canonical.ts';
import { messageOf } from '../../model/errors.ts';
import type { InstrumentSpec } from '../../model/market/instrument.ts';
import { recordingErrors } from '../errors.ts';
import { makeRecordingFolder } from '../frames/folder.ts';
import { instrumentSchema } from '../frames/manifest.ts';
import type { Page } from './pages.ts';

const STATE_FILE = 'download.json';

const askedSchema = z.object({
  exchange: z.string(),
  symbols: z.array(z.string()),
  interval: z.string(),
  from: z.number(),
  /** Null: until now. */
  to: z.number().nullable(),
});

const stateSchema = z.object({
  asked: askedSchema,
  /** Unix ms; of the first run where nothing was asked for. */
  to: z.number(),
  instruments: z.array(instrumentSchema),
});

export type Asked = Readonly<z.infer<typeof askedSchema>>;

export class WorkFolder {
  readonly #dir: string;

  constructor(out: string) {
    this.#dir = `${out}.download`;
  }

  get instrumentFile(): string {
    return join(this.#dir, 'instruments.json');
  }

  /** The end and the instruments of the first run. @throws recording_exists, recording_write_failed */
  open(asked: Asked, now: number, instruments: readonly InstrumentSpec[]): { readonly to: number } {
    const file = join(this.#dir, STATE_FILE);
    if (!existsSync(file)) {
      const to = Math.min(asked.to ?? now, now);
      this.#write(this.instrumentFile, JSON.stringify(instruments));
      this.#write(file, JSON.stringify({ asked, to, instruments }));
      return { to };
    }
    const state = stateSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (state.success && canonicalJson(state.data.asked) === canonicalJson(asked)) return { to: state.data.to };
    const { symbols = [], interval = '', exchange = '' } = state.data?.asked ?? {};
    throw recordingErrors.make(
      'recording_exists',
      `${this.#dir} holds an unfinished download of something else (${interval} of ${symbols.join(', ')} from ${exchange})`,
      { path: this.#dir },
    );
  }

  has(page: Page): boolean {
    return existsSync(this.#pageFile(page));
  }

  read(page: Page): string {
    return readFileSync(this.#pageFile(page), 'utf8');
  }

  keep(page: Page, lines: readonly string[]): void {
    this.#write(this.#pageFile(page), lines.map((line) => `${line}\n`).join(''));
  }

  /** All pages of a symbol in one file; null without a bar. */
  joined(symbol: string, pages: readonly Page[]): string | null {
    const file = join(this.#dir, `${encodeURIComponent(symbol)}.jsonl`);
    rmSync(file, { force: true });
    for (const page of pages) appendFileSync(file, this.read(page), { mode: 0o600 });
    return existsSync(file) && readFileSync(file).length > 0 ? file : null;
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #pageFile({ symbol, from }: Page): string {
    return join(this.#dir, `${encodeURIComponent(symbol)}-${from}.page`);
  }

  #write(file: string, text: string): void {
    makeRecordingFolder(this.#dir);
    try {
      writeFileSync(`${file}.new`, text, { flush: true, mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch (thrown) {
      throw recordingErrors.make('recording_write_failed', `${file}: ${messageOf(thrown)}`, { path: file }, thrown);
    }
  }
}
