/**
 * `data import`: raw lines become frames; tick, lot, market and sequence rule are inferred.
 *
 *   files ─▶ lines ─▶ frames ─(merged by time)─▶ survey ─▶ frame log (`<out>.partial`) ─▶ manifest ─▶ tape ─▶ renamed to <out>
 *
 * A failed import leaves nothing at `<out>`, and one at a time works there. Only an import of the same format and symbols is replaced.
 */
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { InstrumentSpec, Market } from '../../model/market/instrument.ts';
import { recordingErrors } from '../errors.ts';
import { makeRecordingFolder } from '../frames/folder.ts';
import { FrameLog, type FrameLogSummary } from '../frames/frames.ts';
import { type RecordingInfo, recordingInfo } from '../info.ts';
import { isRecordingFile } from '../frames/recording-file.ts';
import { hasManifest, type Manifest, MANIFEST_FORMAT, readManifest, writeManifest } from '../frames/manifest.ts';
import { IMPORTERS } from './formats.ts';
import type { ImportFormat, LayoutOptions } from './importer.ts';
import { lockImport } from './import-lock.ts';
import { InputFile } from './input-file.ts';
import { readInstruments } from './instrument-file.ts';
import { mergeFiles, type MergedFrame } from './merge-files.ts';
import type { FrameParser } from './raw-message.ts';
import { ImportSurvey } from './survey.ts';

/** A tick above is named. */
const COARSE_BPS = 1;

export interface ImportOptions extends LayoutOptions {
  readonly format: ImportFormat;
  readonly files: readonly string[];
  readonly out: string;
  /** Unix ms, for the manifest. */
  readonly now: number;
  readonly market?: Market;
  /** An InstrumentSpec or a list, JSON. */
  readonly instrumentFile?: string;
  readonly compress?: boolean;
  readonly strict?: boolean;
  /** Receives the number of frames so far. */
  readonly progress?: (frames: number) => void;
}

export interface ImportResult {
  readonly dir: string;
  readonly manifest: Manifest;
  /** As read back: what is well formed may still have values that no reader takes. */
  readonly found: RecordingInfo;
  readonly frames: number;
  readonly lines: number;
}

/** @throws import_* errors, recording_exists, recording_busy, recording_write_failed */
export async function importRecording(given: ImportOptions): Promise<ImportResult> {
  const options = { ...given, out: resolve(given.out) };
  if (options.files.length === 0) throw recordingErrors.make('import_bad_option', 'no input file was given');
  const told =
    options.instrumentFile === undefined ? new Map() : readInstruments(options.instrumentFile, options.symbols);
  requireReplaceable(options);
  const partial = `${options.out}.partial`;
  const unlock = lockImport(options.out);
  try {
    rmSync(partial, { recursive: true, force: true });
    makeRecordingFolder(partial);
    const run = new ImportRun(options, partial);
    const summary = await run.copy();
    const manifest = run.manifest(summary, told);
    writeManifest(partial, manifest);
    const found = await recordingInfo(partial);
    if (options.strict === true && found.problems.length > 0)
      throw recordingErrors.make('recording_damaged', found.problems.join('; '));
    rmSync(options.out, { recursive: true, force: true });
    renameSync(partial, options.out);
    return { dir: given.out, manifest, found, frames: summary.frames, lines: run.lines };
  } catch (thrown) {
    rmSync(partial, { recursive: true, force: true });
    throw thrown;
  } finally {
    unlock();
  }
}

class ImportRun {
  readonly #options: ImportOptions;
  readonly #survey: ImportSurvey;
  readonly #files: readonly InputFile[];
  readonly #log: FrameLog;
  readonly #parsers: FrameParser[] = [];
  readonly #ignored = new Map<string, number>();
  readonly #samples: string[] = [];
  #failed = 0;

  constructor(options: ImportOptions, dir: string) {
    const importer = IMPORTERS[options.format];
    this.#options = options;
    this.#survey = new ImportSurvey(options.symbols);
    this.#files = options.files.map((path) => new InputFile(path, importer, options));
    this.#log = new FrameLog({ dir, compress: options.compress ?? true, clock: null });
  }

  get lines(): number {
    return this.#files.reduce((sum, file) => sum + file.lines, 0);
  }

