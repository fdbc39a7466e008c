/**
 * Tape rows as market events: one reused object per kind, levels as views. Separate stores per kind avoid a megamorphic
 * one, three times as slow.
 */
import type { Instrument } from '../../model/market/instrument.ts';
import type {
  CandleEvent,
  DepthEvent,
  FundingEvent,
  GapEvent,
  LevelRows,
  MarkEvent,
  MarketEvent,
  QuoteEvent,
  TickerEvent,
  TradeEvent,
} from '../../model/market/market-event.ts';
import {
  FLAG_NUMBER_ID,
  FLAG_YES,
  KIND_CANDLE,
  KIND_DEPTH,
  KIND_FUNDING,
  KIND_GAP,
  KIND_MARK,
  KIND_QUOTE,
  KIND_TICKER,
  KIND_TRADE,
  type TapeChunk,
} from './tape-chunk.ts';

/** A further pass over the data (`--repeat`). */
export interface Repetition {
  readonly pass: number;
  readonly shiftUs: number;
  /** Less a withdrawn clock repair. */
  readonly receiveShiftUs: number;
  readonly shiftIds: number;
}

export const FIRST_PASS: Repetition = Object.freeze({ pass: 0, shiftUs: 0, receiveShiftUs: 0, shiftIds: 0 });

/** Its id becomes text on reading. The accessor is enumerable, for spread, and shared, for V8. */
class LazyTrade implements TradeEvent {
  readonly kind = 'trade';
  instrument: Instrument;
  exchangeUs = 0;
  receiveUs = 0;
  ticks = 0;
  lots = 0;
  takerBuys = false;
  declare tradeId: string;
  /** Added to ids in later passes. */
  readonly #suffix: string;
  #number = 0;
  #text: string | null = null;

  constructor(instrument: Instrument, pass: number) {
    this.instrument = instrument;
    this.#suffix = pass === 0 ? '' : `r${pass}`;
    Object.defineProperty(this, 'tradeId', TRADE_ID);
  }

  setId(number: number, text: string | null): void {
    this.#number = number;
    this.#text = text;
  }

  idText(): string {
    return `${this.#text ?? this.#number}${this.#suffix}`;
  }
}

const TRADE_ID: PropertyDescriptor = {
  enumerable: true,
  get(this: LazyTrade): string {
    return this.idText();
  },
};

export class ChunkEvents {
  /** By the tape's symbol index. */
  readonly #instruments: readonly Instrument[];
  readonly #shiftUs: number;
  readonly #receiveShiftUs: number;
  readonly #shiftIds: number;
  #chunk: TapeChunk;
  readonly #depth: DepthEvent;
  readonly #trade: LazyTrade;
  readonly #quote: QuoteEvent;
  readonly #candle: CandleEvent;
  readonly #ticker: TickerEvent;
  readonly #mark: MarkEvent;
  readonly #funding: FundingEvent;
  readonly #gap: GapEvent;

  constructor(instruments: readonly Instrument[], chunk: TapeChunk, repetition: Repetition) {
    const instrument = instruments[0];
    if (instrument === undefined) throw new RangeError('a tape without instruments has no events');
    this.#instruments = instruments;
    this.#shiftUs = repetition.shiftUs;
    this.#receiveShiftUs = repetition.receiveShiftUs;
    this.#shiftIds = repetition.shiftIds;
    this.#chunk = chunk;
    const base = { instrument, exchangeUs: 0, receiveUs: 0 };
    const ids = { firstId: 0, lastId: 0, previousId: 0 };
    this.#depth = { kind: 'depth', ...base, snapshot: false, ...ids, levels: levelsOf(chunk) };
    this.#trade = new LazyTrade(instrument, repetition.pass);
    this.#quote = { kind: 'quote', ...base, updateId: 0, bidTicks: 0, bidLots: 0, askTicks: 0, askLots: 0 };
    const bar = { open: 0, high: 0, low: 0, volume: 0 };
    this.#candle = { kind: 'candle', ...base, intervalMs: 0, openTime: 0, ...bar, close: 0, closed: true };
    this.#ticker = { kind: 'ticker', ...base, last: 0, bid: 0, ask: 0, ...bar, quoteVolume: 0 };
    this.#mark = { kind: 'mark', ...base, markPrice: 0, indexPrice: 0 };
    this.#funding = { kind: 'funding', ...base, rate: '', nextFundingTime: 0 };
    this.#gap = { kind: 'gap', ...base, reason: '', fromUs: 0, open: false };
  }

  setChunk(chunk: TapeChunk): void {
    if (chunk === this.#chunk) return;
    this.#chunk = chunk;
    this.#depth.levels = levelsOf(chunk);
  }

  at(row: number): MarketEvent {
    const chunk = this.#chunk;
    const at = chunk.valueAt[row]!;
    switch (chunk.kinds[row]) {
      case KIND_DEPTH:
        return this.#fillDepth(chunk, row, at);
      case KIND_TRADE:
        return this.#fillTrade(chunk, row, at);
      case KIND_QUOTE:
        return this.#fillQuote(chunk, row, at);
      case KIND_CANDLE:
        return this.#fillCandle(chunk, row, at);
      case KIND_TICKER:
        return this.#fillTicker(chunk, row, at);
      case KIND_MARK:
        return this.#fillMark(chunk, row, at);
      case KIND_FUNDING:
        return this.#fillFunding(chunk, row, at);
      case KIND_GAP:
        return this.#fillGap(chunk, row, at);
      default:
        throw new RangeError(`unknown kind ${chunk.kinds[row]} on the tape`);
    }
  }

  #fillDepth(chunk: TapeChunk, row: number, at: number): DepthEvent {
    const event = this.#depth;
    event.instrument = this.#instruments[chunk.symbols[row]!]!;
    event.exchangeUs = chunk.exchangeUs[row]! + this.#shiftUs;
    event.receiveUs = chunk.receiveUs[row]! + this.#receiveShiftUs;
    const shift = this.#shiftIds;
    const firstId = chunk.values[at]!;
    const lastId = chunk.values[at + 1]!;
    const previousId = chunk.values[at + 2]!;
    event.firstId = firstId === 0 ? 0 : firstId + shift;
    event.lastId = lastId === 0 ? 0 : lastId + shift;
    event.previousId = previousId === 0 ? 0 : previousId + shift;
    event.snapshot = (chunk.flags[row]! & FLAG_YES) !== 0;
    event.levels.from = chunk.levelAt[row]!;
    event.levels.to = chunk.levelAt[row + 1]!;
    return event;
  }

