/**
 * `data download`: closed bars from a paged list into a recording.
 *
 *   pages ─▶ list of the exchange ─▶ `<out>.download/*.page` ─▶ jsonl import ─▶ `<out>`
 *
 * The bytes of the recording follow from what was asked and what came, not from how often it was begun anew.
 */
import { decimalText } from '../../model/numbers/money.ts';
import type { InstrumentSpec } from '../../model/market/instrument.ts';
import { recordingErrors } from '../errors.ts';
import { importRecording, requireReplaceable, type ImportResult } from '../importers/import.ts';
import { type BarGap, GapFinder, PAGE_BARS, type Page, pagesOf } from './pages.ts';
import { type Asked, WorkFolder } from './work-folder.ts';

/** As the exchange lists it. */
export interface ListedBar {
  /** Unix ms. */
  readonly openTime: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly closed: boolean;
}

export interface BarRequest {
  readonly symbol: string;
  /** Open times, both included, Unix ms. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

export interface DownloadOptions {
  readonly asked: Asked;
  readonly intervalMs: number;
  readonly instruments: readonly InstrumentSpec[];
  readonly out: string;
  /** Unix ms of the exchange. */
  readonly now: number;
  readonly compress: boolean;
  /** Rejects when the list cannot be read. */
  readonly list: (request: BarRequest) => Promise<readonly ListedBar[]>;
  /** From 0 to 1. */
  readonly progress?: (fraction: number) => void;
}

export interface DownloadedSymbol {
  readonly bars: number;
  readonly missing: number;
  readonly gaps: readonly BarGap[];
}

export interface Downloaded {
  readonly recording: ImportResult;
  readonly to: number;
  readonly symbols: Readonly<Record<string, DownloadedSymbol>>;
  readonly pages: number;
  /** Pages that an earlier run had fetched. */
  readonly kept: number;
}

/** @throws recording_exists, recording_empty, recording_write_failed, and what `list` rejects with */
export async function downloadBars(options: DownloadOptions): Promise<Downloaded> {
  const { asked, intervalMs, out, now, instruments, compress, progress } = options;
  requireReplaceable({ format: 'jsonl', symbols: asked.symbols, out });
  const work = new WorkFolder(out);
  const { to } = work.open(asked, now, instruments);
  const pages = pagesOf(asked.symbols, asked.from, to, intervalMs);
  let kept = 0;
  for (const [index, page] of pages.entries()) {
    if (work.has(page)) kept++;
    else work.keep(page, await linesOf(page, options));
    progress?.((index + 1) / pages.length);
  }
  const symbols = Object.fromEntries(asked.symbols.map((symbol) => [symbol, countIn(work, pages, symbol, intervalMs)]));
  const files = asked.symbols.flatMap(
    (symbol) =>
      work.joined(
        symbol,
        pages.filter((page) => page.symbol === symbol),
      ) ?? [],
  );
  if (files.length === 0) {
    work.remove();
    throw recordingErrors.make(
      'recording_empty',
      `${asked.exchange} lists no closed ${asked.interval} bar of ${asked.symbols.join(', ')} from ${iso(asked.from)} to ${iso(to)}`,
    );
  }
  const recording = await importRecording({
    format: 'jsonl',
    files,
    symbols: asked.symbols,
    out,
    now: to,
    compress,
    instrumentFile: work.instrumentFile,
  });
  work.remove();
  return { recording, to, symbols, pages: pages.length, kept };
}

/** The list may give fewer bars than a page asks for, the newest first: what is before them is asked for again. */
async function linesOf(page: Page, { list, intervalMs }: DownloadOptions): Promise<readonly string[]> {
  const bars = new Map<number, ListedBar>();
  let { to } = page;
  while (to >= page.from) {
    const rows = await list({ symbol: page.symbol, from: page.from, to, limit: PAGE_BARS });
    const wanted = rows.filter(({ openTime, closed }) => closed && openTime >= page.from && openTime <= to);
    if (wanted.length === 0) break;
    for (const row of wanted) bars.set(row.openTime, row);
    to = Math.min(...wanted.map(({ openTime }) => openTime)) - intervalMs;
  }
  const sorted = [...bars.values()].toSorted((left, right) => left.openTime - right.openTime);
  return sorted.map((bar) => lineOf(bar, page.symbol, intervalMs));
}

function lineOf({ openTime, open, high, low, close, volume }: ListedBar, symbol: string, intervalMs: number): string {
  return JSON.stringify({
    ts: openTime + intervalMs,
    symbol,
    type: 'candle',
    openTime,
    intervalMs,
    open: decimalText(open),
    high: decimalText(high),
    low: decimalText(low),
    close: decimalText(close),
    volume: decimalText(volume),
    closed: true,
  });
}

function countIn(work: WorkFolder, all: readonly Page[], symbol: string, intervalMs: number): DownloadedSymbol {
  const pages = all.filter((page) => page.symbol === symbol);
  const finder = new GapFinder(pages[0]?.from ?? 0, pages.at(-1)?.to ?? -intervalMs, intervalMs);
  for (const page of pages)
    for (const line of work.read(page).split('\n'))
      if (line !== '') finder.bar((JSON.parse(line) as { openTime: number }).openTime);
  finder.end();
  const missing = finder.gaps.reduce((sum, { bars }) => sum + bars, 0);
  return { bars: finder.bars, missing, gaps: finder.gaps };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
