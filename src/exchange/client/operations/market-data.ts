/** Public market data. */
import type { Instrument, InstrumentSpec } from '../../../model/market/instrument.ts';
import type { DepthEvent } from '../../../model/market/market-event.ts';
import type { Clock } from '../../../model/ports.ts';
import type { Ticker } from '../../../model/market/views.ts';
import { timeSchema } from '../../wire/account.ts';
import { decoded } from '../../wire/decoded.ts';
import { derivativeInstrumentSchema, spotInstrumentSchema } from '../../wire/market/instruments.ts';
import { candleSchema, tickerSchema, type CandleInterval, type CandleRow } from '../../wire/market/market-data.ts';
import { decodeOrderBook } from '../../wire/market/public-frames.ts';
import type { ClockSample } from '../clock-offset.ts';
import type { HttpClient } from '../http.ts';
import { readBy, readList, readObject, type Answer } from './answer.ts';

export interface CandleRequest {
  readonly symbol: string;
  readonly interval: CandleInterval;
  /** Unix ms, inclusive. */
  readonly from?: number;
  readonly to?: number;
  readonly limit?: number;
}

export interface MarketDataOperations {
  /** Unix ms. */
  serverTime(): Promise<Answer<number>>;
  clockSample(): Promise<ClockSample | null>;
  spotInstruments(): Promise<Answer<readonly InstrumentSpec[]>>;
  derivativeInstruments(): Promise<Answer<readonly InstrumentSpec[]>>;
  tickers(): Promise<Answer<readonly Ticker[]>>;
  ticker(symbol: string): Promise<Answer<Ticker>>;
  /** Snapshot event of rule `seq`; `limit` levels per side. */
  orderBook(instrument: Instrument, limit?: number): Promise<Answer<DepthEvent>>;
  candles(request: CandleRequest): Promise<Answer<readonly CandleRow[]>>;
}

export function createMarketDataOperations(http: HttpClient, clock: Clock): MarketDataOperations {
  const lane = 'public';
  const serverTime = async (): Promise<Answer<number>> => {
    const answer = await readObject(http, { endpoint: 'time', lane }, timeSchema);
    return answer.kind === 'failed' ? answer : decoded(answer.value.serverTime);
  };
  const clockSample = async (): Promise<ClockSample | null> => {
    let sentAt = clock.now();
    const onDispatch = (): 'go' => {
      sentAt = clock.now();
      return 'go';
    };
    const answer = await readObject(http, { endpoint: 'time', lane, onDispatch }, timeSchema);
    if (answer.kind === 'failed') return null;
    return { sentAt, receivedAt: clock.now(), serverTime: answer.value.serverTime, resolutionMs: 0.5 };
  };
  return Object.freeze({
    serverTime,
    clockSample,
    spotInstruments: () => readList(http, { endpoint: 'spotInstruments', lane }, spotInstrumentSchema),
    derivativeInstruments: () =>
      readList(http, { endpoint: 'derivativeInstruments', lane }, derivativeInstrumentSchema),
    tickers: () => readList(http, { endpoint: 'ticker', lane }, tickerSchema),
    ticker: (symbol: string) =>
      readObject(http, { endpoint: 'ticker', lane, query: { symbol } }, tickerSchema, { symbol }),
    orderBook: (instrument: Instrument, limit?: number) =>
      readBy(http, { endpoint: 'orderBook', lane, query: { symbol: instrument.symbol, limit } }, (json) => {
        const event = decodeOrderBook(json, instrument, clock.nowUs());
        return event.kind === 'failure' ? event : decoded(event);
      }),
    candles: (request: CandleRequest) =>
      readList(http, { endpoint: 'candles', lane, query: { ...request } }, candleSchema),
  });
}
