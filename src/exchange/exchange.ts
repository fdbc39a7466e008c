/** Assembles everything that talks to the exchange, at resolved addresses. */
import type { Knobs } from '../model/knobs.ts';
import type { Clock, Gate, Logger, Random, SocketTransport } from '../model/ports.ts';
import type { Venue } from '../model/venue.ts';
import { ClockOffset } from './client/clock-offset.ts';
import type { Credentials } from './client/credentials.ts';
import { createHttpClient, type HttpClient } from './client/http.ts';
import { createHttpTransports, type HttpTransports } from './client/http-transport.ts';
import { createAccountOperations, type AccountOperations } from './client/operations/account.ts';
import { LoginSession } from './client/sockets/login-session.ts';
import { createMoneyOperations, type MoneyOperations } from './client/money-operations.ts';
import { createFuturesOperations, type FuturesOperations } from './client/operations/futures.ts';
import { createMarketDataOperations, type MarketDataOperations } from './client/operations/market-data.ts';
import { createOrderOperations, type OrderOperations } from './client/operations/orders.ts';
import { P2pSocket } from './client/sockets/p2p-socket.ts';
import { RequestBudget } from './client/request-budget.ts';
import { ExchangeSocket } from './client/sockets/socket.ts';
import { createLastGoodLookup } from './client/last-good-lookup.ts';
import { createWsTransport } from './client/sockets/socket-transport.ts';
import { createChannelTable, type ChannelTable } from './interface/channels.ts';
import { createEndpointTable, type EndpointTable } from './interface/endpoints.ts';
import type { MoneyWatchOptions } from './money-watch.ts';
import type { ExchangeOptions } from './options.ts';
import { fillReader, readingFills } from './own-trade-side.ts';
import type { TradedSymbol } from './private-stream.ts';
import { createExchangeVenue } from './venue.ts';

export interface ExchangeDeps {
  readonly options: ExchangeOptions;
  /** Null: no orders; without a login public data only. */
  readonly credentials: Credentials | null;
  readonly clock: Clock;
  /** Without exchange adjustment, for durations. */
  readonly steady?: Pick<Clock, 'now'>;
  /** Without it machine sleep looks like a clock step. */
  readonly wall?: () => number;
  readonly random: Random;
  readonly logger: Logger;
  readonly httpTransports?: HttpTransports;
  readonly socketTransport?: SocketTransport;
  readonly knobs?: Knobs;
}

export interface Exchange {
  readonly endpoints: EndpointTable;
  readonly channels: ChannelTable;
  readonly http: HttpClient;
  readonly budget: RequestBudget;
  readonly marketData: MarketDataOperations;
  readonly account: AccountOperations;
  readonly orders: OrderOperations;
  readonly futures: FuturesOperations;
  readonly money: MoneyOperations;
  readonly login: LoginSession;
  readonly clockOffset: ClockOffset;
  readonly gates: readonly Gate[];
  /** The caller starts and stops it. */
  publicSocket(): ExchangeSocket;
  /** Needs credentials. */
  privateSocket(): ExchangeSocket;
  /** Needs a login. */
  p2pSocket(onLoginNeeded?: (reason: string) => void): P2pSocket;
  venue(symbols: readonly TradedSymbol[], options?: VenueOptions): Venue;
  /** Not sockets. */
  close(): Promise<void>;
}

export interface VenueOptions {
  /** Absent: one of its own. Null: single commands, nothing is pushed. */
  readonly socket?: ExchangeSocket | null;
  /** Of money beside the trading account. */
  readonly watch?: MoneyWatchOptions;
  readonly p2pSocket?: P2pSocket | null;
}

function socketUrl(wsUrl: string): string {
  return `${wsUrl.replace(/\/+$/, '')}/websocket/exchange`;
}

/** Path and parameter name are assumed. */
function p2pSocketUrl({ wsUrl, overrides }: ExchangeOptions, token: string): string {
  const { path, tokenParameter } = overrides.p2pSocket ?? { path: '/websocket/p2p', tokenParameter: 'token' };
  return `${wsUrl.replace(/\/+$/, '')}${path}?${tokenParameter}=${encodeURIComponent(token)}`;
}

