/**
 * Spot money (rule A1), by `clearing/spot.ts`. Market orders lock nothing: they are over at once, or each fill is looked at
 * when it comes.
 */
import type { FeeRates } from '../clearing/fees.ts';
import { payingPocket, settleSpot, spotLock, spotPockets, type SpotPockets } from '../clearing/spot.ts';
import type { Instrument } from '../model/instrument.ts';
import { ZERO, type Decimal } from '../model/money.ts';
import type { Liquidity } from '../model/order.ts';
import type { Desk, PlannedFill, SettledFill } from './desk.ts';
import type { OrderRecord } from './order-record.ts';
import type { Purse } from './purse.ts';

export class SpotDesk implements Desk {
  readonly #instrument: Instrument;
  readonly #pockets: SpotPockets;
  readonly #rates: FeeRates;

  constructor(instrument: Instrument, purse: Purse, rates: FeeRates) {
    this.#instrument = instrument;
    this.#pockets = spotPockets(purse.wallet, instrument);
    this.#rates = rates;
  }

  reserve(record: OrderRecord, planned: readonly PlannedFill[]): boolean {
    const { request, lots, filledLots } = record;
    const { side } = request;
    const pocket = payingPocket(this.#pockets, side);
    if (request.type === 'limit') return pocket.lock(this.#lockOf(record, lots - filledLots));
    if (side === 'sell') return pocket.available.gte(this.#instrument.exactQuantity(lots - filledLots));
    return pocket.available.gte(planned.reduce((sum, fill) => sum.plus(fill.price.times(fill.quantity)), ZERO));
  }

  covers({ request }: OrderRecord, { price, quantity }: PlannedFill): boolean {
    const cost = request.side === 'buy' ? price.times(quantity) : quantity;
    return payingPocket(this.#pockets, request.side).available.gte(cost);
  }

  rejoin(record: OrderRecord): boolean {
    return this.reserve(record, []);
  }

  settle(record: OrderRecord, ticks: number, lots: number, liquidity: Liquidity): SettledFill {
    const { side, type } = record.request;
    const fee = settleSpot(this.#pockets, side, {
      quantity: this.#instrument.exactQuantity(lots),
      value: this.#instrument.exactNotional(ticks, lots),
      released: type === 'limit' ? this.#lockOf(record, lots) : ZERO,
      feeRate: this.#rates[liquidity],
    });
    return { fee };
  }

  release(record: OrderRecord): void {
    const { request, lots, filledLots } = record;
    if (request.type === 'limit')
      payingPocket(this.#pockets, request.side).unlock(this.#lockOf(record, lots - filledLots));
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

  /** What so much of a limit order locks. */
  #lockOf({ request, working }: OrderRecord, lots: number): Decimal {
    return spotLock(this.#instrument, request.side, working.ticks, lots);
  }
}
