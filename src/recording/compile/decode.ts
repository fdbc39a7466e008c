/**
 * Raw frames to market events, by `exchange/wire` or the importer's parser. Missing times are `NaN`. Undecodable frames
 * are counted, never thrown.
 */
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import type { GapEvent, MarketSink } from '../../model/market/market-event.ts';
import { failureText } from '../../exchange/wire/decoded.ts';
import { LevelScratch } from '../../exchange/wire/market/depth.ts';
import { decodePublicFrame } from '../../exchange/wire/market/public-frames.ts';
import { RepeatedTrades } from '../../exchange/wire/market/repeated-trades.ts';
import { readServerMessage } from '../../exchange/wire/socket-messages.ts';
import type { FrameRow } from '../frames/frame-row.ts';
import { IMPORTERS } from '../importers/formats.ts';
import { KnownTrades } from '../importers/known-trades.ts';
import { MarketEventMaker } from '../importers/market-events.ts';
import type { FrameParser, RawMessage } from '../importers/raw-message.ts';
import type { Manifest } from '../frames/manifest.ts';
import { parseNote } from '../frames/note.ts';
import { decodePolledFrame, isPolledChannel } from '../frames/polled-frame.ts';

const MAX_SAMPLES = 5;

export class DecodeReport {
  failed = 0;
  /** With the start of the frame. */
  readonly samples: string[] = [];
  /** Frames without market event, by kind. */
  readonly ignored = new Map<string, number>();

  fail(why: string, text: string): void {
    this.failed++;
    if (this.samples.length < MAX_SAMPLES) this.samples.push(`${why}: ${text.slice(0, 120)}`);
  }

  ignore(kind: string): void {
    this.ignored.set(kind, (this.ignored.get(kind) ?? 0) + 1);
  }
}

export interface FrameDecoder {
  readonly report: DecodeReport;
  /** Each valid only during the call. */
  row(row: FrameRow, sink: MarketSink): void;
  /** A gap of every symbol up to `receiveUs`. */
  loss(receiveUs: number, sink: MarketSink): void;
}

export function createDecoder(manifest: Manifest, instruments: Instruments): FrameDecoder {
  const own = instruments.all().filter((instrument) => manifest.symbols.includes(instrument.symbol));
  const report = new DecodeReport();
  const gaps = new GapNotes(own, report);
  const frame =
    manifest.source === 'tidewire' ? ownDecoder(instruments, report) : importDecoder(manifest, instruments, report);
  return {
    report,
    row(row, sink) {
      if (row.kind === 'note') gaps.note(row, sink);
      else if (row.kind === 'public') {
        frame(row, sink);
        gaps.lastUs = Math.max(gaps.lastUs, row.receiveUs);
      }
    },
    loss: (receiveUs, sink) => gaps.bridge(receiveUs, 'frames of the recording are lost', sink),
  };
}

type DecodeRow = (row: FrameRow, sink: MarketSink) => void;

function ownDecoder(instruments: Instruments, report: DecodeReport): DecodeRow {
  const scratch = new LevelScratch();
  const repeated = new RepeatedTrades();
  return (row, sink) => {
    const message = readServerMessage(row.text);
    if (message.kind === 'unreadable') {
      report.fail(message.problem, row.text);
      return;
    }
    if (message.kind !== 'push') {
      report.ignore(message.kind);
      return;
    }
    const { channel, seq, ts, data } = message;
    const { receiveUs, generation } = row;
    if (isPolledChannel(channel)) {
      const polled = decodePolledFrame(message, receiveUs, instruments);
      if (polled.kind === 'failure') report.fail(failureText(polled), row.text);
      else sink(polled.value);
      return;
    }
    const decoded = decodePublicFrame({ channel, seq, ts, data, receiveUs, generation }, instruments, { scratch });
    if (decoded.kind === 'failure') report.fail(failureText(decoded), row.text);
    else if (decoded.kind === 'ignored') report.ignore(channel);
    else if (decoded.channel === 'trades' && repeated.has(message)) report.ignore(`${channel}, repeated`);
    else {
      for (const event of decoded.events) {
        // The decoder substitutes the receive time.
        if (ts === null && (event.kind === 'depth' || event.kind === 'candle')) event.exchangeUs = Number.NaN;
        sink(event);
      }
    }
  };
}

