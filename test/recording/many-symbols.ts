/**
 * Generated recordings of many symbols: order books that walk and are traded, each frame at an instant of its own, from
 * a seed. One recording with every symbol, or one for each, as a user of many markets has them.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { InstrumentSpec } from '../../src/model/market/instrument.ts';
import type { Random } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { FrameRow } from '../../src/recording/frames/frame-row.ts';
import { FrameLog } from '../../src/recording/frames/frames.ts';
import { type Manifest, MANIFEST_FORMAT, writeManifest } from '../../src/recording/frames/manifest.ts';

/** 2026-01-01T00:00:00Z. */
export const MANY_START_MS = 1_767_225_600_000;
const LEVELS = 10;
const TICKS = 100;

export interface ManySymbols {
  readonly symbols: number;
  /** Each is a depth message and, one time in four, a trade. */
  readonly framesPerSymbol: number;
  readonly everyMs: number;
  readonly seed: number;
}

export function symbolOf(index: number): string {
  return `C${String(index).padStart(3, '0')}USDT`;
}

function specOf(index: number): InstrumentSpec {
  return {
    symbol: symbolOf(index),
    market: 'spot',
    base: `C${String(index).padStart(3, '0')}`,
    quote: 'USDT',
    tickSize: '0.01',
    lotSize: '0.001',
    minQuantity: '0.001',
    maxQuantity: '100000',
    minNotional: '5',
    status: 'trading',
  };
}

/** The frames of one symbol, in order. */
function* framesOf(index: number, { framesPerSymbol, everyMs, seed }: ManySymbols): Generator<FrameRow> {
  const random: Random = seededRandom(seed).fork(symbolOf(index));
  const symbol = symbolOf(index);
  let middle = 5_000 + 37 * index;
  let tradeSequence = 0;
  let us = MANY_START_MS * 1000 + Math.floor(random.next() * everyMs * 1000);
  const price = (ticks: number): string => (ticks / TICKS).toFixed(2);
  const row = (channel: string, message: object): FrameRow => {
    const text = JSON.stringify({ channel: `${symbol}@${channel}`, ts: Math.floor(us / 1000), ...message });
    return { receiveUs: us + 2000 + Math.floor(random.next() * 500), kind: 'public', generation: 1, text };
  };
  const side = (sign: 1 | -1, from: number): string[][] =>
    Array.from({ length: LEVELS }, (_, level) => [price(from + sign * level), (1 + random.next() * 9).toFixed(3)]);
  yield row('depth', { seq: 1, data: { type: 'snapshot', bids: side(-1, middle - 1), asks: side(1, middle + 1) } });
  for (let seq = 2; seq <= framesPerSymbol; seq++) {
    us += Math.ceil(random.next() * 2 * everyMs * 1000);
    const step = random.next() < 0.5 ? -1 : 1;
    const gone = price(step > 0 ? middle + 1 : middle - 1);
    middle += step;
    const added = (ticks: number): string[] => [price(ticks), (1 + random.next() * 9).toFixed(3)];
    const bids = step > 0 ? [added(middle - 1)] : [[gone, '0'], added(middle - LEVELS)];
    const asks = step > 0 ? [[gone, '0'], added(middle + LEVELS)] : [added(middle + 1)];
    yield row('depth', { seq, data: { type: 'update', bids, asks } });
    if (random.next() >= 0.25) continue;
    const ts = Math.floor(us / 1000);
    const trade = {
      tradeId: `${index}-${++tradeSequence}`,
      price: price(step > 0 ? middle - 1 : middle + 1),
      quantity: (0.001 + random.next()).toFixed(3),
      side: step > 0 ? 'buy' : 'sell',
      ts,
    };
    yield row('trades', { seq: tradeSequence, data: [trade] });
  }
}

/** The frames of several symbols in the order of their receipt. */
function* merged(all: readonly Generator<FrameRow>[]): Generator<FrameRow> {
  const heads = all.map((frames) => frames.next().value as FrameRow | undefined);
  for (;;) {
    let best = -1;
    for (let index = 0; index < heads.length; index++) {
      const us = heads[index]?.receiveUs;
      if (us !== undefined && (best < 0 || us < (heads[best]?.receiveUs ?? Infinity))) best = index;
    }
    const row = heads[best];
    if (row === undefined) return;
    yield row;
    heads[best] = all[best]?.next().value as FrameRow | undefined;
  }
}

async function write(dir: string, indexes: readonly number[], options: ManySymbols): Promise<string> {
  mkdirSync(dir, { recursive: true });
  const log = new FrameLog({ dir, compress: true, clock: null });
  for (const row of merged(indexes.map((index) => framesOf(index, options)))) {
    log.append(row);
    await log.drain();
  }
  const { segments, dropped } = await log.close();
  if (dropped > 0) throw new Error(`${dropped} frames were dropped`);
  const manifest: Manifest = {
    format: MANIFEST_FORMAT,
    source: 'tidewire',
    created: 0,
    symbols: indexes.map(symbolOf),
    instruments: indexes.map(specOf),
    rules: Object.fromEntries(indexes.map((index) => [symbolOf(index), 'seq' as const])),
    options: { compress: true },
    inputs: [],
    warnings: [],
    problems: [],
    segments: [...segments],
  };
  writeManifest(dir, manifest);
  return dir;
}

function indexesOf({ symbols }: ManySymbols): readonly number[] {
  return Array.from({ length: symbols }, (_, index) => index);
}

/** One recording that holds every symbol. */
export function writeTogether(dir: string, options: ManySymbols): Promise<string> {
  return write(dir, indexesOf(options), options);
}

/** A recording for each symbol; their paths. */
export async function writeApart(dir: string, options: ManySymbols): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const index of indexesOf(options)) paths.push(await write(join(dir, symbolOf(index)), [index], options));
  return paths;
}
