/**
 * Public market data (interface, "Endpoints"; wire profile, "Assumed shapes").
 */
import type { SymbolMarket } from '../core/symbol-market.ts';
import { instrumentBody } from '../core/instruments.ts';
import { bookBody, candleBody, candleIntervals, tickerBody } from '../core/market-data.ts';
import type { PerpetualData } from '../core/perpetuals.ts';
import { isRefusal, refuse, type Refusal } from '../core/refusal.ts';
import { ok, type PublicRoutes, type RouteRequest } from './route.ts';
import type { Market } from '../../model/instrument.ts';

const LEVELS_DEFAULT = 100;
const LEVELS_MAX = 5000;
const CANDLES_DEFAULT = 100;
const CANDLES_MAX = 1000;
const FUNDING_DEFAULT = 100;

function marketOf({ query, shell }: RouteRequest): SymbolMarket | Refusal {
  const symbol = query.text('symbol');
  return shell.exchange.markets.get(symbol) ?? refuse('unknown_symbol', `there is no instrument ${symbol}`, 'symbol');
}

function perpetualOf({ query, shell }: RouteRequest): PerpetualData | Refusal {
  const symbol = query.text('symbol');
  return shell.exchange.perpetuals.get(symbol) ?? refuse('unknown_symbol', `there is no perpetual ${symbol}`, 'symbol');
}

function instruments(kind: Market): (request: RouteRequest) => ReturnType<typeof ok> {
  return ({ shell }) => {
    const markets = [...shell.exchange.markets.values()].filter((market) => market.instrument.market === kind);
    return ok(markets.map((market) => instrumentBody(market.instrument, market.halted)));
  };
}

export const marketDataRoutes: PublicRoutes = {
  time: ({ now }) => ok({ serverTime: now }),
  spotInstruments: instruments('spot'),
  derivativeInstruments: instruments('derivative'),

  ticker: (request) => {
    if (!request.query.has('symbol')) {
      return ok([...request.shell.exchange.markets.values()].map((market) => tickerBody(market, request.now)));
    }
    const market = marketOf(request);
    return isRefusal(market) ? market : ok(tickerBody(market, request.now));
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
    const interval = query.has('interval') ? query.oneOf('interval', Object.keys(candleIntervals)) : '1m';
    const intervalMs = candleIntervals[interval] ?? 0;
    const from = query.optionalInteger('from', 0, Number.MAX_SAFE_INTEGER) ?? 0;
    const to = query.optionalInteger('to', 0, Number.MAX_SAFE_INTEGER) ?? now;
    const limit = Math.min(CANDLES_MAX, query.optionalInteger('limit', 1, 1_000_000) ?? CANDLES_DEFAULT);
    const candles = market.candles.list(intervalMs, from, to, limit);
    return ok(candles.map((candle) => candleBody(market.instrument, candle, intervalMs, now)));
  },

  riskTiers: (request) => {
    const perpetual = perpetualOf(request);
    return isRefusal(perpetual) ? perpetual : ok(perpetual.tiers.rows);
  },

  fundingRate: (request) => {
    const perpetual = perpetualOf(request);
    if (isRefusal(perpetual)) return perpetual;
    const limit = request.query.optionalInteger('limit', 1, 1000) ?? FUNDING_DEFAULT;
    return ok({
      symbol: perpetual.market.instrument.symbol,
      rate: perpetual.fundingRate,
      nextFundingTime: perpetual.nextFundingTime,
      history: perpetual.history(limit),
    });
  },

  markPrice: (request) => {
    const perpetual = perpetualOf(request);
    if (isRefusal(perpetual)) return perpetual;
    const { markPrice, indexPrice } = perpetual;
    return ok({ symbol: perpetual.market.instrument.symbol, markPrice, indexPrice, ts: request.now });
  },
};
