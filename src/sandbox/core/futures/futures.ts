/**
 * Futures of the sandbox joined: perpetuals with their funding timers, users' margin accounts, trading, liquidation.
 * `exchange.ts` holds one of these; routes call `trading` and the lists, the shell calls `check` after every operation.
 *
 *   routes ─▶ trading ─▶ order flow ─▶ futures settlement ─▶ clearing
 *   timers ─▶ funding ─────────────────────────────────────▶ clearing
 *   check ──▶ liquidator ─▶ order flow (outside the book) ──▶ futures settlement
 */
import type { MarginBook } from '../../../clearing/perpetual/margin-book.ts';
import { PositionRow } from '../../../clearing/perpetual/position-row.ts';
import { sandboxRules, type PerpetualRules } from '../../../clearing/perpetual/rules.ts';
import { payFunding } from '../../../clearing/perpetual/settlement.ts';
import type { VenuePosition } from '../../../model/account.ts';
import { dec, ZERO, type Decimal } from '../../../model/money.ts';
import type { Assumed } from '../assumptions.ts';
import { pageOf, type Page, type PageQuery } from '../history.ts';
import { OrderFlow, type FlowPorts } from '../order-flow.ts';
import type { OrderRecord, Trader } from '../order-record.ts';
import type { OwnOrders } from '../own-orders.ts';
import { PerpetualData } from '../perpetuals.ts';
import type { SymbolMarket } from '../symbol-market.ts';
import type { AccountTimers } from '../timers.ts';
import type { Transactions } from '../transactions.ts';
import { FuturesAccount, type Slot } from './account.ts';
import { FuturesSettlement } from './futures-settlement.ts';
import { Liquidator } from './liquidator.ts';
import type { ClosedPosition } from './round.ts';
import { FuturesSettings } from './settings.ts';
import { FuturesTrading } from './trading.ts';

export interface FuturesDeps {
  readonly assumed: Assumed;
  readonly markets: ReadonlyMap<string, SymbolMarket>;
  readonly orders: OwnOrders;
  readonly transactions: Transactions;
  readonly timers: AccountTimers;
  readonly flow: FlowPorts;
  readonly startMs: number;
  /** Cancels the user's spot orders that lock a currency. */
  readonly freeSpotLocks: (trader: Trader, currency: string, now: number) => void;
}

export class Futures {
  readonly perpetuals: ReadonlyMap<string, PerpetualData>;
  readonly flow: OrderFlow;
  readonly trading: FuturesTrading;
  readonly settings: FuturesSettings;
  /** In which perpetuals settle. */
  readonly currencies: ReadonlySet<string>;
  readonly deps: FuturesDeps;
  readonly #liquidator: Liquidator;
  readonly #rules: PerpetualRules;
  readonly #accounts = new Map<string, FuturesAccount>();

  constructor(deps: FuturesDeps) {
    this.deps = deps;
    this.#rules = sandboxRules(dec(deps.assumed.futures.liquidationFeeRate));
    this.perpetuals = this.#openPerpetuals();
    this.currencies = new Set([...this.perpetuals.values()].map(({ market }) => market.instrument.settle));
    const settlement = new FuturesSettlement(this);
    this.flow = new OrderFlow(settlement, deps.flow);
    this.trading = new FuturesTrading(this);
    this.settings = new FuturesSettings(this);
    this.#liquidator = new Liquidator(this, settlement);
  }

  accountOf(trader: Trader): FuturesAccount {
    let account = this.#accounts.get(trader.userId);
    if (account === undefined) {
      const { assumed, freeSpotLocks } = this.deps;
      const free = (currency: string, now: number): void => freeSpotLocks(trader, currency, now);
      this.#accounts.set(trader.userId, (account = new FuturesAccount(trader, this.#rules, assumed, free)));
    }
    return account;
  }

  /** Where an order belongs; null for those of agents. */
  slotOf({ trader, market, order }: OrderRecord): Slot | null {
    if (trader.history === null) return null;
    const data = this.perpetuals.get(market.instrument.symbol);
    if (data === undefined) throw new RangeError(`${market.instrument.symbol} is no perpetual`);
    return this.accountOf(trader).slot(data, order.positionSide ?? 'both');
  }

  /** What an open position shows has changed. */
  announce(slot: Slot, trader: Trader): void {
    this.deps.flow.outbox.positions.set(slot, trader.userId);
  }

