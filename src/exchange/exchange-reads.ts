/** The reads of `client/operations/` over a client that sends nothing else. */
import type { Clock } from '../model/ports.ts';
import type { Exchange } from './exchange.ts';
import type { HttpClient } from './client/http.ts';
import { LoginSession } from './client/sockets/login-session.ts';
import { createMoneyOperations } from './client/money-operations.ts';
import { createAccountOperations } from './client/operations/account.ts';
import { createFuturesOperations } from './client/operations/futures.ts';
import { createMarketDataOperations } from './client/operations/market-data.ts';
import { createOrderOperations } from './client/operations/orders.ts';
import { fillReader, readingFills, type OwnTradeSide } from './own-trade-side.ts';

export type ExchangeReads = Pick<Exchange, 'marketData' | 'account' | 'orders' | 'futures' | 'money'>;

/** `http`: of `createReadingClient`, which chooses the lane. */
export function exchangeReads(http: HttpClient, clock: Clock, ownTradeSide: OwnTradeSide): ExchangeReads {
  const readFill = fillReader(ownTradeSide);
  return {
    marketData: createMarketDataOperations(http, clock),
    account: createAccountOperations(http, clock),
    orders: readingFills(createOrderOperations(http, clock, false), readFill),
    futures: readingFills(createFuturesOperations({ http, clock }, 'page'), readFill),
    money: createMoneyOperations(http, clock, new LoginSession(() => clock.now())),
  };
}
