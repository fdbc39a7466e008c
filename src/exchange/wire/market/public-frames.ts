/** Public pushes to market events. Off-grid values fail and are never rounded. */
import type { Instrument, Instruments } from '../../../model/market/instrument.ts';
import type {
  CandleEvent,
  DepthEvent,
  MarketEvent,
  TickerEvent,
  TradeEvent,
} from '../../../model/market/market-event.ts';
import { US_PER_MS, usOf } from '../../../model/time.ts';
import type { ChannelFrame } from '../../client/sockets/channel-source.ts';
import { createChannelTable, type ChannelKind, type ChannelTable } from '../../interface/channels.ts';
import { decodeBy, decodeFailure, isRecord, rowsIn, type DecodeFailure } from '../decoded.ts';
import { readDepth, readLevels, type LevelScratch } from './depth.ts';
import { candleSchema, candleIntervalsMs, tickerSchema } from './market-data.ts';
import { readSequence } from '../socket-messages.ts';
import { readTime } from '../scalars.ts';
import { readTrade } from './trades.ts';
import { unwrapped } from '../body.ts';

export type PublicFrame =
  | {
      readonly kind: 'events';
      readonly channel: ChannelKind;
      readonly instrument: Instrument;
      readonly events: readonly MarketEvent[];
    }
  /** A private channel, or no market event (volume ratio). */
  | { readonly kind: 'ignored' }
  | DecodeFailure;

export interface PublicFrameOptions {
  readonly channels?: ChannelTable;
  /** Added to the local receive time. */
  readonly clockShiftUs?: number;
  /** Levels are valid until its next use. */
  readonly scratch?: LevelScratch;
}

const plainChannels = createChannelTable();

interface Stamp {
  readonly exchangeUs: number;
  readonly receiveUs: number;
}

function depthEvent(
  frame: ChannelFrame,
  instrument: Instrument,
  stamp: Stamp,
  scratch: LevelScratch | undefined,
): DepthEvent | DecodeFailure {
  const depth = readDepth(frame.channel, frame.data, instrument, scratch);
  if (depth.kind === 'failure') return depth;
  const seq = frame.seq ?? 0;
  return {
    kind: 'depth',
    instrument,
    ...stamp,
    snapshot: depth.value.snapshot,
    firstId: seq,
    lastId: seq,
    previousId: 0,
    levels: depth.value.levels,
  };
}

function tradeEvents(frame: ChannelFrame, instrument: Instrument, stamp: Stamp): TradeEvent[] | DecodeFailure {
  const rows = rowsIn(frame.data);
  const events: TradeEvent[] = [];
  for (let index = 0; index < rows.length; index++) {
    const trade = readTrade(frame.channel, rows[index], instrument);
    if (trade.kind === 'failure') return { ...trade, field: `${index}.${trade.field}` };
    const { tradeId, ticks, lots, takerBuys, ts } = trade.value;
    const exchangeUs = usOf(ts);
    events.push({ kind: 'trade', instrument, exchangeUs, receiveUs: stamp.receiveUs, tradeId, ticks, lots, takerBuys });
  }
  return events;
}

function candleEvents(frame: ChannelFrame, instrument: Instrument, stamp: Stamp): CandleEvent[] | DecodeFailure {
  const rows = rowsIn(frame.data);
  const events: CandleEvent[] = [];
  for (const row of rows) {
    const candle = decodeBy(candleSchema, frame.channel, row);
    if (candle.kind === 'failure') return candle;
    events.push({ kind: 'candle', instrument, ...stamp, intervalMs: candleIntervalsMs['1m'], ...candle.value });
  }
  return events;
}

function tickerEvent(frame: ChannelFrame, instrument: Instrument, stamp: Stamp): TickerEvent | DecodeFailure {
  const ticker = decodeBy(tickerSchema, frame.channel, frame.data);
  if (ticker.kind === 'failure') return ticker;
  const { ts, symbol: _symbol, ...values } = ticker.value;
  return { kind: 'ticker', instrument, exchangeUs: usOf(ts), receiveUs: stamp.receiveUs, ...values };
}

function eventsOf(
  kind: ChannelKind,
  frame: ChannelFrame,
  instrument: Instrument,
  stamp: Stamp,
  scratch: LevelScratch | undefined,
): MarketEvent | readonly MarketEvent[] | DecodeFailure | null {
  switch (kind) {
    case 'depth':
      return depthEvent(frame, instrument, stamp, scratch);
    case 'trades':
      return tradeEvents(frame, instrument, stamp);
    case 'candles':
      return candleEvents(frame, instrument, stamp);
    case 'ticker':
      return tickerEvent(frame, instrument, stamp);
    default:
      return null;
  }
}

/** All events of a frame or none. Depth ids follow rule `seq`: firstId = lastId = `seq`, 0 when absent. */
export function decodePublicFrame(
  frame: ChannelFrame,
  instruments: Instruments,
  options: PublicFrameOptions = {},
): PublicFrame {
  const parsed = (options.channels ?? plainChannels).parse(frame.channel);
  if (parsed === undefined) return decodeFailure(frame.channel, '', 'no such channel', frame.channel);
  if (parsed.row.access === 'private' || parsed.symbol === null) return { kind: 'ignored' };
  const instrument = instruments.find(parsed.symbol);
  if (instrument === undefined) return decodeFailure(frame.channel, '', 'unknown symbol', parsed.symbol);
  const receiveUs = frame.receiveUs + (options.clockShiftUs ?? 0);
  const exchangeUs = frame.ts === null ? receiveUs : Math.round(frame.ts * US_PER_MS);
  const result = eventsOf(parsed.kind, frame, instrument, { exchangeUs, receiveUs }, options.scratch);
  if (result === null) return { kind: 'ignored' };
  if ('kind' in result && result.kind === 'failure') return result;
  const events = 'kind' in result ? [result] : result;
  return { kind: 'events', channel: parsed.kind, instrument, events };
}

/** Snapshot event of rule `seq`. `json`: parsed body. */
export function decodeOrderBook(json: unknown, instrument: Instrument, receiveUs: number): DepthEvent | DecodeFailure {
  const source = 'orderBook';
  const body = unwrapped(json);
  if (!isRecord(body)) return decodeFailure(source, '', 'expected an object', body);
  if (body['symbol'] !== instrument.symbol) {
    return decodeFailure(source, 'symbol', `expected ${instrument.symbol}`, body['symbol']);
  }
  const seq = readSequence(body['seq']);
  if (seq === undefined) return decodeFailure(source, 'seq', 'expected a sequence number', body['seq']);
  const ts = readTime(body['ts']);
  if (ts === undefined) return decodeFailure(source, 'ts', 'expected a time', body['ts']);
  const levels = readLevels(source, body, instrument);
  if (levels.kind === 'failure') return levels;
  const lastId = seq ?? 0;
  const common = { kind: 'depth', instrument, exchangeUs: usOf(ts), receiveUs, snapshot: true } as const;
  return { ...common, firstId: lastId, lastId, previousId: 0, levels: levels.value };
}