  #fillTrade(chunk: TapeChunk, row: number, at: number): MarketEvent {
    const event = this.#trade;
    event.instrument = this.#instruments[chunk.symbols[row]!]!;
    event.exchangeUs = chunk.exchangeUs[row]! + this.#shiftUs;
    event.receiveUs = chunk.receiveUs[row]! + this.#receiveShiftUs;
    const flags = chunk.flags[row]!;
    event.ticks = chunk.values[at]!;
    event.lots = chunk.values[at + 1]!;
    event.takerBuys = (flags & FLAG_YES) !== 0;
    const id = chunk.values[at + 2]!;
    event.setId(id, (flags & FLAG_NUMBER_ID) === 0 ? (chunk.strings[id] ?? '') : null);
    return event;
  }

  #fillQuote(chunk: TapeChunk, row: number, at: number): QuoteEvent {
    const event = this.#quote;
    event.instrument = this.#instruments[chunk.symbols[row]!]!;
    event.exchangeUs = chunk.exchangeUs[row]! + this.#shiftUs;
    event.receiveUs = chunk.receiveUs[row]! + this.#receiveShiftUs;
    const { values } = chunk;
    const id = values[at]!;
    event.updateId = id === 0 ? 0 : id + this.#shiftIds;
    event.bidTicks = values[at + 1]!;
    event.bidLots = values[at + 2]!;
    event.askTicks = values[at + 3]!;
    event.askLots = values[at + 4]!;
    return event;
  }

  #fillCandle(chunk: TapeChunk, row: number, at: number): CandleEvent {
    const event = this.#candle;
    event.instrument = this.#instruments[chunk.symbols[row]!]!;
    event.exchangeUs = chunk.exchangeUs[row]! + this.#shiftUs;
    event.receiveUs = chunk.receiveUs[row]! + this.#receiveShiftUs;
    const { values } = chunk;
    event.intervalMs = values[at]!;
    event.openTime = values[at + 1]! + this.#shiftUs / 1000;
    event.open = values[at + 2]!;
    event.high = values[at + 3]!;
    event.low = values[at + 4]!;
    event.close = values[at + 5]!;
    event.volume = values[at + 6]!;
    event.closed = (chunk.flags[row]! & FLAG_YES) !== 0;
    return event;
  }

  #fillTicker(chunk: TapeChunk, row: number, at: number): TickerEvent {
    const event = this.#ticker;
    event.instrument = this.#instruments[chunk.symbols[row]!]!;
    event.exchangeUs = chunk.exchangeUs[row]! + this.#shiftUs;
    event.receiveUs = chunk.receiveUs[row]! + this.#receiveShiftUs;
    const { values } = chunk;
    event.last = values[at]!;
    event.bid = values[at + 1]!;
    event.ask = values[at + 2]!;
    event.open = values[at + 3]!;
    event.high = values[at + 4]!;
    event.low = values[at + 5]!;
    event.volume = values[at + 6]!;
    event.quoteVolume = values[at + 7]!;
    return event;
  }

  #fillMark(chunk: TapeChunk, row: number, at: number): MarkEvent {
    const event = this.#mark;
    event.instrument = this.#instruments[chunk.symbols[row]!]!;
    event.exchangeUs = chunk.exchangeUs[row]! + this.#shiftUs;
    event.receiveUs = chunk.receiveUs[row]! + this.#receiveShiftUs;
    event.markPrice = chunk.values[at]!;
    event.indexPrice = chunk.values[at + 1]!;
    return event;
  }

  #fillFunding(chunk: TapeChunk, row: number, at: number): FundingEvent {
    const event = this.#funding;
    event.instrument = this.#instruments[chunk.symbols[row]!]!;
    event.exchangeUs = chunk.exchangeUs[row]! + this.#shiftUs;
    event.receiveUs = chunk.receiveUs[row]! + this.#receiveShiftUs;
    const next = chunk.values[at + 1]!;
    event.rate = chunk.strings[chunk.values[at]!] ?? '';
    event.nextFundingTime = next === 0 ? 0 : next + this.#shiftUs / 1000;
    return event;
  }

  #fillGap(chunk: TapeChunk, row: number, at: number): GapEvent {
    const event = this.#gap;
    event.instrument = this.#instruments[chunk.symbols[row]!]!;
    event.exchangeUs = chunk.exchangeUs[row]! + this.#shiftUs;
    event.receiveUs = chunk.receiveUs[row]! + this.#receiveShiftUs;
    event.reason = chunk.strings[chunk.values[at]!] ?? '';
    event.fromUs = chunk.values[at + 1]! + this.#shiftUs;
    event.open = (chunk.flags[row]! & FLAG_YES) !== 0;
    return event;
  }
}

function levelsOf(chunk: TapeChunk): LevelRows {
  return { sides: chunk.sides, ticks: chunk.ticks, lots: chunk.lots, from: 0, to: 0 };
}
