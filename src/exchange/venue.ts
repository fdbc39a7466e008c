/** The exchange as a `Venue`. Events may repeat: consumers deduplicate by order state and trade id. */
import type { AccountMovement, FundingPayment } from '../model/trading/account.ts';
import type { Knobs } from '../model/knobs.ts';
import type { AnyMoneyOutcome } from '../model/funds/money-commands.ts';
import { isMovement, type TransactionRow } from '../model/funds/money-records.ts';
import type { Clock, Logger } from '../model/ports.ts';
import type { Reading, Outcome } from '../model/result.ts';
import type {
  HistoryRequest,
  MoneyQueries,
  OnDispatch,
  Venue,
  VenueCommand,
  VenueEvent,
  VenueListener,
  VenueQueries,
} from '../model/venue.ts';
import type { ChannelSource } from './client/sockets/channel-source.ts';
import type { MoneyOperations } from './client/money-operations.ts';
import type { AccountOperations } from './client/operations/account.ts';
import type { Answer } from './client/operations/answer.ts';
import type { OrderOperations } from './client/operations/orders.ts';
import type { P2pSocket } from './client/sockets/p2p-socket.ts';
import type { ChannelTable } from './interface/channels.ts';
import { MoneyWatch, type MoneyWatchOptions } from './money-watch.ts';
import type { FillReader } from './own-trade-side.ts';
import { PrivateStream, type TradedSymbol } from './private-stream.ts';

export interface ExchangeVenueDeps {
  readonly orders: OrderOperations;
  readonly account: AccountOperations;
  readonly money: Pick<MoneyOperations, 'send' | 'transfers' | 'codes' | 'p2p'>;
  /** Logged in. The venue starts and stops it. Null for single commands: nothing is pushed. */
  readonly source: (ChannelSource & { start(): void; stop(): Promise<void> }) | null;
  /** Absent: money beside the trading account is not watched. */
  readonly watch?: MoneyWatchOptions;
  /** Null: P2P is polled only. */
  readonly p2pSocket: P2pSocket | null;
  readonly channels: ChannelTable;
  /** Other symbols are subscribed at their first order. */
  readonly symbols: readonly TradedSymbol[];
  readonly clientOrderIds: boolean;
  readonly readFill: FillReader;
  readonly clockOffsetMs: () => number;
  readonly together: (run: () => void) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly knobs?: Knobs;
}

class ExchangeVenue implements Venue {
  readonly query: VenueQueries;
  readonly clientOrderIds: boolean;
  readonly printsOwn = true;
  readonly clockOffsetMs: () => number;
  readonly #deps: ExchangeVenueDeps;
  readonly #stream: PrivateStream | null;
  readonly #watch: MoneyWatch | null;
  #listener: VenueListener | null = null;

  constructor(deps: ExchangeVenueDeps) {
    this.#deps = deps;
    this.clientOrderIds = deps.clientOrderIds;
    this.clockOffsetMs = deps.clockOffsetMs;
    const query = queriesOf(deps);
    this.query = query;
    const { source, channels, symbols, clock, logger, knobs, account, watch, p2pSocket: socket } = deps;
    const read = (event: VenueEvent): VenueEvent =>
      event.kind === 'fill' ? { ...event, fill: deps.readFill(event.fill) } : event;
    const emit = (events: readonly VenueEvent[]): void => this.#listener?.(events.map(read));
    this.#stream =
      source === null
        ? null
        : new PrivateStream({
            source,
            channels,
            symbols,
            clock,
            logger,
            emit,
            ...(knobs === undefined ? {} : { knobs }),
          });
    const { onBalances } = account;
    const tell = (event: VenueEvent): void => this.#listener?.([event]);
    this.#watch =
      watch === undefined
        ? null
        : new MoneyWatch({ query, onBalances, socket, options: watch, clock, logger, emit: tell });
  }

  listen(listener: VenueListener): void {
    if (this.#listener !== null) throw new Error('the venue has a listener already');
    this.#listener = listener;
  }

  send(command: VenueCommand, onDispatch: OnDispatch): void {
    const { orders, money } = this.#deps;
    const { intentId, lane } = command;
    const dispatch = { lane, onDispatch };
    const done = (outcome: Outcome): void => this.#listener?.([{ kind: 'outcome', intentId, outcome }]);
    switch (command.kind) {
      case 'create':
        this.#stream?.cover(command.order.symbol, command.order.market);
        orders.create(command.order, dispatch, done);
        return;
      case 'cancel':
        orders.cancel(command.orderId, dispatch, done);
        return;
      case 'cancelMany':
        orders.cancelMany(command.orderIds, dispatch, done);
        return;
      case 'money': {
        const moved = (outcome: AnyMoneyOutcome): void =>
          this.#listener?.([{ kind: 'money-outcome', intentId, outcome }]);
        money.send(command.request, dispatch, moved, command.secrets);
      }
    }
  }

  together(run: () => void): void {
    this.#deps.together(run);
  }

  start(): void {
    this.#stream?.start();
    this.#deps.source?.start();
    this.#watch?.start();
  }

  async stop(): Promise<void> {
    await this.#watch?.stop();
    this.#stream?.stop();
    await this.#deps.source?.stop();
  }
}

function queriesOf({ orders, account, money, clock }: ExchangeVenueDeps): VenueQueries & MoneyQueries {
  const { transfers, codes, p2p } = money;
  return Object.freeze({
    activeOrders: () => orders.active(),
    orderHistory: (request: HistoryRequest) => orders.history(request),
    ownTrades: (request: HistoryRequest) => orders.ownTrades(request),
    balances: () => account.balances(),
    positions: () => account.positions(),
    funding: async (from: number) =>
      paymentsOf(await transfers.transactions({ type: 'funding', status: 'completed', from })),
    movements: async (from: number) => movementsOf(await transfers.transactions({ status: 'completed', from })),
    transactions: (from: number) => transfers.transactions({ from }),
    codes: () => codes.list(),
    advertisements: () => p2p.myAdvertisements(),
    p2pTrades: () => p2p.myTrades(),
    p2pMarkets: () => wholeAnswer(clock, p2p.markets(), (markets) => markets),
    p2pProfile: () => wholeAnswer(clock, p2p.profile(), (user) => [user]),
  });
}

/** A single answer is a complete list, or none. */
async function wholeAnswer<A, T>(
  clock: Clock,
  asked: Promise<Answer<A>>,
  items: (value: A) => readonly T[],
): Promise<Reading<T>> {
  const asOf = clock.now();
  const answer = await asked;
  return answer.kind === 'value'
    ? { kind: 'complete', asOf, items: items(answer.value) }
    : { kind: 'failed', asOf, reason: answer.error.message };
}

/** Transactions have no symbol. */
function paymentsOf(reading: Reading<TransactionRow>): Reading<FundingPayment> {
  if (reading.kind === 'failed') return reading;
  const items = reading.items.map(({ transactionId, currency, amount, createdAt }) => ({
    id: transactionId,
    symbol: null,
    currency,
    amount,
    ts: createdAt,
  }));
  return { ...reading, items };
}

function movementsOf(reading: Reading<TransactionRow>): Reading<AccountMovement> {
  if (reading.kind === 'failed') return reading;
  const items = reading.items
    .filter(({ type }) => isMovement(type))
    .map(({ transactionId, type, account, currency, amount, createdAt }) => ({
      id: transactionId,
      type,
      account,
      currency,
      amount,
      ts: createdAt,
    }));
  return { ...reading, items };
}

export function createExchangeVenue(deps: ExchangeVenueDeps): Venue {
  return new ExchangeVenue(deps);
}
