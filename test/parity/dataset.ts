/**
 * A file of frames, ready for both sides: read and stepped by the reference's own reader, and imported into a recording
 * for tidewire.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { importRecording } from '../../src/recording/importers/import.ts';
import { openTape } from '../../src/recording/tape/open-tape.ts';
import type { Tape } from '../../src/recording/tape/tape.ts';
import { readFrames, readLines, type Recorded } from './frames.ts';
import { marketSteps, type BookStep, type MarketSteps } from './market.ts';

/** Feed latency of data with one time (rule T1); the default of both sides. */
const BASE_LATENCY_US = 1000;

const FRAMES = join(import.meta.dirname, '../../../shared/data/binance-frames');

export const REAL_FILES = ['usdm-btcusdt-20240808', 'spot-btcusdt-20240808', 'spot-ethusdt-20240808'] as const;

export const hasRealData = existsSync(FRAMES);

export function realPath(file: (typeof REAL_FILES)[number]): string {
  return join(FRAMES, `${file}.gz`);
}

export interface Dataset {
  readonly name: string;
  readonly symbol: string;
  readonly base: string;
  readonly recorded: Recorded;
  readonly market: Readonly<Record<'default' | 'hft', MarketSteps>>;
  /** Folder of the recording. */
  readonly path: string;
  readonly tape: Tape;
  /** The steps after which a touch stands, for scripts that look at it. */
  readonly touches: readonly BookStep[];
  /** Four times what a best quote shows on average, units of quantity. */
  readonly sizeMost: number;
  /** Removes the recording. */
  readonly close: () => void;
}

/** One of the three real files by its name, or any other by its path; the first `linesMax` lines of it. */
export async function openDataset(file: string, linesMax = Infinity): Promise<Dataset> {
  const known = REAL_FILES.find((name) => name === file);
  const path = known === undefined ? file : realPath(known);
  const lines = readLines(path);
  const symbol = file.includes('eth') ? 'ETHUSDT' : 'BTCUSDT';
  return datasetOf(basename(file), symbol, lines.slice(0, linesMax));
}

export async function datasetOf(name: string, symbol: string, lines: readonly string[]): Promise<Dataset> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-parity-'));
  const file = join(folder, 'frames.gz');
  writeFileSync(file, gzipSync(`${lines.join('\n')}\n`));
  const path = join(folder, 'recording');
  await importRecording({ format: 'binance-collector', files: [file], symbols: [symbol], out: path, now: 0 });
  const recorded = readFrames(lines, BASE_LATENCY_US);
  const market = { default: marketSteps(recorded, 'default'), hft: marketSteps(recorded, 'hft') };
  const touches = market.default.steps.filter((step): step is BookStep => step.kind === 'book');
  const tape = await openTape([path], { baseLatencyUs: BASE_LATENCY_US });
  const shown = recorded.frames.flatMap((frame) => (frame.kind === 'quote' ? [frame.bid[1], frame.ask[1]] : []));
  const sizeMost = Math.ceil((4 * shown.reduce((sum, quantity) => sum + quantity, 0)) / shown.length);
  const close = (): void => {
    tape.close();
    rmSync(folder, { recursive: true });
  };
  return { name, symbol, base: symbol.slice(0, 3), recorded, market, path, tape, touches, sizeMost, close };
}
