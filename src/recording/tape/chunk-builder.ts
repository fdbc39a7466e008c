/** Copies events into chunk columns. Missing times are `NaN` until `compile.ts` completes them. */
import type { DepthEvent, MarketEvent, TradeEvent } from '../../model/market/market-event.ts';
import {
  CHUNK_LEVELS,
  CHUNK_ROWS,
  chunkBytes,
  type ChunkSize,
  FLAG_NO_EXCHANGE_TIME,
  FLAG_NUMBER_ID,
  FLAG_YES,
  KINDS,
  viewChunk,
} from './tape-chunk.ts';

const KIND_CODES = new Map(KINDS.map((kind, code) => [kind, code]));

export interface BuiltChunk {
  readonly size: ChunkSize;
  readonly bytes: Uint8Array;
}

export class ChunkBuilder {
  readonly #symbolIndex: ReadonlyMap<string, number>;
  readonly #exchangeUs = new Float64Array(CHUNK_ROWS);
  readonly #receiveUs = new Float64Array(CHUNK_ROWS);
  readonly #valueAt = new Uint32Array(CHUNK_ROWS);
  readonly #levelAt = new Uint32Array(CHUNK_ROWS + 1);
  readonly #symbols = new Uint16Array(CHUNK_ROWS);
  readonly #kinds = new Uint8Array(CHUNK_ROWS);
  readonly #flags = new Uint8Array(CHUNK_ROWS);
  readonly #values = new Float64Array(CHUNK_ROWS * 8);
  #ticks = new Float64Array(CHUNK_ROWS * 2);
  #lots = new Float64Array(CHUNK_ROWS * 2);
  #sides = new Uint8Array(CHUNK_ROWS * 2);
  #strings: string[] = [];
  #taken = new ArrayBuffer(0);
  #rows = 0;
  #valueCount = 0;
  #levels = 0;

  constructor(symbolIndex: ReadonlyMap<string, number>) {
    this.#symbolIndex = symbolIndex;
  }

  get rows(): number {
    return this.#rows;
  }

  get full(): boolean {
    return this.#rows === CHUNK_ROWS || this.#levels >= CHUNK_LEVELS;
  }

  /** @throws RangeError for an unknown symbol, or when full */
  add(event: MarketEvent): void {
    const row = this.#rows;
    const symbol = this.#symbolIndex.get(event.instrument.symbol);
    if (symbol === undefined) throw new RangeError(`no such symbol on this tape: ${event.instrument.symbol}`);
    if (row === CHUNK_ROWS) throw new RangeError('the chunk is full');
    this.#exchangeUs[row] = event.exchangeUs;
    this.#receiveUs[row] = event.receiveUs;
    this.#symbols[row] = symbol;
    this.#kinds[row] = KIND_CODES.get(event.kind) ?? 0;
    this.#valueAt[row] = this.#valueCount;
    this.#flags[row] = this.#write(event) | (Number.isNaN(event.exchangeUs) ? FLAG_NO_EXCHANGE_TIME : 0);
    this.#rows = row + 1;
    this.#levelAt[row + 1] = this.#levels;
  }

  /** Valid until the next call; empties the builder. */
  take(): BuiltChunk {
    const strings = Buffer.from(JSON.stringify(this.#strings), 'utf8');
    const size = { rows: this.#rows, values: this.#valueCount, levels: this.#levels, strings: strings.length };
    const needed = chunkBytes(size);
    if (needed > this.#taken.byteLength) this.#taken = new ArrayBuffer(needed);
    const chunk = viewChunk(this.#taken, size, false);
    chunk.bytes.fill(0, needed - 8);
    chunk.exchangeUs.set(this.#exchangeUs.subarray(0, size.rows));
    chunk.receiveUs.set(this.#receiveUs.subarray(0, size.rows));
    chunk.values.set(this.#values.subarray(0, size.values));
    chunk.ticks.set(this.#ticks.subarray(0, size.levels));
    chunk.lots.set(this.#lots.subarray(0, size.levels));
    chunk.valueAt.set(this.#valueAt.subarray(0, size.rows));
    chunk.levelAt.set(this.#levelAt.subarray(0, size.rows + 1));
    chunk.symbols.set(this.#symbols.subarray(0, size.rows));
    chunk.kinds.set(this.#kinds.subarray(0, size.rows));
    chunk.flags.set(this.#flags.subarray(0, size.rows));
    chunk.sides.set(this.#sides.subarray(0, size.levels));
    chunk.bytes.set(strings, chunk.sides.byteOffset + size.levels);
    this.#strings = [];
    this.#rows = 0;
    this.#valueCount = 0;
    this.#levels = 0;
    return { size, bytes: chunk.bytes };
  }

  /** Returns the flags. */
  #write(event: MarketEvent): number {
    switch (event.kind) {
      case 'depth':
        return this.#depth(event);
      case 'trade':
        return this.#trade(event);
      case 'quote':
        this.#put(event.updateId, event.bidTicks, event.bidLots, event.askTicks, event.askLots);
        return 0;
      case 'candle':
        this.#put(event.intervalMs, event.openTime, event.open, event.high, event.low, event.close, event.volume);
        return event.closed ? FLAG_YES : 0;
      case 'ticker':
        this.#put(event.last, event.bid, event.ask, event.open, event.high, event.low, event.volume, event.quoteVolume);
        return 0;
      case 'mark':
        this.#put(event.markPrice, event.indexPrice);
        return 0;
      case 'funding':
        this.#put(this.#strings.push(event.rate) - 1, event.nextFundingTime);
        return 0;
      case 'gap':
        this.#put(this.#strings.push(event.reason) - 1, event.fromUs);
        return event.open ? FLAG_YES : 0;
    }
  }

  #depth(event: DepthEvent): number {
    const { sides, ticks, lots, from, to } = event.levels;
    this.#reserveLevels(to - from);
    let at = this.#levels;
    for (let row = from; row < to; row++) {
      this.#sides[at] = sides[row]!;
      this.#ticks[at] = ticks[row]!;
      this.#lots[at] = lots[row]!;
      at++;
    }
    this.#levels = at;
    this.#put(event.firstId, event.lastId, event.previousId);
    return event.snapshot ? FLAG_YES : 0;
  }

  #trade(event: TradeEvent): number {
    const id = Number(event.tradeId);
    const numeric = Number.isSafeInteger(id) && id >= 0 && String(id) === event.tradeId;
    this.#put(event.ticks, event.lots, numeric ? id : this.#strings.push(event.tradeId) - 1);
    return (event.takerBuys ? FLAG_YES : 0) | (numeric ? FLAG_NUMBER_ID : 0);
  }

  #put(...values: readonly number[]): void {
    for (const value of values) this.#values[this.#valueCount++] = value;
  }

  #reserveLevels(extra: number): void {
    const needed = this.#levels + extra;
    if (needed <= this.#sides.length) return;
    const length = Math.max(needed, this.#sides.length * 2);
    const grow = (column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
      const grown = new Float64Array(length);
      grown.set(column);
      return grown;
    };
    this.#ticks = grow(this.#ticks);
    this.#lots = grow(this.#lots);
    const sides = new Uint8Array(length);
    sides.set(this.#sides);
    this.#sides = sides;
  }
}
