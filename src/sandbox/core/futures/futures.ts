/**
 * Futures of the sandbox.
 *
 *   routes ─▶ trading ─▶ order flow ─▶ futures settlement ─▶ clearing
 *   timers ─▶ funding ─────────────────────────────────────▶ clearing
 *   check ──▶ liquidator ─▶ order flow (outside the book) ──▶ futures settlement
 */
import type { MarginBook } from '../../../clearing/perpetual/margin-book.ts';
import { PositionRow } from '../../../clearing/perpetual/position-row.ts';
import { sandboxRules, type PerpetualRules } from '../../../clearing/perpetual/rules.ts';
import { payFunding } from '../../../clearing/perpetual/settlement.ts';
import type { VenuePosition } from '../../../model/trading/account.ts';
import { dec, ZERO, type Decimal } from '../../../model/numbers/money.ts';
import { pageOf, type Page, type PageQuery } from '../history.ts';
import { OrderFlow } from '../orders/order-flow.ts';
import type { OrderRecord, Trader } from '../orders/order-record.ts';
import { PerpetualData } from '../market/perpetuals.ts';
import { FuturesAccount } from './account.ts';
import type { Slot } from './slot.ts';
import { FuturesSettlement } from './futures-settlement.ts';
import { Liquidator } from './liquidator.ts';
import type { ClosedPosition } from './round.ts';
import type { FuturesDeps, FuturesParts } from './futures-parts.ts';
import { FuturesSettings } from './settings.ts';
import { FuturesTrading } from './trading.ts';

export class Futures implements FuturesParts {
  readonly perpetuals: ReadonlyMap<string, PerpetualData>;
  readonly flow: OrderFlow;
  readonly trading: FuturesTrading;
  readonly settings: FuturesSettings;
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

  /** Null for agents. */
  slotOf({ trader, market, order }: OrderRecord): Slot | null {
    if (trader.history === null) return null;
    const data = this.perpetuals.get(market.instrument.symbol);
    if (data === undefined) throw new RangeError(`${market.instrument.symbol} is no perpetual`);
    return this.accountOf(trader).slot(data, order.positionSide ?? 'both');
  }

  announce(slot: Slot, trader: Trader): void {
    this.deps.flow.outbox.positions.set(slot, trader.userId);
  }

  onChange(slot: Slot, trader: Trader, now: number): void {
    this.announce(slot, trader);
    this.#dropExcess(slot, now);
  }

  /** Unrealised loss, zero or above. */
  crossLoss(userId: string, currency: string): Decimal {
    return this.#accounts.get(userId)?.crossLoss(currency) ?? ZERO;
  }

  /** Liquidates what is due, and cancels opening orders whose margin is lost. Call after every operation. */
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

  /** Newest first by closing time. */
  closedPositions(trader: Trader, symbol: string | undefined, query: PageQuery): Page<ClosedPosition> {
    const { closed } = this.accountOf(trader);
    return pageOf(closed, query, 'closedAt', (position) => symbol === undefined || position.symbol === symbol);
  }

  /** Ended orders of closed positions, newest first by creation. */
  closedPositionOrders(trader: Trader, symbol: string | undefined, query: PageQuery): Page<OrderRecord> {
    const isWanted = ({ round, isActive, market: { instrument } }: OrderRecord): boolean =>
      round?.isOver === true && !isActive && (symbol === undefined || instrument.symbol === symbol);
    return pageOf(trader.history?.orderLog ?? [], query, 'createdAt', isWanted);
  }

  #dropExcess(slot: Slot, now: number): void {
    for (const record of slot.orders.all()) {
      const { side, reduceOnly } = record.order;
      if (record.resting === null || record.leftLots === 0 || !slot.onlyCloses(side, reduceOnly)) continue;
      const left = record.market.instrument.exactQuantity(record.leftLots);
      if (left.gt(slot.closable(side))) this.flow.cancel(record, now, 'reduce_only');
    }
  }

  #dropOpening({ slots }: MarginBook<Slot>, now: number): void {
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

  /** Counterparty is the house account `market`. Without a mark there are no positions. */
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
