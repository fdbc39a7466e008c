/** `openTape`: paths to one `Tape`. Grids must agree; a period in the middle starts with the books of that time. */
import { createHash } from 'node:crypto';
import { Instrument, type InstrumentSpec } from '../../model/market/instrument.ts';
import type { GapEvent, MarketEvent, SequenceRule } from '../../model/market/market-event.ts';
import { usOf } from '../../model/time.ts';
import type { BarSeries } from '../compile/bar-order.ts';
import { type Repetition } from './chunk-events.ts';
import { ChainCursor, FileCursor, ListCursor, PASS_STRIDE, type Period, SOURCE_STRIDE, WHOLE } from './cursors.ts';
import { joinedParts } from './data-parts.ts';
import { recordingErrors } from '../errors.ts';
import { type Covered, gapsBetween } from '../compile/gaps-between.ts';
import { type Located, locate } from '../locate.ts';
import { MergedCursor } from './merged-cursor.ts';
import { newestBooks, openingBooks } from './opening-book.ts';
import { type Held, overlapWarnings } from '../compile/overlaps.ts';
import { closesOf, IntervalOpenings, shortestIntervals } from './openings.ts';
import { beginOf, countPeriod, firstReceived, lastReceived, type PeriodCount } from './period-count.ts';
import { type CachedTape, tapeOf } from './tape-cache.ts';
import { TapeFile } from './tape-file.ts';
import type { TapeFooter } from './tape-format.ts';
import { BASE_LATENCY_US } from '../compile/timing.ts';
import type {
  DeliveryOrder,
  EventCursor,
  OpeningCursor,
  OpenTapeOptions,
  SharedTape,
  Tape,
  TapeCursor,
  TapeSource,
} from './tape.ts';
import type { TapeCounts } from './tape-counts.ts';

/** Smaller tapes are unpacked once. */
const REPEATED_BYTES_MAX = 64 * 2 ** 20;

/** Above the previous pass, below 2^53 for hundreds. */
const PASS_IDS = 2 ** 43;

interface Source {
  readonly path: string;
  readonly tape: CachedTape;
  /** By the tape's symbol index. */
  readonly instruments: readonly Instrument[];
  readonly opening: readonly MarketEvent[];
  /** Withdrawn clock repair of receive times. */
  readonly unrepairedUs: number;
  readonly counted: PeriodCount;
}

/**
 * @throws recording_not_found, recording_manifest_invalid, recording_empty, tape_invalid, instrument_conflict,
 *   recording_write_failed
 */
export async function openTape(paths: readonly string[], options: OpenTapeOptions = {}): Promise<Tape> {
  const located = paths.flatMap((path) => [...locate(path)]);
  const opened: { readonly path: string; readonly tape: CachedTape }[] = [];
  try {
    for (const [index, place] of located.entries()) {
      const share = (fraction: number): void => options.progress?.((index + fraction) / located.length);
      const tape = await openOne(place, options, share);
      opened.push({ path: place.path, tape: (options.repeat ?? 1) > 1 ? inMemory(place.path, tape) : tape });
      share(1);
    }
    return assemble(paths, opened, options);
  } catch (thrown) {
    for (const { tape } of opened) tape.release();
    throw thrown;
  }
}

/**
 * Shared by threads; null when they exceed `bytesMax` together.
 * @throws as `openTape`
 */
export async function shareTapes(
  paths: readonly string[],
  bytesMax: number,
  options: Pick<OpenTapeOptions, 'baseLatencyUs' | 'progress'> = {},
): Promise<readonly SharedTape[] | null> {
  const opened: { readonly path: string; readonly tape: CachedTape }[] = [];
  try {
    for (const place of paths.flatMap((path) => [...locate(path)])) {
      opened.push({ path: place.path, tape: await openOne(place, options, options.progress ?? (() => {})) });
    }
    const bytes = opened.reduce((sum, { tape }) => sum + tape.file.size, 0);
    return bytes > bytesMax ? null : opened.map(({ path, tape }) => ({ path, ...tape.file.share() }));
  } finally {
    for (const { tape } of opened) tape.release();
  }
}

async function openOne(
  place: Located,
  options: OpenTapeOptions,
  progress: (fraction: number) => void,
): Promise<CachedTape> {
  const shared = options.shared?.find(({ path }) => path === place.path);
  if (shared !== undefined) return { file: TapeFile.ofShared(shared), cached: true, release: () => {} };
  if (place.kind === 'recording') {
    const { baseLatencyUs } = options;
    return tapeOf(place.path, baseLatencyUs === undefined ? { progress } : { progress, baseLatencyUs });
  }
  const file = TapeFile.open(place.path);
  try {
    file.verify();
  } catch (thrown) {
    file.close();
    throw thrown;
  }
  return { file, cached: true, release: () => file.close() };
}

