/** `data info`: contents of the recordings at a path. */
import { type SymbolCensus, takeCensus } from './census.ts';
import { locate } from './locate.ts';
import { openTape } from './tape/open-tape.ts';
import type { TapeSource } from './tape/tape.ts';

export interface RecordingInfo {
  readonly path: string;
  readonly source: string;
  /** Exchange time, Unix ms. */
  readonly from: number;
  readonly to: number;
  /** Raw frames on disk. */
  readonly bytes: number;
  readonly frames: number;
  /** Smallest receive − exchange, unrepaired; null with one time only. */
  readonly clockShiftMs: number | null;
  readonly symbols: Readonly<Record<string, SymbolCensus>>;
  /** What is lost or unreadable. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** @throws the errors of `openTape` */
export async function recordingInfo(path: string, progress?: (fraction: number) => void): Promise<RecordingInfo> {
  const places = locate(path);
  const parts: RecordingInfo[] = [];
  for (const [index, place] of places.entries()) {
    const share = (fraction: number): void => progress?.((index + fraction) / places.length);
    parts.push(await infoOf(place.path, share));
  }
  return parts.reduce((all, part) => joined(path, all, part));
}

export function gapsOf({ symbols }: RecordingInfo): number {
  return Object.values(symbols).reduce((sum, { gaps }) => sum + gaps, 0);
}

/** What is lost, missing or to be known, a line each. */
export function remarks({ symbols, problems, warnings }: RecordingInfo): readonly string[] {
  return [
    ...problems.map((problem) => `lost: ${problem}`),
    ...gapLines(Object.entries(symbols)),
    ...warnings.filter((warning) => !warning.includes('data are damaged')).map((warning) => `note: ${warning}`),
  ];
}

/** At most one line. */
export function gapLines(symbols: readonly (readonly [string, SymbolCensus])[]): readonly string[] {
  const counts = symbols.filter(([, { gaps }]) => gaps > 0).map(([symbol, { gaps }]) => `${symbol} ${gaps}`);
  return counts.length === 0 ? [] : [`gaps (messages missing, books crossed, connections lost): ${counts.join(', ')}`];
}

async function infoOf(path: string, progress: (fraction: number) => void): Promise<RecordingInfo> {
  const tape = await openTape([path], { progress });
  try {
    const source = tape.sources[0];
    return {
      path,
      source: source?.source ?? '',
      from: tape.fromUs / 1000,
      to: tape.toUs / 1000,
      bytes: source?.bytes ?? 0,
      frames: source?.frames ?? 0,
      clockShiftMs: shiftOf(source),
      symbols: Object.fromEntries(takeCensus(tape)),
      problems: source?.problems ?? [],
      warnings: tape.warnings,
    };
  } finally {
    tape.close();
  }
}

function shiftOf(source: TapeSource | undefined): number | null {
  const ms = source?.clockMinMs ?? null;
  return ms === null ? null : Math.round(ms * 10) / 10;
}

function joined(path: string, a: RecordingInfo, b: RecordingInfo): RecordingInfo {
  const shifts = [a.clockShiftMs, b.clockShiftMs].filter((ms) => ms !== null);
  const symbols: Record<string, SymbolCensus> = { ...a.symbols };
  for (const [symbol, census] of Object.entries(b.symbols)) {
    const before = symbols[symbol];
    symbols[symbol] = before === undefined ? census : added(before, census);
  }
  return {
    path,
    source: a.source === b.source ? a.source : `${a.source}, ${b.source}`,
    from: Math.min(a.from, b.from),
    to: Math.max(a.to, b.to),
    bytes: a.bytes + b.bytes,
    frames: a.frames + b.frames,
    clockShiftMs: shifts.length === 0 ? null : Math.min(...shifts),
    symbols,
    problems: [...a.problems, ...b.problems],
    warnings: [...a.warnings, ...b.warnings],
  };
}

function added(a: SymbolCensus, b: SymbolCensus): SymbolCensus {
  return {
    snapshots: a.snapshots + b.snapshots,
    depthMessages: a.depthMessages + b.depthMessages,
    levels: a.levels + b.levels,
    trades: a.trades + b.trades,
    topQuotes: a.topQuotes + b.topQuotes,
    candles: a.candles + b.candles,
    gaps: a.gaps + b.gaps,
    peakPerSecond: Math.max(a.peakPerSecond, b.peakPerSecond),
  };
}
