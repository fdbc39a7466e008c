/** `data export`: a tape as CSV, JSON lines or Parquet. A failed export leaves no file. */
import { messageOf } from '../../model/errors.ts';
import type { MarketEvent, MarketEventKind } from '../../model/market/market-event.ts';
import { recordingErrors } from '../errors.ts';
import type { DeliveryOrder, Tape } from '../tape/tape.ts';
import { cellText, COLUMNS, rowsOf } from './columns.ts';
import { jsonLine } from './json-lines.ts';
import { ParquetFile } from './parquet-file.ts';
import { TextFile } from './text-file.ts';

export const EXPORT_FORMATS = ['csv', 'jsonl', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export function isExportFormat(name: string): name is ExportFormat {
  return EXPORT_FORMATS.some((format) => format === name);
}

export interface ExportOptions {
  readonly format: ExportFormat;
  readonly out: string;
  readonly order?: DeliveryOrder;
  /** Default: all. */
  readonly kinds?: readonly MarketEventKind[];
  readonly symbols?: readonly string[];
  readonly progress?: (events: number) => void;
}

export interface ExportResult {
  readonly out: string;
  readonly events: number;
  readonly rows: number;
}

interface Sink {
  /** Returns the number of rows written. */
  event(event: MarketEvent): number | Promise<number>;
  finish(): void | Promise<void>;
  abandon(): void;
}

const PROGRESS_EVENTS = 50_000;

/** @throws recording_write_failed */
export async function exportTape(tape: Tape, options: ExportOptions): Promise<ExportResult> {
  let sink: Sink | null = null;
  try {
    sink = makeSink(tape, options);
    const counted = await copy(tape, options, sink);
    await sink.finish();
    return { out: options.out, ...counted };
  } catch (thrown) {
    sink?.abandon();
    throw recordingErrors.make('recording_write_failed', `${options.out}: ${messageOf(thrown)}`, {}, thrown);
  }
}

async function copy(
  tape: Tape,
  options: ExportOptions,
  sink: Sink,
): Promise<{ readonly events: number; readonly rows: number }> {
  const { kinds, symbols, progress } = options;
  const cursor = tape.cursor(options.order ?? 'receive');
  let events = 0;
  let rows = 0;
  while (cursor.nextUs !== Infinity) {
    const event = cursor.next();
    if (kinds !== undefined && !kinds.includes(event.kind)) continue;
    if (symbols !== undefined && !symbols.includes(event.instrument.symbol)) continue;
    const written = sink.event(event);
    rows += typeof written === 'number' ? written : await written;
    events++;
    if (events % PROGRESS_EVENTS === 0) progress?.(events);
  }
  return { events, rows };
}

function makeSink(tape: Tape, { format, out }: ExportOptions): Sink {
  if (format === 'parquet') return parquetSink(out);
  return format === 'csv' ? csvSink(out) : jsonSink(tape, out);
}

function csvSink(out: string): Sink {
  const file = new TextFile(out);
  file.line(COLUMNS.map(([name]) => name).join(','));
  return {
    event(event) {
      const rows = rowsOf(event);
      for (const row of rows) file.line(COLUMNS.map(([name]) => cellText(row[name])).join(','));
      return rows.length;
    },
    finish: () => file.finish(),
    abandon: () => file.abandon(),
  };
}

function jsonSink(tape: Tape, out: string): Sink {
  const file = new TextFile(out);
  return {
    event(event) {
      file.line(jsonLine(event, tape.rules.get(event.instrument.symbol) ?? 'none'));
      return 1;
    },
    finish: () => file.finish(),
    abandon: () => file.abandon(),
  };
}

function parquetSink(out: string): Sink {
  const file = new ParquetFile(out);
  return {
    async event(event) {
      const rows = rowsOf(event);
      for (const row of rows) await file.row(row);
      return rows.length;
    },
    finish: () => file.finish(),
    abandon: () => file.abandon(),
  };
}