  async copy(): Promise<FrameLogSummary> {
    let summary: FrameLogSummary;
    try {
      for await (const frames of mergeFiles(this.#files)) {
        for (const frame of frames) this.#take(frame);
        await this.#log.drain();
        if (this.#log.failure !== null) break;
        this.#options.progress?.(this.#log.frames);
      }
    } finally {
      summary = await this.#log.close();
    }
    if (summary.failure !== null) throw summary.failure;
    this.#check();
    return summary;
  }

  #take(frame: MergedFrame): void {
    const parse = (this.#parsers[frame.input] ??= this.#parserOf(frame.input));
    let foreign = false;
    const result = parse(frame.text, frame.receiveUs, (message) => {
      if (!this.#survey.add(message)) foreign = true;
    });
    if (result !== 'ok') {
      if ('failed' in result) this.#fail(result.failed, frame.text);
      else this.#ignored.set(result.ignored, (this.#ignored.get(result.ignored) ?? 0) + 1);
    }
    if (foreign) return;
    this.#log.append({ receiveUs: frame.receiveUs, kind: 'public', generation: frame.input, text: frame.text });
  }

  #parserOf(input: number): FrameParser {
    const layout = this.#files[input]?.layout;
    if (layout === null || layout === undefined) throw new RangeError(`input ${input} has no layout`);
    return IMPORTERS[this.#options.format].parser(layout);
  }

  #fail(why: string, text: string): void {
    this.#failed++;
    if (this.#samples.length < 3) this.#samples.push(`${why} (${text.slice(0, 80)})`);
  }

  /** Also what --strict refuses. */
  #check(): void {
    const { symbols, strict } = this.#options;
    const names = this.#files.map((file) => file.name).join(', ');
    const others = [...this.#survey.others.keys()].filter((symbol) => symbol !== '');
    if (!this.#survey.named && others.length > 0) {
      throw recordingErrors.make(
        'import_wrong_symbol',
        `${names} holds ${others.slice(0, 10).join(', ')}, not ${symbols.join(', ')}`,
        { found: others.slice(0, 10), asked: symbols },
      );
    }
    if (this.#survey.messages === 0) {
      const problems = this.#problems().join('; ') || 'the files are empty';
      throw recordingErrors.make('import_wrong_format', `${names}: no market data was found: ${problems}`);
    }
    if (this.#survey.back * 2 > this.#survey.messages) {
      throw recordingErrors.make(
        'import_wrong_format',
        `${names}: the lines go back in time; sort them by time, the oldest first`,
      );
    }
    const problems = this.#problems();
    if (strict !== true || problems.length === 0) return;
    const truncated = this.#files.some((file) => file.truncated);
    throw recordingErrors.make(truncated ? 'import_truncated' : 'recording_damaged', problems.join('; '));
  }

  manifest(summary: FrameLogSummary, told: ReadonlyMap<string, InstrumentSpec>): Manifest {
    const { format, market, now, compress } = this.#options;
    const symbols = [...this.#survey.symbols].sort();
    const instruments = symbols.map((symbol) => told.get(symbol) ?? this.#survey.instrument(symbol, market));
    return {
      format: MANIFEST_FORMAT,
      source: format,
      created: Math.floor(now),
      symbols,
      instruments: instruments.map((spec) => ({ ...spec })),
      rules: this.#survey.rules(),
      options: { compress: compress ?? true },
      inputs: this.#files.map((file) => file.layout ?? { file: file.name, layout: 'empty', columns: [], options: {} }),
      warnings: this.#warnings(instruments),
      problems: [...this.#problems()],
      segments: [...summary.segments],
    };
  }

  #problems(): readonly string[] {
    const problems = this.#files.flatMap((file) => file.problems());
    if (this.#failed > 0)
      problems.push(`${this.#failed} frames cannot be decoded, first: ${this.#samples.join(' · ')}`);
    const moved = this.#survey.back - this.#survey.barsBack;
    if (moved > 0)
      problems.push(
        `${moved} messages lie a minute or more before what stands above them and take its time: sort the lines by time`,
      );
    return problems;
  }

  #warnings(instruments: readonly InstrumentSpec[]): string[] {
    const warnings = instruments
      .filter((spec) => spec.inferred === true)
      .map(
        ({ symbol, market, tickSize, lotSize }) =>
          `instrument ${symbol} is inferred from the data: ${market}, tick ${tickSize}, lot ${lotSize}, no minimal notional; give --instrument FILE for the real one`,
      );
    for (const spec of instruments) {
      const coarse = this.#survey.coarseness(spec);
      if (coarse > COARSE_BPS)
        warnings.push(
          `${spec.symbol}: tick ${spec.tickSize} is ${coarse.toFixed(1)} basis points of the least price: slippage on bars is rounded up to it`,
        );
    }
    const { messages, seconds } = this.#survey.moved;
    if (messages > 0)
      warnings.push(
        `${messages} messages lie up to ${seconds.toFixed(1)} s before what stands above them and take its time: sort the lines by time`,
      );
    for (const [fromUs, toUs] of this.#survey.leaps.slice(0, 3))
      warnings.push(`nothing lies between ${iso(fromUs)} and ${iso(toUs)}: one of these times may be wrong`);
    const { doubled, otherKind } = this.#survey.trades;
    if (doubled > 0) warnings.push(`${doubled} trades are doubled and left out, the first of each is taken`);
    if (otherKind > 0)
      warnings.push(
        `${otherKind} trades are left out: of single and aggregated trades of one time the first kind is taken`,
      );
    for (const [kind, count] of this.#ignored)
      warnings.push(`${count} frames of kind ${kind} are kept but carry no market event`);
    const missing = this.#options.symbols.filter((symbol) => !this.#survey.symbols.includes(symbol));
    for (const symbol of missing) warnings.push(`${symbol} was asked for, and the data holds nothing of it`);
    for (const [symbol, count] of this.#survey.others) {
      warnings.push(`${count} messages of ${symbol === '' ? 'no symbol' : symbol} were left out`);
    }
    return warnings;
  }
}

function iso(us: number): string {
  return new Date(us / 1000).toISOString();
}

/** Throws `recording_exists` where the output holds something else. */
export function requireReplaceable(options: Pick<ImportOptions, 'format' | 'symbols' | 'out'>): void {
  const foreign = foreignIn(options.out);
  if (foreign !== null)
    throw recordingErrors.make('recording_exists', `${options.out} ${foreign}, and would be replaced`, {
      path: options.out,
    });
  if (!hasManifest(options.out)) return;
  const old = readManifest(options.out);
  const symbols = options.symbols.length === 0 || old.symbols.every((symbol) => options.symbols.includes(symbol));
  if (old.source === options.format && symbols) return;
  throw recordingErrors.make(
    'recording_exists',
    `${options.out} holds a recording of ${old.symbols.join(', ')} from ${old.source}`,
    { path: options.out },
  );
}

/** Why it is no folder of one recording alone; null: it is, or it is empty or absent. */
function foreignIn(out: string): string | null {
  const found = statSync(out, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isDirectory()) return 'is no folder';
  const [foreign] = readdirSync(out).filter((name) => !hasManifest(out) || !isRecordingFile(name));
  return foreign === undefined ? null : `holds ${foreign}, which is no part of an import`;
}