/** Unchanged when too large. */
function inMemory(path: string, tape: CachedTape): CachedTape {
  if (tape.file.size > REPEATED_BYTES_MAX) return tape;
  try {
    return { ...tape, file: TapeFile.ofShared({ path, ...tape.file.share() }), release: () => {} };
  } finally {
    tape.release();
  }
}

function assemble(
  paths: readonly string[],
  opened: readonly { readonly path: string; readonly tape: CachedTape }[],
  options: OpenTapeOptions,
): Tape {
  const instruments = new Map<string, Instrument>();
  const period = periodOf(options);
  const own = opened.map(({ path, tape }) =>
    tape.file.footer.manifest.instruments.map((spec) => shared(instruments, spec, path)),
  );
  const openings = newestBooks(
    opened.map(({ tape: { file } }, index) =>
      period.fromUs > (file.footer.fromUs ?? Infinity) ? openingBooks(file, own[index]!, period.fromUs) : [],
    ),
  );
  const sources: Source[] = opened.map(({ path, tape }, index) => {
    const unrepairedUs = options.asReceived === true ? tape.file.footer.clockShiftUs : 0;
    const counted = countPeriod(tape.file, period);
    return { path, tape, instruments: own[index]!, opening: openings[index]!, unrepairedUs, counted };
  });
  const counted = sources.reduce((sum, source) => sum + source.counted.events, 0);
  if (counted === 0) {
    // Loss, not a wrong period.
    const lost = sources.every(({ tape }) => tape.file.footer.fromUs === null && tape.file.footer.problems.length > 0);
    throw recordingErrors.make(lost ? 'recording_damaged' : 'recording_empty', emptyMessage(paths, sources, period));
  }
  return tapeFrom(sources, [...instruments.values()], period, options);
}

function periodOf({ fromMs, toMs }: OpenTapeOptions): Period {
  if (fromMs === undefined && toMs === undefined) return WHOLE;
  return { fromUs: fromMs === undefined ? -Infinity : usOf(fromMs), toUs: toMs === undefined ? Infinity : usOf(toMs) };
}

function shared(known: Map<string, Instrument>, spec: InstrumentSpec, path: string): Instrument {
  const before = known.get(spec.symbol);
  if (before === undefined) {
    const instrument = new Instrument(spec);
    known.set(spec.symbol, instrument);
    return instrument;
  }
  const { tickSize, lotSize, market } = before.spec;
  if (tickSize === spec.tickSize && lotSize === spec.lotSize && market === spec.market) return before;
  throw recordingErrors.make(
    'instrument_conflict',
    `${path}: ${spec.symbol} is ${spec.market} with tick ${spec.tickSize} and lot ${spec.lotSize}, but ${market}, ${tickSize} and ${lotSize} in a recording before it`,
    { path, symbol: spec.symbol },
  );
}

function emptyMessage(paths: readonly string[], sources: readonly Source[], period: Period): string {
  const problems = sources.flatMap((source) => source.tape.file.footer.problems);
  const why = problems.length === 0 ? '' : `: ${problems.slice(0, 3).join('; ')}`;
  const where = period === WHOLE ? '' : ' in the asked period';
  return `${paths.join(', ')}: no market event${where}${why}`;
}

