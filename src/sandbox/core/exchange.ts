/**
 * The exchange core: all state, no I/O, clock or randomness.
 *
 *   routes, agents ─▶ order flows ──▶ book + accounts ─▶ outbox ─▶ publisher
 *   routes, timers ─▶ money ────────▶ accounts ────────┘
 */
import { Instrument, type InstrumentSpec } from '../../model/market/instrument.ts';
import { dec } from '../../model/numbers/money.ts';
import { Accounts, type Wallet } from '../../clearing/accounts.ts';
import { LIQUIDATION } from '../../clearing/perpetual/liquidation.ts';
import { feeRates } from '../../clearing/fees.ts';
import { assumedDefaults, type Assumed } from './assumptions.ts';
import { Identity } from './identity/identity.ts';
import { instrumentSpecs } from './market/instruments.ts';
import { MoneyAreas } from './money/money-areas.ts';
import { Futures } from './futures/futures.ts';
import { IdSequence, OrderFlow, type FlowPorts } from './orders/order-flow.ts';
import { type OrderRecord, SymbolMarket, type Trader, TraderHistory } from './orders/order-record.ts';
import { Outbox } from './outbox.ts';
import { gridOrder, OwnOrders, type SpotOrderRequest } from './orders/own-orders.ts';
import type { Spread } from '../../model/funds/p2p-price-rule.ts';
import { isRefusal, refuse, type Refusal } from './refusal.ts';
import { lockedCurrency, spotSettlement } from './orders/spot-settlement.ts';
import { AccountTimers } from './timers.ts';
import {
  fullKey,
  startingMoney,
  tokenSecret,
  userCredentials,
  userLogins,
  type UserCredentials,
} from './identity/users.ts';

const agentFees = feeRates({ maker: '0', taker: '0' });

export interface ExchangeOptions {
  /** Default: `assumed-v1`. */
  readonly assumed?: Assumed | undefined;
  readonly seed: number;
  readonly startMs: number;
  readonly clientOrderIds: boolean;
  /** Added to the defaults, replacing equal symbols. */
  readonly instruments?: readonly InstrumentSpec[] | undefined;
}

export class Exchange {
  readonly markets: ReadonlyMap<string, SymbolMarket>;
  readonly outbox = new Outbox();
  readonly accounts: Accounts;
  readonly identity: Identity;
  readonly timers = new AccountTimers();
  readonly money: MoneyAreas;
  readonly orders: OwnOrders;
  readonly spotFlow: OrderFlow;
  readonly futures: Futures;
  readonly users: readonly UserCredentials[];
  /** False: the order field is ignored. */
  readonly clientOrderIds: boolean;
  readonly #watched = new Set<string>();

  constructor({ assumed = assumedDefaults, seed, startMs, clientOrderIds, instruments = [] }: ExchangeOptions) {
    this.clientOrderIds = clientOrderIds;
    const specs = [...instrumentSpecs, ...instruments].map((spec) => onTerms(spec, assumed));
    this.markets = new Map(specs.map((spec) => [spec.symbol, new SymbolMarket(new Instrument(spec))]));
    this.accounts = new Accounts((pocket) => {
      if (this.#watched.has(pocket.owner.userId)) this.outbox.balances.add(pocket);
    });
    this.money = new MoneyAreas({
      accounts: this.accounts,
      timers: this.timers,
      startMs,
      spreadOf: (symbol) => this.#spreadOf(symbol),
      lossOf: (userId, currency) => this.futures.crossLoss(userId, currency),
      assumed,
    });
    const flow: FlowPorts = {
      orderIds: new IdSequence(startMs),
      tradeIds: new IdSequence(startMs),
      outbox: this.outbox,
      onCharge: (userId, charge, now) => this.money.onTradeFee(userId, charge, now),
    };
    this.spotFlow = new OrderFlow(spotSettlement, flow);
    this.orders = new OwnOrders((market) => this.flowOf(market), assumed.activeOrdersMax);
    this.futures = new Futures({
      assumed,
      markets: this.markets,
      orders: this.orders,
      transactions: this.money.transactions,
      timers: this.timers,
      flow,
      startMs,
      freeSpotLocks: (trader, currency, now) => this.#freeSpotLocks(trader, currency, now),
    });
    this.identity = new Identity(tokenSecret(seed), assumed.login);
    this.users = userLogins.map((login) => userCredentials(seed, login));
    for (const [index, credentials] of this.users.entries()) this.#addUser(credentials, index, assumed, startMs);
    this.outbox.clear();
  }

  /** No fees, no history. */
  addAgent(name: string, money: Readonly<Record<string, string>>): Trader {
    const userId = `agent/${name}`;
    const wallet = this.accounts.wallet(userId, 'unified-trading');
    deposit(wallet, money);
    return { userId, wallet, fees: agentFees, history: null };
  }

  /** Returns the order after matching. */
  placeSpot(trader: Trader, request: SpotOrderRequest, now: number): OrderRecord | Refusal {
    const market = this.markets.get(request.symbol);
    if (market === undefined || market.instrument.market !== 'spot') {
      return refuse('unknown_symbol', `${request.symbol} is not a spot instrument`, 'symbol');
    }
    const order = this.orders.doubt(trader, market, request.clientOrderId) ?? gridOrder(market, request);
    return isRefusal(order) ? order : this.orders.submit(trader, market, order, now);
  }

  flowOf(market: SymbolMarket): OrderFlow {
    return market.instrument.market === 'spot' ? this.spotFlow : this.futures.flow;
  }

  #addUser(
    { login, password, auth2faSecret, apiKey }: UserCredentials,
    index: number,
    assumed: Assumed,
    now: number,
  ): void {
    const userId = `u${index + 1}`;
    const wallet = this.accounts.wallet(userId, 'unified-trading');
    const trader: Trader = {
      userId,
      wallet,
      fees: feeRates(assumed.fees),
      history: new TraderHistory(assumed.historyMax),
    };
    this.identity.add({ userId, login, username: login, password, auth2faSecret, trader });
    this.identity.keys.issue(userId, fullKey(), apiKey, now);
    for (const { account, money } of startingMoney) {
      deposit(this.accounts.wallet(userId, account), money);
    }
    this.#watched.add(userId);
    // Assumed: the first user invited the others.
    if (index > 0) this.money.referrals.invite('u1', userId);
  }

  /** Null while a side is empty. */
  #spreadOf(symbol: string): Spread | null {
    const market = this.markets.get(symbol);
    if (market === undefined) return null;
    const { book, instrument } = market;
    if (book.bidTicks === 0 || book.askTicks === 0) return null;
    return { bid: dec(instrument.priceText(book.bidTicks)), ask: dec(instrument.priceText(book.askTicks)) };
  }

  /** For a loss or liquidation. */
  #freeSpotLocks(trader: Trader, currency: string, now: number): void {
    for (const record of trader.history?.active.values() ?? []) {
      const isSpot = record.market.instrument.market === 'spot';
      if (isSpot && lockedCurrency(record) === currency) this.spotFlow.cancel(record, now, LIQUIDATION);
    }
  }
}

function deposit(wallet: Wallet, money: Readonly<Record<string, string>>): void {
  for (const [currency, amount] of Object.entries(money)) wallet.pocket(currency).receive(dec(amount), 'outside');
}

function onTerms(spec: InstrumentSpec, { futures }: Assumed): InstrumentSpec {
  return spec.market === 'derivative' ? { ...spec, fundingIntervalHours: futures.fundingIntervalHours } : spec;
}
