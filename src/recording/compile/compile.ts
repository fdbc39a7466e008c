/**
 * Builds a tape: pass one decodes frames, pass two completes times and orders (`timing.ts`), as clock repair needs all
 * data.
 */
import { createHash, type Hash } from 'node:crypto';
import { Instruments } from '../../model/market/instrument.ts';
import type { MarketEvent } from '../../model/market/market-event.ts';
import { usOf } from '../../model/time.ts';
import { BarOrder } from './bar-order.ts';
import { ChunkBuilder } from '../tape/chunk-builder.ts';
import { ChunkDraft } from '../tape/chunk-draft.ts';
import { PartsDraft } from '../tape/data-parts.ts';
import { createDecoder, type FrameDecoder } from './decode.ts';
import { readFrames } from '../frames/frame-reader.ts';
import type { Manifest } from '../frames/manifest.ts';
import { ChunkPacker } from '../tape/packed-chunk.ts';
import { ReadReport } from '../frames/read-report.ts';
import { CHUNK_ROWS, chunkBytes, type ChunkSize, type TapeChunk } from '../tape/tape-chunk.ts';
import type { ChunkEntry, OrderEntry, TapeFooter } from '../tape/tape-format.ts';
import { TapeWriter } from '../tape/tape-writer.ts';
import type { TapeCounts } from '../tape/tape-counts.ts';
import { BASE_LATENCY_US, Timing, type TimingOptions } from './timing.ts';

export interface CompileOptions {
  readonly dir: string;
  readonly manifest: Manifest;
  readonly key: string;
  readonly baseLatencyUs: number;
  /** Output path. */
  readonly path: string;
  readonly progress?: (fraction: number) => void;
}

type TimingOutput = Pick<TimingOptions, 'chunk' | 'exchangeOrder' | 'receiveOrder'>;

/** @throws the file system's errors */
export async function compileTape(options: CompileOptions): Promise<void> {
  const chunks = new ChunkDraft(`${options.path}.columns`);
  try {
    const draft = new Draft(options, chunks);
    await draft.read();
    writeTape(options.path, (writer) => draft.complete(writer));
  } finally {
    chunks.close();
  }
}

function writeTape(path: string, write: (writer: TapeWriter) => TapeFooter): void {
  const writer = new TapeWriter(path);
  try {
    writer.finish(write(writer));
  } finally {
    writer.close();
  }
}

class Draft {
  readonly #options: CompileOptions;
  readonly #chunks: ChunkDraft;
  readonly #builder: ChunkBuilder;
  readonly #decoder: FrameDecoder;
  readonly #report = new ReadReport();
  readonly #withSnapshot = new Set<string>();
  readonly #bars = new BarOrder();
  readonly #parts = new PartsDraft();
  readonly #counts = { depth: 0, trades: 0, quotes: 0, candles: 0 };
  #clockMinUs = Infinity;
  #undated = 0;

  constructor(options: CompileOptions, chunks: ChunkDraft) {
    const { manifest } = options;
    this.#options = options;
    this.#chunks = chunks;
    this.#builder = new ChunkBuilder(new Map(manifest.symbols.map((symbol, index) => [symbol, index])));
    this.#decoder = createDecoder(manifest, new Instruments(manifest.instruments));
  }

