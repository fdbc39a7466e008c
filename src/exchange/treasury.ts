/**
 * The exchange as a `Treasury` (wall 1): what moves money without a bot's order, over REST with three outcomes, and the
 * P2P socket where there is a login. Nothing is sent twice here. Used by sessions and by the money commands of the CLI.
 */
import type { OrderReport } from '../model/order.ts';
import type { P2pUser } from '../model/p2p.ts';
import { silentLogger, type Clock, type Logger } from '../model/ports.ts';
import type { MoneyOutcome, Outcome, Reading } from '../model/result.ts';
import type {
  MoneyAnswers,
  MoneyKind,
  MoneyRequest,
  MoneySecrets,
  Treasury,
  TreasuryCommand,
  TreasuryEvent,
  TreasuryQueries,
} from '../model/treasury.ts';
import type { OnDispatch } from '../model/venue.ts';
import type { MoneyOperations } from './client/money-operations.ts';
import type { AccountOperations } from './client/operations/account.ts';
import type { Answer } from './client/operations/answer.ts';
import type { FuturesOperations } from './client/operations/futures.ts';
import type { Dispatch, OrderOperations } from './client/operations/orders.ts';
import type { P2pSocket } from './client/p2p-socket.ts';
import { TreasuryWatch, type TreasuryWatchOptions } from './treasury-watch.ts';

/** What of an `Exchange` it needs. */
export interface TreasuryOperations {
  readonly money: MoneyOperations;
  readonly account: AccountOperations;
  readonly orders: OrderOperations;
  readonly futures: FuturesOperations;
}

export interface ExchangeTreasuryDeps {
  readonly exchange: TreasuryOperations;
  /** Null without a login: then nothing is pushed and P2P is polled. The treasury starts and stops it. */
  readonly p2pSocket: P2pSocket | null;
  readonly clock: Clock;
  /** What `start` begins to watch; nothing when omitted (one command, one answer). */
  readonly watch?: TreasuryWatchOptions;
  readonly logger?: Logger;
}

type Sender<K extends MoneyKind> = (
  request: MoneyRequest<K>,
  secrets: MoneySecrets,
  dispatch: Dispatch,
  done: (outcome: MoneyOutcome<MoneyAnswers[K]>) => void,
) => void;

type Senders = { readonly [K in MoneyKind]: Sender<K> };

/** What goes into a body that is made of the whole request. */
function contentOf<T extends { readonly kind: unknown }>(request: T): Omit<T, 'kind'> {
  const { kind, ...content } = request;
  void kind;
  return content;
}

function orderOutcome(outcome: Outcome): MoneyOutcome<OrderReport> {
  if (outcome.kind !== 'accepted') return outcome;
  if (outcome.order !== undefined) return { kind: 'accepted', value: outcome.order };
  return { kind: 'unknown', reason: 'it was accepted without an order' };
}

/** One row a kind. */
// prettier-ignore
function sendersOf({ money, orders, futures }: TreasuryOperations): Senders {
  const { transfers, codes, crypto, fiat, overdraft, p2p } = money;
  return {
    transfer: (request, _secrets, dispatch, done) => transfers.transfer(request, dispatch, done),
    codeCreate: (request, _secrets, dispatch, done) => codes.create(contentOf(request), dispatch, done),
    codeRedeem: (_request, { code = '' }, dispatch, done) => codes.redeem(code, dispatch, done),
    withdraw: (request, { auth2faCode }, dispatch, done) =>
      crypto.withdraw({ ...request, ...(auth2faCode === undefined ? {} : { auth2faCode }) }, dispatch, done),
    cancelWithdrawal: ({ transactionId }, _secrets, dispatch, done) => crypto.cancelWithdrawal(transactionId, dispatch, done),
    fiatCreate: (request, { details }, dispatch, done) =>
      fiat.create({ ...contentOf(request), ...(details === undefined ? {} : { details }) }, dispatch, done),
    fiatSubmit: (request, { details }, dispatch, done) =>
      fiat.submit({ ...contentOf(request), ...(details === undefined ? {} : { details }) }, dispatch, done),
    fiatConfirm: ({ applicationId }, _secrets, dispatch, done) => fiat.confirm(applicationId, dispatch, done),
    fiatDelete: ({ applicationId }, _secrets, dispatch, done) => fiat.delete(applicationId, dispatch, done),
    overdraftPay: ({ amount }, _secrets, dispatch, done) => overdraft.pay(amount, dispatch, done),
    advertise: (request, _secrets, dispatch, done) => p2p.advertise(contentOf(request), dispatch, done),
    editAdvertisement: (request, _secrets, dispatch, done) => {
      const { advertisementId, ...change } = contentOf(request);
      p2p.edit(advertisementId, change, dispatch, done);
    },
    activateAdvertisement: ({ advertisementId }, _secrets, dispatch, done) => p2p.activate(advertisementId, dispatch, done),
    deactivateAdvertisement: ({ advertisementId }, _secrets, dispatch, done) => p2p.deactivate(advertisementId, dispatch, done),
    deleteAdvertisement: ({ advertisementId }, _secrets, dispatch, done) => p2p.delete(advertisementId, dispatch, done),
    respond: (request, _secrets, dispatch, done) => p2p.respond(request, dispatch, done),
    startTrade: ({ tradeId }, _secrets, dispatch, done) => p2p.start(tradeId, dispatch, done),
    payTrade: ({ tradeId }, _secrets, dispatch, done) => p2p.pay(tradeId, dispatch, done),
    confirmTrade: ({ tradeId }, _secrets, dispatch, done) => p2p.confirm(tradeId, dispatch, done),
    disputeTrade: ({ tradeId, reason }, _secrets, dispatch, done) => p2p.dispute(tradeId, reason, dispatch, done),
    cancelTrade: ({ tradeId }, _secrets, dispatch, done) => p2p.cancel(tradeId, dispatch, done),
    futuresOrder: (request, _secrets, dispatch, done) =>
      orders.create({ market: 'derivative', ...contentOf(request) }, dispatch, (outcome) => done(orderOutcome(outcome))),
    futuresClose: (request, _secrets, dispatch, done) => futures.close(request, dispatch, done),
  };
}

