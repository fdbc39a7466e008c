/**
 * The tape as its users see it: decoded market events in one of two delivery orders, from one or several recordings.
 * A tape is a cache of recordings (wall 5): `openTape` compiles what is missing or stale and merges the rest.
 *
 *   exchange order: for the venue side of the simulation        (rule T1: one record is delivered twice,
 *   receive order:  for the strategy side                         once to each side, each in its own order)
 *
 * Called by `session/backtest.ts`, the sandbox's `replay:` market, research and `data info|export`.
 */
import type { Instrument } from '../model/instrument.ts';
import type { BarOpenEvent, MarketEvent, SequenceRule } from '../model/market-event.ts';
import type { TapeFooter } from './tape-format.ts';

export type DeliveryOrder = 'exchange' | 'receive';

/** What the events count (cli.md): each level row of depth messages and snapshots, each trade, best quote and candle once. */
export interface TapeCounts {
  readonly total: number;
  /** Level rows, those of snapshots included. */
  readonly depth: number;
  readonly trades: number;
  readonly quotes: number;
  readonly candles: number;
}

export interface EventCursor<Event> {
  /** Time of the next event in this cursor's order (exchange or receive), µs; `Infinity` at the end. */
  readonly nextUs: number;
  /**
   * Recorded sequence of the next event: ties at one µs are broken by it (T4). Grows with the position of the event in
   * the data; the same record has the same sequence in both orders. `Infinity` at the end.
   */
  readonly nextSequence: number;
  /**
   * The next event. One object per kind is reused and `levels` is a view into the tape: valid until the next call.
   * @throws RangeError at the end (`nextUs` is `Infinity`).
   */
  next(): Event;
}

export type TapeCursor = EventCursor<MarketEvent>;
/** Bars at their open (`openings.ts`). */
export type OpeningCursor = EventCursor<BarOpenEvent>;

/** One recording or tape file that a `Tape` reads. */
export interface TapeSource {
  readonly path: string;
  /** `tidewire`, or the importer's name. */
  readonly source: string;
  readonly frames: number;
  /** Bytes of the raw frames on disk. */
  readonly bytes: number;
  /** Smallest receive − exchange before repair, ms; null when no event has both times. */
  readonly clockMinMs: number | null;
  /** What was added to the receive times, µs (T2). */
  readonly clockShiftUs: number;
  readonly lostFrames: number;
  readonly lostFramesKnown: boolean;
  /** Sentences about what is lost or unreadable; empty when the recording is whole. */
  readonly problems: readonly string[];
}

export interface Tape {
  readonly sources: readonly TapeSource[];
  readonly instruments: readonly Instrument[];
  /** Sequence rule per symbol. */
  readonly rules: ReadonlyMap<string, SequenceRule>;
  /** Symbols of which the data holds at least one depth snapshot (T5). */
  readonly withSnapshot: ReadonlySet<string>;
  /** Exchange time of the first and of the last event, µs. */
  readonly fromUs: number;
  readonly toUs: number;
  /** The same of all that the recordings hold, whatever the period; of candles the open of the first one. */
  readonly dataFromUs: () => number;
  readonly dataToUs: number;
  /** Receive time of the event that is received last, µs; read from the end of the data. */
  readonly receivedToUs: () => number;
  readonly counts: TapeCounts;
  /** Sentences for the user: clock repair, lost frames, undecoded frames, inferred instruments. */
  readonly warnings: readonly string[];
  /** True when part of the data was lost or could not be decoded (exit 5 with `--strict`). */
  readonly damaged: boolean;
  /** SHA-256 of the decoded content and of the period; the same data give the same hash wherever they lie. */
  readonly dataHash: string;
  /**
   * The same without the period, the order of the recordings and the base latency: what all runs on these data have in
   * common.
   */
  readonly contentHash: string;
  /** A new cursor at the start. Cursors are independent of each other. */
  cursor(order: DeliveryOrder): TapeCursor;
  /** The recorded bars when they open. A tape file of an earlier version tells none. */
  openings(): OpeningCursor;
  /** Releases files. Cursors are dead afterwards. */
  close(): void;
}

/** A whole tape in memory that several threads read: handed to workers as it is, never copied. */
export interface SharedTape {
  /** Of the recording or tape, as `locate` finds it. */
  readonly path: string;
  /** Chunks and orders as columns. */
  readonly bytes: SharedArrayBuffer;
  readonly footer: TapeFooter;
}

export interface OpenTapeOptions {
  /** Unix ms, inclusive, exchange time. The book as it stood then is delivered first, as a snapshot. */
  readonly fromMs?: number;
  /** Unix ms, exclusive, exchange time. */
  readonly toMs?: number;
  /** The data that many times, times shifted on; only for measuring. */
  readonly repeat?: number;
  /** Base (feed) latency (T1, T2); 1,000 µs. */
  readonly baseLatencyUs?: number;
  /** Receive times as they were recorded, without the repair of T2: what a session lived by is run again. */
  readonly asReceived?: boolean;
  /** 0 to 1, for a progress bar, while a tape is compiled. */
  readonly progress?: (fraction: number) => void;
  /** Tapes in memory by path; what is among them is neither checked nor read from the disk. */
  readonly shared?: readonly SharedTape[];
}

export { openTape } from './open-tape.ts';
