/** The exchange as a `Venue`. Events may repeat: consumers deduplicate by order state and trade id. */
import type { AccountMovement, FundingPayment } from '../model/account.ts';
import type { Knobs } from '../model/knobs.ts';
import type { Clock, Logger } from '../model/ports.ts';
import type { Reading, Outcome } from '../model/result.ts';
import type {
  HistoryRequest,
  OnDispatch,
  Venue,
  VenueCommand,
  VenueEvent,
  VenueListener,
  VenueQueries,
} from '../model/venue.ts';
import type { ChannelSource } from './client/channel-source.ts';
import type { AccountOperations } from './client/operations/account.ts';
import type { OrderOperations } from './client/operations/orders.ts';
import type { TransferOperations } from './client/operations/transfers.ts';
import type { ChannelTable } from './interface/channels.ts';
import type { TransactionRow } from '../model/money-records.ts';
import type { FillReader } from './own-trade-side.ts';
import { PrivateStream, type TradedSymbol } from './private-stream.ts';

export interface ExchangeVenueDeps {
  readonly orders: OrderOperations;
  readonly account: AccountOperations;
  readonly transfers: Pick<TransferOperations, 'transactions'>;
  /** Logged in. The venue starts and stops it. */
  readonly source: ChannelSource & { start(): void; stop(): Promise<void> };
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
  readonly clockOffsetMs: () => number;
  readonly #deps: ExchangeVenueDeps;
  readonly #stream: PrivateStream;
  #listener: VenueListener | null = null;

  constructor(deps: ExchangeVenueDeps) {
    this.#deps = deps;
    this.clientOrderIds = deps.clientOrderIds;
    this.clockOffsetMs = deps.clockOffsetMs;
    this.query = queriesOf(deps);
    const { source, channels, symbols, clock, logger, knobs } = deps;
    const read = (event: VenueEvent): VenueEvent =>
      event.kind === 'fill' ? { ...event, fill: deps.readFill(event.fill) } : event;
    const emit = (events: readonly VenueEvent[]): void => this.#listener?.(events.map(read));
    this.#stream = new PrivateStream({
      source,
      channels,
      symbols,
      clock,
      logger,
      emit,
      ...(knobs === undefined ? {} : { knobs }),
    });
  }

  listen(listener: VenueListener): void {
    if (this.#listener !== null) throw new Error('the venue has a listener already');
    this.#listener = listener;
  }

  send(command: VenueCommand, onDispatch: OnDispatch): void {
    const { orders } = this.#deps;
    const { intentId, lane } = command;
    const dispatch = { lane, onDispatch };
    const done = (outcome: Outcome): void => this.#listener?.([{ kind: 'outcome', intentId, outcome }]);
    switch (command.kind) {
      case 'create':
        this.#stream.cover(command.order.symbol, command.order.market);
        orders.create(command.order, dispatch, done);
        return;
      case 'cancel':
        orders.cancel(command.orderId, dispatch, done);
        return;
      case 'cancelMany':
        orders.cancelMany(command.orderIds, dispatch, done);
    }
  }

  together(run: () => void): void {
    this.#deps.together(run);
  }

  start(): void {
    this.#stream.start();
    this.#deps.source.start();
  }

  async stop(): Promise<void> {
    this.#stream.stop();
    await this.#deps.source.stop();
  }
}

function queriesOf({ orders, account, transfers }: ExchangeVenueDeps): VenueQueries {
  return Object.freeze({
    activeOrders: () => orders.active(),
    orderHistory: (request: HistoryRequest) => orders.history(request),
    ownTrades: (request: HistoryRequest) => orders.ownTrades(request),
    balances: () => account.balances(),
    positions: () => account.positions(),
    funding: async (from: number) =>
      paymentsOf(await transfers.transactions({ type: 'funding', status: 'completed', from })),
    movements: async (from: number) => movementsOf(await transfers.transactions({ status: 'completed', from })),
  });
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

/** Trading costs and gains are not movements. */
const ofTrading: ReadonlySet<string> = new Set(['trade_fee', 'funding', 'overdraft_interest']);

export function isMovement(type: string): boolean {
  return !ofTrading.has(type);
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