function importDecoder(manifest: Manifest, instruments: Instruments, report: DecodeReport): DecodeRow {
  if (manifest.source === 'tidewire') throw new RangeError('not an import');
  const importer = IMPORTERS[manifest.source];
  const parsers: readonly FrameParser[] = manifest.inputs.map((layout) => importer.parser(layout));
  const only = manifest.symbols.length === 1 ? manifest.symbols[0] : undefined;
  const maker = new MarketEventMaker();
  const trades = new KnownTrades();
  return (row, sink) => {
    const take = (raw: RawMessage): void => {
      const instrument = instruments.find(raw.symbol === '' ? (only ?? '') : raw.symbol);
      if (instrument === undefined) {
        report.ignore(`symbol ${raw.symbol}`);
        return;
      }
      if (raw.kind === 'trade' && !trades.admits(instrument.symbol, raw)) return;
      const event = maker.make(raw, instrument, row.receiveUs);
      if (typeof event === 'string') report.fail(event, row.text);
      else sink(event);
    };
    const parse = parsers[row.generation];
    const result =
      parse === undefined ? { failed: `no input ${row.generation}` } : parse(row.text, row.receiveUs, take);
    if (result === 'ok') return;
    if ('failed' in result) report.fail(result.failed, row.text);
    else report.ignore(result.ignored);
  };
}

/** Connection notes and lost blocks to gaps of every symbol, unless the session notes gaps itself. */
class GapNotes {
  /** Robust to clock steps; 0 before the first. */
  lastUs = 0;
  readonly #instruments: readonly Instrument[];
  readonly #report: DecodeReport;
  #openFromUs: number | null = null;
  #isSession = false;
  /** Gaps noted before the first frame, not ended. */
  readonly #early = new Set<string>();
  /** By symbol, µs. */
  readonly #doubtedUs = new Map<string, number>();

  constructor(instruments: readonly Instrument[], report: DecodeReport) {
    this.#instruments = instruments;
    this.#report = report;
  }

  note(row: FrameRow, sink: MarketSink): void {
    const parsed = parseNote(row.text);
    if (parsed.kind === 'unknown') {
      this.#report.fail(parsed.problem, row.text);
      return;
    }
    const { note } = parsed;
    const { receiveUs } = row;
    switch (note.note) {
      case 'dropped':
        this.bridge(receiveUs, `${note.frames} frames were dropped while recording`, sink);
        return;
      case 'session':
        this.#isSession = true;
        this.#early.clear();
        if (this.lastUs !== 0) this.bridge(receiveUs, 'the recorder was not running', sink);
        return;
      case 'connected':
      case 'lost':
        if (note.connection === 'public' && !this.#isSession) this.#connection(note.note === 'lost', row, sink);
        return;
      case 'gap':
        this.#told(note.symbol, note.open, note.fromUs, receiveUs, note.reason, sink);
        return;
      case 'discarded':
        this.#discarded(note.symbol, receiveUs, note.reason, sink);
        return;
      default:
    }
  }

  /** A gap from the last row to `receiveUs`. */
  bridge(receiveUs: number, reason: string, sink: MarketSink): void {
    const from = this.lastUs === 0 ? receiveUs : this.lastUs;
    this.#emit(true, from, from, reason, sink);
    this.#emit(false, from, Math.max(from, receiveUs), reason, sink);
  }

  #connection(lost: boolean, row: FrameRow, sink: MarketSink): void {
    if (lost) {
      if (this.#openFromUs !== null) return;
      this.#openFromUs = row.receiveUs;
      this.#emit(true, row.receiveUs, row.receiveUs, 'the connection was lost', sink);
    } else if (this.#openFromUs !== null) {
      this.#emit(false, this.#openFromUs, row.receiveUs, 'the connection was lost', sink);
      this.#openFromUs = null;
    } else if (this.lastUs !== 0) {
      // A killed process wrote no `lost`.
      this.bridge(row.receiveUs, 'the recorder was not running', sink);
    }
  }

  /** Ignores gaps before the first frame. An end without a start was detected late. */
  #told(symbol: string, open: boolean, fromUs: number, receiveUs: number, reason: string, sink: MarketSink): void {
    const instrument = this.#instruments.find((other) => other.symbol === symbol);
    if (instrument === undefined) return;
    if (open && this.lastUs === 0) {
      this.#early.add(symbol);
      return;
    }
    if (!open && this.#early.delete(symbol)) return;
    if (open) this.#doubtedUs.set(symbol, receiveUs);
    sink({ kind: 'gap', instrument, exchangeUs: Number.NaN, receiveUs, reason, fromUs, open });
  }

  /** Inside a gap the book may have recovered. */
  #discarded(symbol: string, receiveUs: number, reason: string, sink: MarketSink): void {
    const instrument = this.#instruments.find((other) => other.symbol === symbol);
    if (instrument === undefined || this.lastUs === 0 || this.#doubtedUs.get(symbol) === receiveUs) return;
    this.#doubtedUs.set(symbol, receiveUs);
    const gap = { kind: 'gap', instrument, exchangeUs: Number.NaN, receiveUs, reason, fromUs: receiveUs } as const;
    sink({ ...gap, open: true });
    sink({ ...gap, open: false });
  }

  #emit(open: boolean, fromUs: number, receiveUs: number, reason: string, sink: MarketSink): void {
    for (const instrument of this.#instruments) {
      const gap: GapEvent = { kind: 'gap', instrument, exchangeUs: Number.NaN, receiveUs, reason, fromUs, open };
      sink(gap);
    }
  }
}
