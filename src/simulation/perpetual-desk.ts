/**
 * Money of a linear perpetual: one-way, cross, leverage 1. Margin is the cost of the position plus what the orders of the
 * worse side would open; profit, fees and funding settle in the settlement currency. The cost basis is that of
 * `model/position.ts` (rule A4).
 */
import type { VenuePosition } from '../model/account.ts';
import type { Instrument } from '../model/instrument.ts';
import { Decimal, decimalText, ZERO } from '../model/money.ts';
import type { Liquidity, Side } from '../model/order.ts';
import { Position } from '../model/position.ts';
import { contractSize, feeOf, type FeeRates } from './costs.ts';
import type { Desk, PlannedFill, SettledFill } from './desk.ts';
import type { MarginPool } from './margin-pool.ts';
import { msOfUs, type OrderRecord } from './order-record.ts';
import type { Purse } from './purse.ts';

const AVERAGE_PLACES = 18;

export class PerpetualDesk implements Desk {
  readonly #instrument: Instrument;
  readonly #purse: Purse;
  readonly #pool: MarginPool;
  readonly #rates: FeeRates;
  readonly #size: Decimal;
  readonly #position = new Position();
  readonly #orders = new Set<OrderRecord>();
  /** What the position and its orders needed after their last change. */
  #held: Decimal = ZERO;
  #updatedUs = 0;

  constructor(instrument: Instrument, purse: Purse, pool: MarginPool, rates: FeeRates) {
    this.#instrument = instrument;
    this.#purse = purse;
    this.#pool = pool;
    this.#rates = rates;
    this.#size = contractSize(instrument);
  }

  reserve(record: OrderRecord, planned: readonly PlannedFill[]): boolean {
    const quantity = this.#rest(record);
    const value =
      record.request.type === 'limit'
        ? this.#instrument.exactPrice(record.working.ticks).times(quantity)
        : planned.reduce((sum, fill) => sum.plus(fill.price.times(fill.quantity)), ZERO);
    const limit = record.request.type === 'limit';
    this.#orders.add(record);
    const after = limit || quantity.isZero() ? this.#need() : this.#need(record, value.div(quantity));
    const opens = after.minus(this.#held);
    const feeMax = opens.gt(0) ? value.times(this.#size).times(this.#rates.taker) : ZERO;
    const takes = opens.gt(0) ? (feeMax.gt(0) ? opens.plus(feeMax) : opens) : ZERO;
    const suffices = this.#purse.available(this.#instrument.settle).gte(takes);
    if (!suffices) this.#orders.delete(record);
    else if (limit) this.#hold(after);
    return suffices;
  }

  /** Margin is held as far as it goes: prices may have moved against the account since the order was admitted. */
  rejoin(record: OrderRecord): boolean {
    this.#orders.add(record);
    this.#hold();
    return true;
  }

  settle(record: OrderRecord, price: Decimal, quantity: Decimal, liquidity: Liquidity): SettledFill {
    const { side } = record.request;
    const profit = this.#position.apply(side, price, quantity).times(this.#size);
    const fee = feeOf(this.#instrument, this.#rates, side, liquidity, price, quantity);
    this.#purse.settle(this.#instrument.settle, profit);
    this.#purse.fee(fee.currency, fee.amount);
    this.#updatedUs = record.updatedUs;
    this.#hold();
    return { fee, realizedPnl: profit };
  }

  release(record: OrderRecord): void {
    this.#orders.delete(record);
    this.#hold();
  }

  reduces(record: OrderRecord, quantity: Decimal): boolean {
    const held = this.#position.quantity;
    const closes = record.request.side === 'sell' ? held.gt(0) : held.lt(0);
    return closes && quantity.lte(held.abs());
  }

  /** Funding (A3): rate · mark · quantity; longs pay when the rate is positive. Answers what was received. */
  fund(rate: Decimal, mark: Decimal, us: number): Decimal {
    const received = rate.times(mark).times(this.#position.quantity).times(this.#size).neg();
    if (received.isZero()) return ZERO;
    this.#purse.settle(this.#instrument.settle, received);
    this.#updatedUs = us;
    this.#hold();
    return received;
  }

  /** Takes over a restored position; its profit so far is in the balance already. */
  restore(position: VenuePosition): void {
    this.#position.quantity = new Decimal(position.quantity);
    this.#position.cost = new Decimal(position.entryPrice).times(position.quantity);
    this.#position.realized = new Decimal(position.realizedPnl).div(this.#size);
    this.#hold();
  }

  position(mark: Decimal | null): VenuePosition {
    const { quantity, entryPrice, realized, cost } = this.#position;
    const entry = entryPrice ?? ZERO;
    const at = mark ?? entry;
    return {
      symbol: this.#instrument.symbol,
      positionSide: 'both',
      quantity: decimalText(quantity),
      entryPrice: decimalText(entry.toDecimalPlaces(AVERAGE_PLACES)),
      markPrice: decimalText(at),
      leverage: '1',
      marginType: 'cross',
      margin: decimalText(cost.abs().times(this.#size)),
      liquidationPrice: null,
      unrealizedPnl: decimalText(this.#position.unrealized(at).times(this.#size)),
      realizedPnl: decimalText(realized.times(this.#size)),
      updatedAt: msOfUs(this.#updatedUs),
    };
  }

  #hold(need = this.#need()): void {
    this.#held = need;
    this.#pool.set(this.#instrument.settle, this.#instrument.symbol, need);
  }

  /** Margin of the position and of what the worse side's orders would open; one order may be valued at another price. */
  #need(priced?: OrderRecord, price: Decimal = ZERO): Decimal {
    const buys = this.#opening('buy', priced, price);
    const sells = this.#opening('sell', priced, price);
    const orders = buys.gt(sells) ? buys : sells;
    return this.#position.cost.abs().plus(orders).times(this.#size);
  }

  #opening(side: Side, priced: OrderRecord | undefined, price: Decimal): Decimal {
    const held = this.#position.quantity;
    let closable = (side === 'sell' ? held.gt(0) : held.lt(0)) ? held.abs() : ZERO;
    let value = ZERO;
    for (const record of this.#orders) {
      if (record.request.side !== side) continue;
      const rest = this.#rest(record);
      const opens = closable.isZero() ? rest : Decimal.max(ZERO, rest.minus(closable));
      if (!closable.isZero()) closable = Decimal.max(ZERO, closable.minus(rest));
      if (opens.isZero()) continue;
      const at =
        record === priced
          ? price
          : record.request.type === 'limit'
            ? this.#instrument.exactPrice(record.working.ticks)
            : ZERO;
      value = value.plus(opens.times(at));
    }
    return value;
  }

  #rest(record: OrderRecord): Decimal {
    return this.#instrument.exactQuantity(record.lots - record.filledLots);
  }
}