class ExchangeTreasury implements Treasury {
  readonly query: TreasuryQueries;
  readonly #watch: TreasuryWatch | null;
  readonly #senders: Senders;
  #listener: ((event: TreasuryEvent) => void) | null = null;

  constructor(deps: ExchangeTreasuryDeps) {
    this.#senders = sendersOf(deps.exchange);
    this.query = queriesOf(deps);
    const { watch: options, p2pSocket: socket, clock, logger = silentLogger } = deps;
    const emit = (event: TreasuryEvent): void => this.#listener?.(event);
    const { onBalances } = deps.exchange.account;
    const { query } = this;
    this.#watch =
      options === undefined ? null : new TreasuryWatch({ query, onBalances, socket, options, clock, logger, emit });
  }

  listen(listener: (event: TreasuryEvent) => void): void {
    if (this.#listener !== null) throw new Error('the treasury has a listener already');
    this.#listener = listener;
  }

  send<K extends MoneyKind>(command: TreasuryCommand<K>, onDispatch: OnDispatch): void {
    const { intentId, lane, request, secrets = {} } = command;
    const sender: Sender<K> = this.#senders[request.kind];
    sender(request, secrets, { lane, onDispatch }, (outcome) =>
      this.#listener?.({ kind: 'outcome', intentId, outcome }),
    );
  }

  start(): void {
    this.#watch?.start();
  }

  async stop(): Promise<void> {
    await this.#watch?.stop();
  }
}

/** An operation that answers at once answers a complete list, or none. */
async function listReading<T>(clock: Clock, ask: () => Promise<Answer<readonly T[]>>): Promise<Reading<T>> {
  const asOf = clock.now();
  const answer = await ask();
  return answer.kind === 'value'
    ? { kind: 'complete', asOf, items: answer.value }
    : { kind: 'failed', asOf, reason: answer.error.message };
}

/** Active ones first: what is closed between the two readings is in the history. */
async function derivativeOrders(orders: OrderOperations, from: number): Promise<Reading<OrderReport>> {
  const active = await orders.active();
  if (active.kind === 'failed') return active;
  const history = await orders.history({ from, market: 'derivative' });
  const { asOf } = active;
  const standing = active.items.filter(({ market }) => market === 'derivative');
  const items = [...standing, ...(history.kind === 'failed' ? [] : history.items)];
  if (active.kind === 'complete' && history.kind === 'complete') return { kind: 'complete', asOf, items };
  const { reason } = active.kind === 'partial' ? active : history.kind === 'complete' ? { reason: '' } : history;
  return { kind: 'partial', asOf, items, reason };
}

function queriesOf({ exchange, clock }: ExchangeTreasuryDeps): TreasuryQueries {
  const { money, account, orders, futures } = exchange;
  const { transfers, codes, p2p } = money;
  const profile = async (): Promise<Answer<readonly P2pUser[]>> => {
    const answer = await p2p.profile();
    return answer.kind === 'value' ? { kind: 'value', value: [answer.value] } : answer;
  };
  return Object.freeze({
    balances: () => account.balances(),
    transactions: (from: number) => transfers.transactions({ from }),
    codes: () => codes.list(),
    routes: () => listReading(clock, () => transfers.routes()),
    advertisements: () => p2p.myAdvertisements(),
    trades: () => p2p.myTrades(),
    p2pMarkets: () => listReading(clock, () => p2p.markets()),
    paymentMethods: () => listReading(clock, () => p2p.paymentMethods()),
    p2pProfile: () => listReading(clock, profile),
    futuresOrders: (from: number) => derivativeOrders(orders, from),
    futuresTrades: (from: number) => futures.ownTrades({ from }),
    positions: () => futures.positions(),
  });
}

export function createExchangeTreasury(deps: ExchangeTreasuryDeps): Treasury {
  return new ExchangeTreasury(deps);
}
