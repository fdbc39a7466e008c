/**
 * Second pass: completes times and finds both delivery orders (docs/tape.md, T1, T2).
 *
 *   receive  = recorded + clock shift;  with one time: exchange + base latency
 *   exchange = the frame's own;  without one: receive − base latency;  never before an earlier update id of the symbol
 *   a guessed time is moved before known times of later update ids
 *   within one stream (symbol × kind) both never go back, in recorded order
 *   a gap that begins with its event comes after all that was recorded of the symbol's book before it
 */
import { OrderWindow, NO_GROUP } from './order-window.ts';
import {
  CHUNK_ROWS,
  FLAG_NO_EXCHANGE_TIME,
  FLAG_YES,
  KIND_DEPTH,
  KIND_GAP,
  KIND_QUOTE,
  type TapeChunk,
} from '../tape/tape-chunk.ts';

/** Default base latency. */
export const BASE_LATENCY_US = 1000;

export interface TimingOptions {
  readonly clockShiftUs: number;
  readonly baseLatencyUs: number;
  readonly symbols: number;
  /** Takes a chunk with complete times. */
  chunk(index: number, chunk: TapeChunk): void;
  /** Valid during the call. */
  exchangeOrder(addresses: Uint32Array): void;
  receiveOrder(addresses: Uint32Array): void;
}

const STREAMS = 16;
const SNAPSHOT_STREAM = 8;

export class Timing {
  readonly #options: TimingOptions;
  readonly #exchange = new OrderWindow();
  readonly #receive = new OrderWindow();
  readonly #streamExchangeUs: Float64Array;
  readonly #streamReceiveUs: Float64Array;
  readonly #streamId: Float64Array;
  /** Only ids of one epoch compare. */
  readonly #epoch: Int32Array;
  #previous: TapeChunk | null = null;
  #index = 0;
  #lastUs = Number.NaN;
  #firstUs = Number.NaN;

  constructor(options: TimingOptions) {
    this.#options = options;
    const streams = options.symbols * STREAMS;
    this.#streamExchangeUs = new Float64Array(streams).fill(-Infinity);
    this.#streamReceiveUs = new Float64Array(streams).fill(-Infinity);
    this.#streamId = new Float64Array(streams);
    this.#epoch = new Int32Array(options.symbols);
  }

  get firstUs(): number {
    return this.#firstUs;
  }

  get lastUs(): number {
    return this.#lastUs;
  }

  get late(): number {
    return this.#exchange.late + this.#receive.late;
  }

  /** Rewrites the chunk's time columns. */
  add(chunk: TapeChunk): void {
    const base = this.#index * CHUNK_ROWS;
    for (let row = 0; row < chunk.rows; row++) this.#row(chunk, row, base + row);
    this.#exchange.lift();
    this.#write(chunk);
    if (this.#previous !== null) this.#options.chunk(this.#index - 1, this.#previous);
    this.#exchange.settle(base);
    this.#receive.settle(base);
    this.#emit(CHUNK_ROWS);
    this.#previous = chunk;
    this.#index++;
  }

  finish(): void {
    if (this.#previous !== null) this.#options.chunk(this.#index - 1, this.#previous);
    this.#previous = null;
    this.#emit(0);
  }

  #row(chunk: TapeChunk, row: number, address: number): void {
    const { clockShiftUs, baseLatencyUs } = this.#options;
    const kind = chunk.kinds[row]!;
    const symbol = chunk.symbols[row]!;
    const yes = (chunk.flags[row]! & FLAG_YES) !== 0;
    const snapshot = kind === KIND_DEPTH && yes;
    const rawExchange = chunk.exchangeUs[row]!;
    const rawReceive = chunk.receiveUs[row]!;
    let receive = Number.isNaN(rawReceive) ? rawExchange + baseLatencyUs : rawReceive + clockShiftUs;
    let exchange = Number.isNaN(rawExchange) ? receive - baseLatencyUs : rawExchange;
    if (kind === KIND_GAP) {
      const at = chunk.valueAt[row]! + 1;
      if (yes && chunk.values[at] === rawReceive) {
        // Nearer data would wrongly confirm the book behind the gap.
        receive = Math.max(receive, bookUs(this.#streamReceiveUs, symbol));
        exchange = Math.max(exchange, bookUs(this.#streamExchangeUs, symbol));
      }
      chunk.values[at] = chunk.values[at]! + clockShiftUs;
    }
    const stream = symbol * STREAMS + kind + (snapshot ? SNAPSHOT_STREAM : 0);
    receive = Math.max(receive, this.#streamReceiveUs[stream]!);
    this.#streamReceiveUs[stream] = receive;
    exchange = Math.max(exchange, this.#streamExchangeUs[stream]!);
    const untimed = (chunk.flags[row]! & FLAG_NO_EXCHANGE_TIME) !== 0;
    const id = idOf(chunk, row, kind);
    // Ordered by its id.
    if (!untimed || (!snapshot && id === 0)) this.#streamExchangeUs[stream] = exchange;
    const group = id > 0 ? this.#groupOf(symbol, stream, id, snapshot) : NO_GROUP;
    this.#exchange.add(address, exchange, group, id, snapshot, untimed);
    this.#receive.add(address, receive);
  }

  #groupOf(symbol: number, stream: number, id: number, snapshot: boolean): number {
    if (!snapshot) {
      if (id < this.#streamId[stream]!) this.#epoch[symbol] = this.#epoch[symbol]! + 1;
      this.#streamId[stream] = id;
    }
    return this.#epoch[symbol]! * this.#options.symbols + symbol;
  }

  /** Times not yet final, of two chunks. */
  #write(chunk: TapeChunk): void {
    const base = this.#index * CHUNK_ROWS;
    this.#exchange.store(base, chunk.exchangeUs);
    this.#receive.store(base, chunk.receiveUs);
    if (this.#previous === null) return;
    this.#exchange.store(base - CHUNK_ROWS, this.#previous.exchangeUs);
    this.#receive.store(base - CHUNK_ROWS, this.#previous.receiveUs);
  }

  #emit(keep: number): void {
    const exchange = this.#exchange.take(keep);
    if (exchange.addresses.length > 0) {
      if (Number.isNaN(this.#firstUs)) this.#firstUs = exchange.firstUs;
      this.#lastUs = exchange.lastUs;
      this.#options.exchangeOrder(exchange.addresses);
    }
    const receive = this.#receive.take(keep);
    if (receive.addresses.length > 0) this.#options.receiveOrder(receive.addresses);
  }
}

/** Latest time of the symbol's book data. */
function bookUs(streams: Float64Array, symbol: number): number {
  const first = symbol * STREAMS;
  const depthUs = Math.max(streams[first + KIND_DEPTH]!, streams[first + KIND_DEPTH + SNAPSHOT_STREAM]!);
  return Math.max(depthUs, streams[first + KIND_QUOTE]!);
}

function idOf(chunk: TapeChunk, row: number, kind: number): number {
  if (kind === KIND_DEPTH) return chunk.values[chunk.valueAt[row]! + 1]!;
  return kind === KIND_QUOTE ? chunk.values[chunk.valueAt[row]!]! : 0;
}