  /** Frames to chunks with raw times. */
  async read(): Promise<void> {
    const { dir, manifest, progress } = this.#options;
    const expected = manifest.segments.reduce((sum, segment) => sum + segment.frames, 0);
    const sink = (event: MarketEvent): void => this.#add(event);
    for await (const block of readFrames(dir, manifest, this.#report)) {
      const first = block.rows[0];
      if (block.lossBefore && first !== undefined) this.#decoder.loss(first.receiveUs, sink);
      for (const row of block.rows) this.#decoder.row(row, sink);
      if (expected > 0) progress?.(Math.min(0.9, (0.9 * this.#report.frames) / expected));
    }
    this.#flush();
  }

  #add(event: MarketEvent): void {
    const bothAbsent = Number.isNaN(event.exchangeUs) && Number.isNaN(event.receiveUs);
    if (bothAbsent) {
      this.#undated++;
      return;
    }
    if (event.kind === 'candle' && event.closed && !this.#bars.admits(event)) return;
    this.#count(event);
    this.#parts.add(event);
    const clockUs = event.receiveUs - knownUs(event);
    if (clockUs < this.#clockMinUs) this.#clockMinUs = clockUs;
    this.#builder.add(event);
    if (this.#builder.full) this.#flush();
  }

  #count(event: MarketEvent): void {
    if (event.kind === 'depth') {
      this.#counts.depth += event.levels.to - event.levels.from;
      if (event.snapshot) this.#withSnapshot.add(event.instrument.symbol);
    } else if (event.kind === 'trade') this.#counts.trades++;
    else if (event.kind === 'quote') this.#counts.quotes++;
    else if (event.kind === 'candle') this.#counts.candles++;
  }

  #flush(): void {
    if (this.#builder.rows === 0) return;
    const { size, bytes } = this.#builder.take();
    this.#chunks.append(size, bytes);
  }

  /** Times, orders, checksums. */
  complete(writer: TapeWriter): TapeFooter {
    const { manifest, baseLatencyUs, key } = this.#options;
    const clockMinUs = this.#clockMinUs === Infinity ? null : this.#clockMinUs;
    const clockShiftUs = this.#clockShiftUs(baseLatencyUs);
    const hash = createHash('sha256').update(identity(manifest, baseLatencyUs));
    const parts = new PartsWriter(writer, hash);
    const output: TimingOutput = {
      chunk: (index, chunk) => parts.chunk(this.#chunks.sizes[index]!, chunk),
      exchangeOrder: (addresses) => parts.order(addresses, parts.exchangeOrder),
      receiveOrder: (addresses) => parts.order(addresses, parts.receiveOrder),
    };
    const timing = this.#time(baseLatencyUs, output, this.#options.progress);
    const dataHash = hash.digest('hex');
    const { counts, problems } = { counts: this.#totals(), problems: this.#problems() };
    return {
      key,
      baseLatencyUs,
      manifest,
      chunks: parts.chunks,
      exchangeOrder: parts.exchangeOrder,
      receiveOrder: parts.receiveOrder,
      counts,
      fromUs: Number.isNaN(timing.firstUs) ? null : timing.firstUs,
      toUs: Number.isNaN(timing.lastUs) ? null : timing.lastUs,
      clockShiftUs,
      clockMinUs,
      withSnapshot: [...this.#withSnapshot].sort(),
      frames: this.#report.frames,
      bytes: this.#report.bytes,
      lostFrames: this.#report.lostFrames,
      lostFramesKnown: this.#report.lostFramesKnown,
      lostBytes: this.#report.lostBytes,
      undecoded: this.#decoder.report.failed,
      problems,
      warnings: this.#warnings(clockMinUs, clockShiftUs, timing.late),
      bars: this.#bars.series,
      dataHash,
      contentHash: baseLatencyUs === BASE_LATENCY_US ? dataHash : this.#hashAt(BASE_LATENCY_US),
      parts: this.#parts.parts,
    };
  }

  #clockShiftUs(baseLatencyUs: number): number {
    return this.#clockMinUs < 0 ? baseLatencyUs - this.#clockMinUs : 0;
  }

  #time(baseLatencyUs: number, out: TimingOutput, progress?: CompileOptions['progress']): Timing {
    const { manifest } = this.#options;
    const clockShiftUs = this.#clockShiftUs(baseLatencyUs);
    const timing = new Timing({ clockShiftUs, baseLatencyUs, symbols: manifest.symbols.length, ...out });
    // Timing holds two chunks.
    const { sizes } = this.#chunks;
    const largest = sizes.reduce((most, size) => Math.max(most, chunkBytes(size)), 0);
    const buffers = [new ArrayBuffer(largest), new ArrayBuffer(largest), new ArrayBuffer(largest)];
    for (const index of sizes.keys()) {
      timing.add(this.#chunks.chunk(index, buffers[index % 3]!));
      progress?.(0.9 + (0.1 * (index + 1)) / sizes.length);
    }
    timing.finish();
    return timing;
  }

  /** A hash independent of the configured latency. */
  #hashAt(baseLatencyUs: number): string {
    const hash = createHash('sha256').update(identity(this.#options.manifest, baseLatencyUs));
    const none = (): void => {};
    this.#time(baseLatencyUs, { chunk: (_, { bytes }) => hash.update(bytes), exchangeOrder: none, receiveOrder: none });
    return hash.digest('hex');
  }

  #totals(): TapeCounts {
    const { depth, trades, quotes, candles } = this.#counts;
    return { total: depth + trades + quotes + candles, depth, trades, quotes, candles };
  }

  #problems(): string[] {
    const problems = [...this.#options.manifest.problems, ...this.#report.listed()];
    const { failed, samples } = this.#decoder.report;
    const counted = this.#options.manifest.problems.some((text) => text.includes('cannot be decoded'));
    if (failed > 0 && !counted) {
      problems.push(`${failed} frames cannot be decoded, first: ${samples.slice(0, 3).join(' · ')}`);
    }
    if (this.#undated > 0) problems.push(`${this.#undated} events have no time at all and are left out`);
    return problems;
  }

  #warnings(clockMinUs: number | null, clockShiftUs: number, late: number): string[] {
    const { manifest } = this.#options;
    const warnings = [...manifest.warnings, ...this.#bars.warnings()];
    if (clockMinUs !== null && clockShiftUs > 0) {
      warnings.push(
        `the local clock was behind the exchange: smallest receive − exchange is ${(clockMinUs / 1000).toFixed(1)} ms; all receive times are shifted by +${(clockShiftUs / 1000).toFixed(1)} ms (T2)`,
      );
    }
    if (late > 0)
      warnings.push(`${late} events came more than ${CHUNK_ROWS} events too late and take the time of their place`);
    for (const symbol of manifest.symbols) {
      const rule = manifest.rules[symbol];
      const hasDepth = this.#counts.depth > 0 && rule !== undefined;
      if (hasDepth && !this.#withSnapshot.has(symbol)) {
        warnings.push(`${symbol} has no depth snapshot: its book is built from updates alone (T5)`);
      }
    }
    return warnings;
  }
}

/** Exchange time for T2, µs: a closed candle is known at its close at the earliest; one that forms has none. */
function knownUs(event: MarketEvent): number {
  if (event.kind !== 'candle') return event.exchangeUs;
  if (!event.closed) return Number.NaN;
  const closeUs = usOf(event.openTime + event.intervalMs);
  return event.exchangeUs > closeUs ? event.exchangeUs : closeUs;
}

/** Also feeds the content hash. */
class PartsWriter {
  readonly chunks: ChunkEntry[] = [];
  readonly exchangeOrder: OrderEntry[] = [];
  readonly receiveOrder: OrderEntry[] = [];
  readonly #writer: TapeWriter;
  readonly #packer = new ChunkPacker();
  /** Independent of packing. */
  readonly #hash: Hash;

  constructor(writer: TapeWriter, hash: Hash) {
    this.#writer = writer;
    this.#hash = hash;
  }

  chunk(size: ChunkSize, chunk: TapeChunk): void {
    this.#hash.update(chunk.bytes);
    this.chunks.push({ ...size, ...this.#writer.append(this.#packer.chunk(chunk, size)) });
  }

  order(addresses: Uint32Array, entries: OrderEntry[]): void {
    entries.push({ count: addresses.length, ...this.#writer.append(this.#packer.order(addresses)) });
  }
}

/** Metadata that gives events their meaning. */
function identity(manifest: Manifest, baseLatencyUs: number): string {
  const { symbols, instruments, rules } = manifest;
  return JSON.stringify({ symbols, instruments, rules, baseLatencyUs });
}
