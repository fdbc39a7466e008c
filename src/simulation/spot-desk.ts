/**
 * Spot money (rule A1): a resting buy locks exactly price × quantity of quote, a sell its quantity of base, nothing for
 * fees; fees come from the asset received. Market orders lock nothing: they are over at once.
 */
import type { Instrument } from '../model/instrument.ts';
import { ZERO, type Decimal } from '../model/money.ts';
import type { Liquidity } from '../model/order.ts';
import { feeOf, type FeeRates } from '../clearing/fees.ts';
import type { Desk, PlannedFill, SettledFill } from './desk.ts';
import type { OrderRecord } from './order-record.ts';
import type { Purse } from './purse.ts';

export class SpotDesk implements Desk {
  readonly #instrument: Instrument;
  readonly #purse: Purse;
  readonly #rates: FeeRates;

  constructor(instrument: Instrument, purse: Purse, rates: FeeRates) {
    this.#instrument = instrument;
    this.#purse = purse;
    this.#rates = rates;
  }

  reserve(record: OrderRecord, planned: readonly PlannedFill[]): boolean {
    const { request, lots, filledLots } = record;
    const quantity = this.#instrument.exactQuantity(lots - filledLots);
    const buys = request.side === 'buy';
    if (request.type === 'limit') return this.#purse.lock(this.#paid(buys), this.#amountOf(record, quantity));
    const cost = buys ? planned.reduce((sum, fill) => sum.plus(fill.price.times(fill.quantity)), ZERO) : quantity;
    return this.#purse.available(this.#paid(buys)).gte(cost);
  }

  covers({ request }: OrderRecord, { price, quantity }: PlannedFill): boolean {
    const buys = request.side === 'buy';
    return this.#purse.available(this.#paid(buys)).gte(buys ? price.times(quantity) : quantity);
  }

  rejoin(record: OrderRecord): boolean {
    return this.reserve(record, []);
  }

  settle(record: OrderRecord, price: Decimal, quantity: Decimal, liquidity: Liquidity): SettledFill {
    const { base, quote } = this.#instrument;
    const { side, type } = record.request;
    const buys = side === 'buy';
    const value = price.times(quantity);
    if (type === 'limit') this.#purse.unlock(this.#paid(buys), this.#amountOf(record, quantity));
    this.#purse.pay(this.#paid(buys), buys ? value : quantity);
    this.#purse.receive(buys ? base : quote, buys ? quantity : value);
    const fee = feeOf(this.#instrument, this.#rates, side, liquidity, price, quantity);
    this.#purse.fee(fee.currency, fee.amount);
    return { fee };
  }

  release(record: OrderRecord): void {
    if (record.request.type !== 'limit') return;
    const rest = this.#instrument.exactQuantity(record.lots - record.filledLots);
    this.#purse.unlock(this.#paid(record.request.side === 'buy'), this.#amountOf(record, rest));
  }

  mustReduce(): boolean {
    return false;
  }

  reduces(): boolean {
    return false;
  }

  positions(): readonly [] {
    return [];
  }

  #paid(buys: boolean): string {
    return buys ? this.#instrument.quote : this.#instrument.base;
  }

  /** What a limit order of this quantity locks. */
  #amountOf(record: OrderRecord, quantity: Decimal): Decimal {
    if (record.request.side === 'sell') return quantity;
    return this.#instrument.exactPrice(record.working.ticks).times(quantity);
  }
}