function tapeFrom(
  sources: readonly Source[],
  instruments: readonly Instrument[],
  period: Period,
  options: OpenTapeOptions,
): Tape {
  const footers = sources.map((source) => source.tape.file.footer);
  const repeat = Math.max(1, Math.floor(options.repeat ?? 1));
  const fromUs = Math.min(...sources.map((source) => source.counted.fromUs));
  const lastUs = Math.max(...sources.map((source) => source.counted.toUs));
  const passUs = passLength(fromUs, lastUs);
  const gaps = gapsBetween(sources.flatMap(coveredBy), period, options.baseLatencyUs ?? BASE_LATENCY_US);
  const rules = new Map<string, SequenceRule>();
  for (const { manifest } of footers) {
    for (const symbol of manifest.symbols) rules.set(symbol, manifest.rules[symbol] ?? 'none');
  }
  return {
    sources: sources.map(describe),
    instruments,
    rules,
    withSnapshot: new Set(footers.flatMap((footer) => [...footer.withSnapshot])),
    fromUs,
    toUs: lastUs + (repeat - 1) * passUs,
    dataFromUs: () => Math.min(...sources.map(({ tape }) => beginOf(tape.file))),
    dataToUs: Math.max(...footers.map(({ toUs }) => toUs ?? -Infinity)),
    receivedToUs: () => receivedTo(sources) + (repeat - 1) * passUs,
    counts: total(sources, repeat),
    warnings: [...warningsOf(sources), ...overlapWarnings(sources.map(heldBy))],
    damaged: footers.some((footer) => footer.problems.length > 0),
    dataHash: hashOf(
      footers.map(({ dataHash }) => dataHash),
      period,
      repeat,
    ),
    contentHash: hashOf(footers.map(contentOf).toSorted(), WHOLE, 1),
    parts: joinedParts(footers.map(({ parts }) => parts)),
    passes: repeat,
    shiftOf: (pass) => ({ us: pass * passUs, ids: pass * PASS_IDS }),
    cursor: (order, fromPass = 0) => cursorOf(sources, gaps, order, period, repeat, passUs, fromPass),
    passOf: (sequence) => Math.max(0, Math.floor(sequence / PASS_STRIDE)),
    derived: derivedOf(sources, `${period.fromUs} ${period.toUs} ${repeat} ${options.asReceived ?? false}`, options),
    openings: () => openingsOf(sources, period, repeat, passUs),
    close: () => {
      for (const source of sources) source.tape.release();
    },
  };
}

function receivedTo(sources: readonly Source[]): number {
  return Math.max(...sources.map(({ counted, unrepairedUs }) => counted.receivedToUs() - unrepairedUs));
}

/** Whole minutes, so candles stay aligned. */
function passLength(fromUs: number, toUs: number): number {
  const minuteUs = 60_000_000;
  return Math.ceil((toUs - fromUs + 1_000_000) / minuteUs) * minuteUs;
}

function barsOf({ tape }: Source): readonly BarSeries[] {
  return tape.file.footer.bars ?? [];
}

function heldBy(source: Source): Held {
  const { manifest, counts, fromUs, toUs } = source.tape.file.footer;
  return { path: source.path, symbols: manifest.symbols, counts, bars: barsOf(source), fromUs, toUs };
}

/** Empty for candles alone. */
function coveredBy({ tape: { file }, instruments, unrepairedUs }: Source): readonly Covered[] {
  const { counts, fromUs, toUs } = file.footer;
  if (counts.total === counts.candles || fromUs === null || toUs === null) return [];
  const receivedFromUs = (): number => firstReceived(file) - unrepairedUs;
  const receivedToUs = (): number => lastReceived(file) - unrepairedUs;
  return [{ instruments, fromUs, toUs, receivedFromUs, receivedToUs }];
}

function cursorOf(
  sources: readonly Source[],
  gaps: readonly GapEvent[],
  order: DeliveryOrder,
  period: Period,
  repeat: number,
  passUs: number,
  fromPass: number,
): TapeCursor {
  const pass = (number: number): TapeCursor => {
    const cursors = sources.flatMap((source, index) => passCursors(source, index, order, period, number, passUs));
    // After all events of the instant, so that none wrongly confirms a book behind its gap.
    const sequence = sources.length * SOURCE_STRIDE + number * PASS_STRIDE;
    if (gaps.length > 0) cursors.push(new ListCursor(inPass(gaps, order, number * passUs), order, sequence));
    return merged(cursors);
  };
  return chained(repeat, pass, fromPass);
}

function merged<Event>(cursors: readonly EventCursor<Event>[]): EventCursor<Event> {
  const [only] = cursors;
  return cursors.length === 1 && only !== undefined ? only : new MergedCursor(cursors);
}

function chained<Event>(passes: number, make: (pass: number) => EventCursor<Event>, fromPass = 0): EventCursor<Event> {
  return passes === 1 ? make(0) : new ChainCursor(passes, make, fromPass);
}

const DERIVED = new WeakMap<SharedArrayBuffer, Map<string, Map<string, unknown>>>();

/** Of one shared tape kept with its bytes, else new. */
function derivedOf(
  sources: readonly Source[],
  what: string,
  { shared: tapes = [] }: OpenTapeOptions,
): Map<string, unknown> {
  const [source] = sources;
  const bytes = sources.length === 1 ? tapes.find(({ path }) => path === source?.path)?.bytes : undefined;
  if (bytes === undefined) return new Map();
  const known = DERIVED.get(bytes) ?? new Map<string, Map<string, unknown>>();
  DERIVED.set(bytes, known);
  const derived = known.get(what) ?? new Map<string, unknown>();
  known.set(what, derived);
  return derived;
}