function keyGate(http: HttpClient): Gate {
  return Object.freeze({
    name: 'key',
    closedBecause: () =>
      http.keyRefused === null
        ? null
        : { reason: 'auth_failed' as const, message: `the exchange refuses the key: ${http.keyRefused}` },
  });
}

export function createExchange(deps: ExchangeDeps): Exchange {
  const { options, credentials, clock, random, logger } = deps;
  const knobs = deps.knobs === undefined ? {} : { knobs: deps.knobs };
  const endpoints = createEndpointTable(options.overrides.endpoints);
  const channels = createChannelTable(options.overrides.channels);
  const { steady = clock } = deps;
  const budget = new RequestBudget(steady, options.budget);
  const lookup = createLastGoodLookup(clock);
  const transports = deps.httpTransports ?? createHttpTransports(clock, lookup);
  const socketTransport = deps.socketTransport ?? createWsTransport(lookup);
  const { wall } = deps;
  const lead = wall === undefined ? undefined : (): number => wall() - steady.now();
  const exchangeNow = (): number => clockOffset.clock.now();
  const onClockDoubt = (): void => void clockOffset.measure();
  const { baseUrl, gatewayUrl } = options;
  const login = new LoginSession(exchangeNow);
  const http = createHttpClient({
    clock,
    exchangeNow,
    transports,
    endpoints,
    budget,
    baseUrl,
    gatewayUrl,
    credentials,
    login,
    logger,
    ...knobs,
    onClockDoubt,
    onServerDate: (sample) => clockOffset.observeDate(sample),
  });
  const marketData = createMarketDataOperations(http, clock);
  const clockOffset = new ClockOffset({ clock, sample: () => marketData.clockSample(), lead, logger });
  const account = createAccountOperations(http, clock);
  const readFill = fillReader(options.ownTradeSide);
  const orders = readingFills(createOrderOperations(http, clock, options.clientOrderIds), readFill);
  const money = createMoneyOperations(http, clock, login);
  const socket = (name: string, key: Credentials | null): ExchangeSocket =>
    new ExchangeSocket({
      url: socketUrl(options.wsUrl),
      transport: socketTransport,
      clock,
      steady,
      random: random.fork(`socket-${name}`),
      exchangeNow,
      credentials: key,
      logger: logger.child({ socket: name }),
      ...knobs,
      onClockDoubt,
    });
  const privateSocket = (): ExchangeSocket => {
    if (credentials === null) throw new Error('a private socket needs credentials');
    return socket('private', credentials);
  };
  return Object.freeze({
    endpoints,
    channels,
    http,
    budget,
    marketData,
    account,
    orders,
    futures: readingFills(createFuturesOperations({ http, clock }, 'reconcile'), readFill),
    money,
    login,
    clockOffset,
    privateSocket,
    gates: [clockOffset.gate, keyGate(http)],
    publicSocket: () => socket('public', null),
    p2pSocket: (onLoginNeeded?: (reason: string) => void) =>
      new P2pSocket({
        urlOf: (token) => p2pSocketUrl(options, token),
        transport: socketTransport,
        clock,
        steady,
        random: random.fork('socket-p2p'),
        token: () => login.token(),
        logger: logger.child({ socket: 'p2p' }),
        ...(onLoginNeeded === undefined ? {} : { onLoginNeeded }),
      }),
    venue: (
      symbols: readonly TradedSymbol[],
      { socket: own = privateSocket(), watch, p2pSocket = null }: VenueOptions = {},
    ) =>
      createExchangeVenue({
        orders,
        account,
        money,
        source: own,
        ...(watch === undefined ? {} : { watch }),
        p2pSocket,
        channels,
        symbols,
        clock,
        logger,
        ...knobs,
        clientOrderIds: options.clientOrderIds,
        readFill,
        clockOffsetMs: () => clockOffset.estimate?.offsetMs ?? 0,
        together: (run) => http.together(run),
      }),
    close: async () => {
      clockOffset.stop();
      await http.close();
    },
  });
}
