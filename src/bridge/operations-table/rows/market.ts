/** Markets: public, no key. */
import { z } from 'zod';
import { candleIntervalsMs, type CandleInterval } from '../../../exchange/wire/market/market-data.ts';
import { readSnapshot } from '../market-snapshot.ts';
import { readAll, readOne, type OperationRow } from '../operation-row.ts';
import {
  candle,
  fundingRates,
  instrument,
  markPrices,
  riskTier,
  serverTime,
  snapshot,
  ticker,
} from '../outputs/market.ts';
import { most, none, period, symbol } from '../parameters.ts';

const ofSymbol = z.strictObject({ symbol });
const intervals = Object.keys(candleIntervalsMs) as CandleInterval[];

export const marketRows: readonly OperationRow[] = [
  readOne({
    name: 'market.time',
    about: 'The time of the exchange',
    endpoints: ['time'],
    command: 'spot time',
    params: none,
    item: serverTime,
    run: async ({ marketData }) => {
      const answer = await marketData.serverTime();
      return answer.kind === 'failed' ? answer : { kind: 'value', value: { serverTime: answer.value } };
    },
  }),
  readAll({
    name: 'market.ticker',
    about: 'Last price, best prices and the last 24 hours, of a symbol or of all',
    endpoints: ['ticker'],
    command: 'spot ticker',
    params: z.strictObject({ symbol: symbol.optional() }),
    item: ticker,
    run: async ({ marketData }, { symbol: wanted }) => {
      if (wanted === undefined) return marketData.tickers();
      const answer = await marketData.ticker(wanted);
      return answer.kind === 'failed' ? answer : { kind: 'value', value: [answer.value] };
    },
  }),
  readOne({
    name: 'market.book',
    about: 'The order book, asked for once; a session has a live one',
    endpoints: ['orderBook', 'spotInstruments', 'derivativeInstruments'],
    command: 'spot book',
    params: z.strictObject({ symbol, limit: most(200).default(20).describe('Levels a side') }),
    item: snapshot,
    run: (reads, { symbol: wanted, limit }) => readSnapshot(reads, wanted, limit),
  }),
  readAll({
    name: 'market.candles',
    about: 'Candles of a symbol',
    endpoints: ['candles'],
    command: 'spot candles',
    params: z.strictObject({
      symbol,
      interval: z.enum(intervals).default('1m'),
      ...period,
      limit: most(1_000).default(100),
    }),
    item: candle,
    run: ({ marketData }, { from, to, ...wanted }) =>
      marketData.candles({ ...wanted, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }),
  }),
  readAll({
    name: 'spot.instruments',
    about: 'Spot pairs: steps, least and most of an order, state',
    endpoints: ['spotInstruments'],
    command: 'spot instruments',
    params: none,
    item: instrument,
    run: ({ marketData }) => marketData.spotInstruments(),
  }),
  readAll({
    name: 'futures.instruments',
    about: 'Perpetuals: steps, least and most of an order, leverage, state',
    endpoints: ['derivativeInstruments'],
    command: 'futures instruments',
    params: none,
    item: instrument,
    run: ({ marketData }) => marketData.derivativeInstruments(),
  }),
  readAll({
    name: 'futures.tiers',
    about: 'Leverage and maintenance margin by size of a position',
    endpoints: ['riskTiers'],
    command: 'futures tiers',
    params: ofSymbol,
    item: riskTier,
    run: ({ futures }, { symbol: wanted }) => futures.riskTiers(wanted),
  }),
  readOne({
    name: 'futures.funding',
    about: 'The funding rate of a perpetual and its last settlements',
    endpoints: ['fundingRate'],
    command: 'futures funding',
    params: ofSymbol.extend({ limit: most(1_000).default(10).describe('Settlements') }),
    item: fundingRates,
    run: ({ futures }, { symbol: wanted, limit }) => futures.fundingRate(wanted, limit),
  }),
  readOne({
    name: 'futures.mark',
    about: 'Mark and index price of a perpetual',
    endpoints: ['markPrice'],
    command: 'futures mark',
    params: ofSymbol,
    item: markPrices,
    run: ({ futures }, { symbol: wanted }) => futures.markPrice(wanted),
  }),
];
