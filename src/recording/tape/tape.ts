/**
 * The tape: decoded events of recordings in two delivery orders.
 *
 *   exchange order: for the venue side of the simulation        (one record is delivered twice,
 *   receive order:  for the strategy side                         once to each side, each in its own order)
 */
import type { Instrument } from '../../model/market/instrument.ts';
import type { BarOpenEvent, MarketEvent, SequenceRule } from '../../model/market/market-event.ts';
import type { TapeShift } from '../../model/book/saved-book.ts';
import type { DataParts } from './data-parts.ts';
import type { TapeCounts } from './tape-counts.ts';
import type { TapeFooter } from './tape-format.ts';

export type DeliveryOrder = 'exchange' | 'receive';

export interface EventCursor<Event> {
  /** In this cursor's order; `Infinity` at the end. */
  readonly nextUs: number;
  /** Recorded sequence, which breaks ties in both orders. `Infinity` at the end. */
  readonly nextSequence: number;
  /**
   * Reused: valid until the next call.
   * @throws RangeError at the end (`nextUs` is `Infinity`).
   */
  next(): Event;
}

export type TapeCursor = EventCursor<MarketEvent>;
/** Bars at their open (`openings.ts`). */
export type OpeningCursor = EventCursor<BarOpenEvent>;

/** A recording or tape file. */
export interface TapeSource {
  readonly path: string;
  /** `tidewire`, or the importer's name. */
  readonly source: string;
  readonly frames: number;
  /** Raw frames on disk. */
  readonly bytes: number;
  /** Unrepaired receive − exchange; null without both times. */
  readonly clockMinMs: number | null;
  /** Added by clock repair, µs. */
  readonly clockShiftUs: number;
  readonly lostFrames: number;
  readonly lostFramesKnown: boolean;
  /** What is lost or unreadable. */
  readonly problems: readonly string[];
}

export interface Tape {
  readonly sources: readonly TapeSource[];
  readonly instruments: readonly Instrument[];
  /** Sequence rule per symbol. */
  readonly rules: ReadonlyMap<string, SequenceRule>;
  /** Symbols with a depth snapshot. */
  readonly withSnapshot: ReadonlySet<string>;
  /** Exchange time, µs. */
  readonly fromUs: number;
  readonly toUs: number;
  /** Whatever the period; candles count from their open. */
  readonly dataFromUs: () => number;
  readonly dataToUs: number;
  /** Last receive time, µs. */
  readonly receivedToUs: () => number;
  readonly counts: TapeCounts;
  /** Clock repair, lost and undecoded frames, inferred grids. */
  readonly warnings: readonly string[];
  /** Lost or undecoded data (exit 5 with `--strict`). */
  readonly damaged: boolean;
  /** SHA-256 of content and period. */
  readonly dataHash: string;
  /** Independent of period, order and base latency. */
  readonly contentHash: string;
  /** Of all recordings, whatever the period. */
  readonly parts: () => DataParts;
  readonly passes: number;
  /** How far a pass is behind the first, in times of both clocks and in ids. */
  shiftOf(pass: number): TapeShift;
  /** A new independent cursor, at the start of the first pass or of a later one. */
  cursor(order: DeliveryOrder, fromPass?: number): TapeCursor;
  /** The pass of an event by its sequence. */
  passOf(sequence: number): number;
  /** What is derived of the tape, by name; with shared tapes it stays for the next one over the same data. */
  readonly derived: Map<string, unknown>;
  /** None in older tape files. */
  openings(): OpeningCursor;
  /** Releases files; cursors become invalid. */
  close(): void;
}

/** Threads share it without copying. */
export interface SharedTape {
  /** As `locate` finds it. */
  readonly path: string;
  /** Chunks and orders as columns. */
  readonly bytes: SharedArrayBuffer;
  readonly footer: TapeFooter;
}

export interface OpenTapeOptions {
  /** Inclusive, exchange time. Begins with the book of that time. */
  readonly fromMs?: number;
  /** Exclusive, exchange time. */
  readonly toMs?: number;
  /** Passes, times shifted on; for measuring. */
  readonly repeat?: number;
  /** Default 1,000 µs. */
  readonly baseLatencyUs?: number;
  /** Without clock repair. */
  readonly asReceived?: boolean;
  /** 0 to 1, while compiling. */
  readonly progress?: (fraction: number) => void;
  /** In-memory tapes by path; not checked. */
  readonly shared?: readonly SharedTape[];
}
