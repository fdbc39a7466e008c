/** Small recordings made by hand for the tests of this folder: real files in a temporary directory. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { InstrumentSpec } from '../../src/model/market/instrument.ts';
import type { MarketEvent } from '../../src/model/market/market-event.ts';
import type { FrameRow } from '../../src/recording/frames/frame-row.ts';
import { FrameLog, type FrameLogOptions, type FrameLogSummary } from '../../src/recording/frames/frames.ts';
import { readFrames } from '../../src/recording/frames/frame-reader.ts';
import { type Manifest, writeManifest } from '../../src/recording/frames/manifest.ts';
import { ReadReport } from '../../src/recording/frames/read-report.ts';
import type { DeliveryOrder, Tape } from '../../src/recording/tape/tape.ts';

const root = mkdtempSync(join(tmpdir(), 'tidewire-recording-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let made = 0;

export function freshDir(): string {
  const dir = join(root, `d${made++}`);
  mkdirSync(dir);
  return dir;
}

export function writeFixture(name: string, content: string | Uint8Array): string {
  const path = join(freshDir(), name);
  writeFileSync(path, content);
  return path;
}

export const BTC: InstrumentSpec = {
  symbol: 'BTCUSDT',
  market: 'spot',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.001',
  minQuantity: '0.001',
  maxQuantity: '1000',
  minNotional: '5',
  status: 'trading',
};

export function manifestOf(change: Partial<Manifest> = {}): Manifest {
  return {
    format: 1,
    source: 'tidewire',
    created: 0,
    symbols: ['BTCUSDT'],
    instruments: [{ ...BTC }],
    rules: { BTCUSDT: 'seq' },
    options: { compress: true },
    inputs: [],
    warnings: [],
    problems: [],
    segments: [],
    ...change,
  };
}

/** A recording directory that holds these rows. The manifest lists its segments unless `crashed`. */
export async function recordingOf(
  rows: readonly FrameRow[],
  manifest: Manifest = manifestOf(),
  options: Partial<FrameLogOptions> & { readonly crashed?: boolean } = {},
): Promise<{ readonly dir: string; readonly summary: FrameLogSummary }> {
  const dir = freshDir();
  const log = new FrameLog({ dir, compress: true, clock: null, ...options });
  for (const row of rows) log.append(row);
  const summary = await log.close();
  writeManifest(dir, options.crashed === true ? manifest : { ...manifest, segments: [...summary.segments] });
  return { dir, summary };
}

export async function readAll(
  dir: string,
  manifest: Manifest,
): Promise<{ readonly rows: FrameRow[]; readonly report: ReadReport; readonly losses: number }> {
  const report = new ReadReport();
  const rows: FrameRow[] = [];
  let losses = 0;
  for await (const block of readFrames(dir, manifest, report)) {
    if (block.lossBefore) losses++;
    rows.push(...block.rows);
  }
  return { rows, report, losses };
}

export function publicRow(receiveUs: number, message: object, generation = 1): FrameRow {
  return { receiveUs, kind: 'public', generation, text: JSON.stringify(message) };
}

/** A copy that outlives the cursor's next step, levels as text on the grid. */
export function copyEvent(event: MarketEvent): Record<string, unknown> {
  const { instrument, ...rest } = { ...event };
  if (event.kind !== 'depth') return { ...rest, symbol: instrument.symbol };
  const levels: string[] = [];
  for (let row = event.levels.from; row < event.levels.to; row++) {
    const side = event.levels.sides[row] === 0 ? 'b' : 'a';
    levels.push(`${side}${event.levels.ticks[row]}x${event.levels.lots[row]}`);
  }
  return { ...rest, symbol: instrument.symbol, levels };
}

export function eventsOf(tape: Tape, order: DeliveryOrder): Record<string, unknown>[] {
  const cursor = tape.cursor(order);
  const events: Record<string, unknown>[] = [];
  while (cursor.nextUs !== Infinity) events.push(copyEvent(cursor.next()));
  return events;
}
