/** Spot money by `clearing/spot.ts`. Market orders lock nothing. */
import type { FeeRates } from '../../clearing/fees.ts';
import type { Walk } from '../../clearing/perpetual/order-margin.ts';
import { refuseBalance, type ClearingRefusal } from '../../clearing/refusal.ts';
import { payingPocket, settleSpot, spotLock, spotPockets, type SpotPockets } from '../../clearing/spot.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { Liquidity } from '../../model/trading/order.ts';
import type { MarketHandler, SettledFill } from './market-handler.ts';
import type { OrderRecord } from '../venue/order-record.ts';
import type { Purse } from './purse.ts';

export class SpotHandler implements MarketHandler {
  readonly #instrument: Instrument;
  readonly #pockets: SpotPockets;
  readonly #rates: FeeRates;

  constructor(instrument: Instrument, purse: Purse, rates: FeeRates) {
    this.#instrument = instrument;
    this.#pockets = spotPockets(purse.wallet, instrument);
    this.#rates = rates;
  }

  admit(record: OrderRecord, walk: Walk): ClearingRefusal | undefined {
    return this.#reserve(record, walk.cost)
      ? undefined
      : refuseBalance(payingPocket(this.#pockets, record.request.side).currency);
  }

  covers({ request: { side } }: OrderRecord, ticks: number, lots: number): boolean {
    return payingPocket(this.#pockets, side).available.gte(spotLock(this.#instrument, side, ticks, lots));
  }

  rejoin(record: OrderRecord): boolean {
    return this.#reserve(record, ZERO);
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
    if (request.type !== 'limit') return;
    payingPocket(this.#pockets, request.side).unlock(this.#lockOf(record, lots - filledLots));
  }

  positions(): readonly [] {
    return [];
  }

  /** `cost`: of a market buy. */
  #reserve(record: OrderRecord, cost: Decimal): boolean {
    const { side, type } = record.request;
    const pocket = payingPocket(this.#pockets, side);
    const lots = record.lots - record.filledLots;
    if (type === 'limit') return pocket.lock(this.#lockOf(record, lots));
    return pocket.available.gte(side === 'buy' ? cost : this.#instrument.exactQuantity(lots));
  }

  #lockOf({ request, working }: OrderRecord, lots: number): Decimal {
    return spotLock(this.#instrument, request.side, working.ticks, lots);
  }
}
