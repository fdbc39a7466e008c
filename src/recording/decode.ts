/**
 * Raw frames to market events, whatever recorded them: our own frames by the codecs of `exchange/wire`, imported ones by
 * their importer's parser. Times stay as they are: `exchangeUs` is `NaN` when the frame has none, `receiveUs` `NaN` when
 * the source has one time alone; `compile.ts` completes them (T1, T2). A frame that cannot be decoded is counted with a
 * sample and never thrown; the raw frame stays in the recording.
 */
import type { Instrument, Instruments } from '../model/instrument.ts';
import type { GapEvent, MarketSink } from '../model/market-event.ts';
import { failureText } from '../exchange/wire/decoded.ts';
import { LevelScratch } from '../exchange/wire/depth.ts';
import { decodePublicFrame } from '../exchange/wire/public-frames.ts';
import { RepeatedTrades } from '../exchange/wire/repeated-trades.ts';
import { readServerMessage } from '../exchange/wire/socket-messages.ts';
import type { FrameRow } from './frame-row.ts';
import { IMPORTERS } from './importers/formats.ts';
import { MarketEventMaker } from './importers/market-events.ts';
import type { FrameParser, RawMessage } from './importers/raw-message.ts';
import type { Manifest } from './manifest.ts';
import { parseNote } from './note.ts';
import { decodePolledFrame, isPolledChannel } from './polled-frame.ts';

const MAX_SAMPLES = 5;

/** Counts of what was not turned into events. */
export class DecodeReport {
  failed = 0;
  /** The first failures, with the frame's first characters. */
  readonly samples: string[] = [];
  /** Frames that carry no market event, by kind. */
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
  /** Hands the events of a row to `sink`, each valid only during the call. */
  row(row: FrameRow, sink: MarketSink): void;
  /** Frames between the last row and `receiveUs` are lost: a gap for every symbol (T5). */
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
        // The decoder states receive time where the frame has no time of the server; the tape must know the difference.
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
  return (row, sink) => {
    const take = (raw: RawMessage): void => {
      const instrument = instruments.find(raw.symbol === '' ? (only ?? '') : raw.symbol);
      if (instrument === undefined) {
        report.ignore(`symbol ${raw.symbol}`);
        return;
      }
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

/**
 * Turns notes about the public connection, and lost blocks, into gap events of every symbol. A session says itself when
 * its strategies were told of a gap: of its connection nothing else is told then.
 */
class GapNotes {
  /** The latest receive time of public rows, since a clock may be put back; 0 before the first. */
  lastUs = 0;
  readonly #instruments: readonly Instrument[];
  readonly #report: DecodeReport;
  #openFromUs: number | null = null;
  #isSession = false;
  /** Symbols whose gap a session has told of before the first frame, and not ended. */
  readonly #early = new Set<string>();
  /** When a session last told of each symbol that its book is not to be trusted, µs. */
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

  /** Data is missing from the last row on until `receiveUs`, where it goes on: all that time no book is known. */
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
      // A process that died wrote no `lost`.
      this.bridge(row.receiveUs, 'the recorder was not running', sink);
    }
  }

  /**
   * Before the first frame nothing is missing: a session is told that it is not connected yet. An end without a beginning is
   * of messages that were missed at once.
   */
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

  /** Where a gap opens with it, nothing more. Within one, the book may have proved itself since, and is given up again. */
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
