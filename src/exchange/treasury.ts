/** The exchange as a `Treasury`. Nothing is sent twice. */
import type { OrderReport } from '../model/order.ts';
import type { P2pUser } from '../model/p2p.ts';
import { silentLogger, type Clock, type Logger } from '../model/ports.ts';
import type { MoneyOutcome, Outcome, Reading } from '../model/result.ts';
import type {
  MoneyAnswers,
  MoneyKind,
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
import type { OrderOperations } from './client/operations/orders.ts';
import type { P2pSocket } from './client/p2p-socket.ts';
import { TreasuryWatch, type TreasuryWatchOptions } from './treasury-watch.ts';

export interface TreasuryOperations {
  readonly money: MoneyOperations;
  readonly account: AccountOperations;
  readonly orders: OrderOperations;
  readonly futures: FuturesOperations;
}

export interface ExchangeTreasuryDeps {
  readonly exchange: TreasuryOperations;
  /** Null: P2P is polled only. */
  readonly p2pSocket: P2pSocket | null;
  readonly clock: Clock;
  /** Absent for single commands. */
  readonly watch?: TreasuryWatchOptions;
  readonly logger?: Logger;
}

function orderOutcome(outcome: Outcome): MoneyOutcome<OrderReport> {
  if (outcome.kind !== 'accepted') return outcome;
  if (outcome.order !== undefined) return { kind: 'accepted', value: outcome.order };
  return { kind: 'unknown', reason: 'it was accepted without an order' };
}

class ExchangeTreasury implements Treasury {
  readonly query: TreasuryQueries;
  readonly #watch: TreasuryWatch | null;
  readonly #exchange: TreasuryOperations;
  #listener: ((event: TreasuryEvent) => void) | null = null;

  constructor(deps: ExchangeTreasuryDeps) {
    this.#exchange = deps.exchange;
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

  send({ intentId, lane, request, secrets }: TreasuryCommand, onDispatch: OnDispatch): void {
    const { orders, money } = this.#exchange;
    const dispatch = { lane, onDispatch };
    const done = (outcome: MoneyOutcome<MoneyAnswers[MoneyKind]>): void =>
      this.#listener?.({ kind: 'outcome', intentId, outcome });
    if (request.kind !== 'futuresOrder') {
      money.send(request, dispatch, done, secrets);
      return;
    }
    const { kind, ...order } = request;
    void kind;
    orders.create({ market: 'derivative', ...order }, dispatch, (outcome) => done(orderOutcome(outcome)));
  }

  start(): void {
    this.#watch?.start();
  }

  async stop(): Promise<void> {
    await this.#watch?.stop();
  }
}

/** A single answer is a complete list, or none. */
async function listReading<T>(clock: Clock, ask: () => Promise<Answer<readonly T[]>>): Promise<Reading<T>> {
  const asOf = clock.now();
  const answer = await ask();
  return answer.kind === 'value'
    ? { kind: 'complete', asOf, items: answer.value }
    : { kind: 'failed', asOf, reason: answer.error.message };
}

/** Active first: an order closed between the two is in the history. */
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
