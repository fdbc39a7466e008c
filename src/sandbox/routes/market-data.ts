/** Public market data. */
import { candleIntervalsMs, type CandleInterval } from '../../exchange/wire/market/market-data.ts';
import type { SymbolMarket } from '../core/orders/order-record.ts';
import { instrumentBody } from '../core/market/instruments.ts';
import { bookBody, candleBody, tickerBody } from '../core/market/market-data.ts';
import { perpetualOf, type PerpetualData } from '../core/market/perpetuals.ts';
import { isRefusal, refuse, type Refusal } from '../core/refusal.ts';
import { answer, ok, type PublicHandler, type PublicRoutes, type RouteRequest } from './route.ts';
import type { Market } from '../../model/market/instrument.ts';

const LEVELS_DEFAULT = 100;
const LEVELS_MAX = 5000;
const CANDLES_DEFAULT = 100;
const CANDLES_MAX = 1000;
const FUNDING_DEFAULT = 100;
const intervals = Object.keys(candleIntervalsMs) as CandleInterval[];

function marketOf({ query, exchange }: RouteRequest): SymbolMarket | Refusal {
  const symbol = query.text('symbol');
  return exchange.markets.get(symbol) ?? refuse('unknown_symbol', `there is no instrument ${symbol}`, 'symbol');
}

function wantedPerpetual({ query, exchange }: RouteRequest): PerpetualData | Refusal {
  return perpetualOf(exchange.futures.perpetuals, query.text('symbol'));
}

function instruments(kind: Market): PublicHandler {
  return ({ exchange }) => {
    const markets = [...exchange.markets.values()].filter((market) => market.instrument.market === kind);
    return ok(markets.map((market) => instrumentBody(market.instrument, market.halted)));
  };
}

export const marketDataRoutes: PublicRoutes = {
  time: ({ now }) => ok({ serverTime: now }),
  spotInstruments: instruments('spot'),
  derivativeInstruments: instruments('derivative'),

  ticker: (request) => {
    if (!request.query.has('symbol')) {
      return ok([...request.exchange.markets.values()].map((market) => tickerBody(market, request.now)));
    }
    return answer(marketOf(request), (market) => tickerBody(market, request.now));
  },

  orderBook: (request) => {
    const market = marketOf(request);
    if (isRefusal(market)) return market;
    const limit = Math.min(LEVELS_MAX, request.query.optionalInteger('limit', 1, 1_000_000) ?? LEVELS_DEFAULT);
    return ok(bookBody(market, request.shell.depthSeq(market.instrument.symbol), request.now, limit));
  },

  candles: (request) => {
    const market = marketOf(request);
    if (isRefusal(market)) return market;
    const { query, now } = request;
    const intervalMs = candleIntervalsMs[query.optionalOneOf('interval', intervals) ?? '1m'];
    const from = query.optionalInteger('from', 0, Number.MAX_SAFE_INTEGER) ?? 0;
    const to = query.optionalInteger('to', 0, Number.MAX_SAFE_INTEGER) ?? now;
    const limit = Math.min(CANDLES_MAX, query.optionalInteger('limit', 1, 1_000_000) ?? CANDLES_DEFAULT);
    const candles = market.candles.list(intervalMs, from, to, limit);
    return ok(candles.map((candle) => candleBody(market.instrument, candle, intervalMs, now)));
  },

  riskTiers: (request) => answer(wantedPerpetual(request), ({ tiers }) => tiers.rows),

  fundingRate: (request) =>
    answer(wantedPerpetual(request), (perpetual) => ({
      symbol: perpetual.instrument.symbol,
      rate: perpetual.fundingRate,
      nextFundingTime: perpetual.nextFundingTime,
      history: perpetual.history(request.query.optionalInteger('limit', 1, 1000) ?? FUNDING_DEFAULT),
    })),

  markPrice: (request) =>
    answer(wantedPerpetual(request), ({ instrument: { symbol }, markPrice, indexPrice }) => ({
      symbol,
      markPrice,
      indexPrice,
      ts: request.now,
    })),
};