  /** A position has changed. */
  onChange(slot: Slot, trader: Trader, now: number): void {
    this.announce(slot, trader);
    this.#dropExcess(slot, now);
  }

  /** What the open cross positions of a user have lost so far, zero or above. */
  crossLoss(userId: string, currency: string): Decimal {
    return this.#accounts.get(userId)?.crossLoss(currency) ?? ZERO;
  }

  /**
   * Looks at marks and balances as they are now: what is below its maintenance margin is liquidated, and where losses have
   * taken margin that what stands needs, the orders that would open are canceled. Called after every operation.
   */
  check(now: number): void {
    for (const data of this.perpetuals.values()) data.refresh();
    for (const account of this.#accounts.values()) {
      this.#liquidator.check(account, now);
      for (const book of account.books) if (book.isShort && !book.rehold()) this.#dropOpening(book, now);
    }
  }

  positions(trader: Trader, symbol: string | undefined): VenuePosition[] {
    const account = this.accountOf(trader);
    const slots = account.openSlots().filter((slot) => symbol === undefined || slot.symbol === symbol);
    return slots.map((slot) => new PositionRow(slot).copy());
  }

  /** Newest first by the time of closing, which is when the row was created. */
  closedPositions(trader: Trader, symbol: string | undefined, query: PageQuery): Page<ClosedPosition> {
    const { closed } = this.accountOf(trader);
    return pageOf(closed, query, 'closedAt', (position) => symbol === undefined || position.symbol === symbol);
  }

  /** Ended orders that took part in a position that is closed, newest first by creation. */
  closedPositionOrders(trader: Trader, symbol: string | undefined, query: PageQuery): Page<OrderRecord> {
    const isWanted = ({ round, isActive, market: { instrument } }: OrderRecord): boolean =>
      round?.isOver === true && !isActive && (symbol === undefined || instrument.symbol === symbol);
    return pageOf(trader.history?.orderLog ?? [], query, 'createdAt', isWanted);
  }

  /** Orders that may only close are canceled as soon as they are greater than what is left to close. */
  #dropExcess(slot: Slot, now: number): void {
    for (const record of slot.orders.all()) {
      const { side, reduceOnly } = record.order;
      if (record.resting === null || record.leftLots === 0 || !slot.onlyCloses(side, reduceOnly)) continue;
      const left = record.market.instrument.exactQuantity(record.leftLots);
      if (left.gt(slot.closable(side))) this.flow.cancel(record, now, 'reduce_only');
    }
  }

  #dropOpening({ slots }: MarginBook<OrderRecord>, now: number): void {
    for (const slot of slots) {
      for (const record of slot.orders.all()) {
        const { side, reduceOnly } = record.order;
        if (!slot.onlyCloses(side, reduceOnly)) this.flow.cancel(record, now, 'insufficient_balance');
      }
    }
  }

  #openPerpetuals(): ReadonlyMap<string, PerpetualData> {
    const { markets, assumed, startMs } = this.deps;
    const perpetuals = new Map<string, PerpetualData>();
    for (const market of markets.values()) {
      const { symbol, base, quote, market: kind } = market.instrument;
      if (kind !== 'derivative') continue;
      const data = new PerpetualData(market, markets.get(`${base}${quote}`) ?? null, assumed.futures, startMs);
      perpetuals.set(symbol, data);
      this.#scheduleFunding(data);
    }
    return perpetuals;
  }

  #scheduleFunding(data: PerpetualData): void {
    this.deps.timers.at(data.nextFundingTime, (dueMs) => {
      this.#settleFunding(data, dueMs);
      this.#scheduleFunding(data);
    });
  }

  /**
   * Rule A3: at the end of an interval every position of the perpetual pays or receives through the market account, as a
   * transaction of its own. Before there is a mark nobody holds a position.
   */
  #settleFunding(data: PerpetualData, now: number): void {
    const { transactions } = this.deps;
    data.refresh();
    const rate = dec(data.settle(now).rate);
    const { mark } = data;
    if (mark === null) return;
    for (const [userId, account] of this.#accounts) {
      for (const slot of account.openSlots()) {
        if (slot.market !== data) continue;
        const amount = payFunding(slot, rate, mark, now);
        if (amount.isZero()) continue;
        account.rounds.get(slot)?.fund(amount);
        const entry = { type: 'funding', currency: slot.book.currency, amount, account: 'unified-trading' } as const;
        transactions.complete(userId, entry, now);
        this.announce(slot, account.trader);
      }
    }
  }
}