function openingsOf(sources: readonly Source[], period: Period, repeat: number, passUs: number): OpeningCursor {
  const intervals = shortestIntervals(sources.flatMap(barsOf));
  return chained(repeat, (pass) => {
    const shiftUs = pass * passUs;
    const repetition: Repetition = { pass, shiftUs, receiveShiftUs: shiftUs, shiftIds: 0 };
    const opens = { fromUs: period.fromUs + shiftUs, toUs: period.toUs + shiftUs };
    const cursors = sources.flatMap((source, index) =>
      [...new Set(barsOf(source).map(({ intervalMs }) => intervalMs))].map((intervalMs) => {
        const closes = period === WHOLE ? WHOLE : closesOf(period, intervalMs);
        const first = index * SOURCE_STRIDE;
        const bars = new FileCursor(source.tape.file, source.instruments, 'exchange', closes, first, repetition);
        return new IntervalOpenings(bars, intervalMs, intervals, opens);
      }),
    );
    return merged(cursors);
  });
}

/** In delivery order, shifted by the pass. */
function inPass(gaps: readonly GapEvent[], order: DeliveryOrder, shiftUs: number): readonly GapEvent[] {
  const shifted = gaps.map((gap) => ({
    ...gap,
    exchangeUs: gap.exchangeUs + shiftUs,
    receiveUs: gap.receiveUs + shiftUs,
    fromUs: gap.fromUs + shiftUs,
  }));
  return inOrder(shifted, order);
}

function inOrder<Event extends MarketEvent>(events: readonly Event[], order: DeliveryOrder): readonly Event[] {
  return events.toSorted((a, b) => (order === 'exchange' ? a.exchangeUs - b.exchangeUs : a.receiveUs - b.receiveUs));
}

function passCursors(
  source: Source,
  index: number,
  order: DeliveryOrder,
  period: Period,
  pass: number,
  passUs: number,
): readonly TapeCursor[] {
  const { file } = source.tape;
  const sequence = index * SOURCE_STRIDE + pass * PASS_STRIDE;
  const shiftUs = pass * passUs;
  const receiveShiftUs = shiftUs - source.unrepairedUs;
  const repetition: Repetition = { pass, shiftUs, receiveShiftUs, shiftIds: pass * PASS_IDS };
  const events = new FileCursor(file, source.instruments, order, period, sequence, repetition);
  // They find it in the data.
  if (source.opening.length === 0 || pass > 0) return [events];
  return [new ListCursor(inOrder(source.opening, order), order, sequence - source.opening.length), events];
}

function describe({ path, tape }: Source): TapeSource {
  const footer = tape.file.footer;
  return {
    path,
    source: footer.manifest.source,
    frames: footer.frames,
    bytes: footer.bytes,
    clockMinMs: footer.clockMinUs === null ? null : Math.round(footer.clockMinUs) / 1000,
    clockShiftUs: footer.clockShiftUs,
    lostFrames: footer.lostFrames,
    lostFramesKnown: footer.lostFramesKnown,
    problems: footer.problems,
  };
}

function total(sources: readonly Source[], repeat: number): TapeCounts {
  const sum = (pick: (counts: TapeCounts) => number): number =>
    repeat * sources.reduce((all, source) => all + pick(source.counted.counts), 0);
  return {
    total: sum((counts) => counts.total),
    depth: sum((counts) => counts.depth),
    trades: sum((counts) => counts.trades),
    quotes: sum((counts) => counts.quotes),
    candles: sum((counts) => counts.candles),
  };
}

function warningsOf(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ path, tape }) => {
    const { warnings, problems } = tape.file.footer;
    const name = sources.length > 1 ? `${path}: ` : '';
    return [...warnings, ...problems.map((problem) => `data are damaged: ${problem}`)].map((text) => `${name}${text}`);
  });
}

/** Older tapes have none. */
function contentOf({ contentHash, dataHash }: TapeFooter): string {
  return contentHash ?? dataHash;
}

function hashOf(hashes: readonly string[], period: Period, repeat: number): string {
  const hash = createHash('sha256');
  for (const one of hashes) hash.update(`${one}\n`);
  return hash.update(`${period.fromUs} ${period.toUs} ${repeat}`).digest('hex');
}
